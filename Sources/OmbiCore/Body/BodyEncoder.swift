#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns the body of a request into bytes or a stream, and names their content type.
public struct BodyEncoder<Body>: Sendable {
    private let handler: @Sendable (Body?) throws -> EncodedBody?

    /// An encoder whose content type is the same for every body.
    /// - Parameters:
    ///   - contentType: Sent as `Content-Type` unless the request or the manager sets one, and only with a body.
    ///   - handler: Gets nil when there is no body; nil from it sends none. Throwing makes the request malformed, with
    ///     that error as the cause.
    public init(
        contentType: RequestHeaders.Value? = nil, _ handler: @escaping @Sendable (Body?) throws -> Data?
    ) {
        self.handler = { try handler($0).map { EncodedBody(data: $0, contentType: contentType) } }
    }

    private init(handler: @escaping @Sendable (Body?) throws -> EncodedBody?) { self.handler = handler }

    /// An encoder that streams the body, or looks at it for its content type. nil from the handler sends none; throwing
    /// makes the request malformed.
    public static func encoded(_ handler: @escaping @Sendable (Body) throws -> EncodedBody?) -> Self {
        Self(handler: { try $0.flatMap(handler) })
    }

    /// What is sent for a body, and as which content type; nil sends none. Throws what the handler throws.
    public func encodedBody(_ body: Body?) throws -> EncodedBody? { try handler(body) }

    /// The bytes that are sent for a body; a stream is read for them. Throws what the handler throws.
    public func encode(_ body: Body?) throws -> Data? {
        guard let encoded = try handler(body) else { return nil }
        return try encoded.stream?.data ?? encoded.data
    }

    /// For a body that must never be encoded: a value is an error.
    public static var fatal: Self {
        Self { body in
            guard body == nil else { throw CodingFailure("\(Body.self) has no encoder") }
            return nil
        }
    }
}

extension BodyEncoder where Body == String {
    /// Text in that encoding, as `text/plain`; text that cannot be written in it is an error.
    public init(encoding: String.Encoding = .utf8) {
        let contentType: RequestHeaders.Value = encoding == .utf8 ? "text/plain; charset=utf-8" : "text/plain"
        self.init(contentType: contentType) { text in
            guard let text else { return nil }
            guard let data = text.data(using: encoding) else {
                throw CodingFailure("the text cannot be written in the encoding \(encoding)")
            }
            return data
        }
    }
}

extension BodyEncoder where Body: AutomaticBodyEncoding {
    /// As the type writes itself.
    public static var `default`: Self { automatic }
    /// As the type writes itself.
    public static var automatic: Self { .encoded { try $0.encodedBody() } }
}

extension BodyEncoder where Body: Encodable & SendableMetatype {
    /// As JSON.
    public static var `default`: Self { .json() }

    /// As `application/json`. Not a number and infinity are an error unless the encoder is told how to write them.
    ///
    /// The encoder is made anew for each body, because an encoder is not safe to share between threads.
    public static func json(encoder: @escaping @autoclosure @Sendable () -> JSONEncoder = JSONEncoder()) -> Self {
        Self(contentType: .contentType(.json)) { body in try body.map { try encoder().encode($0) } }
    }
}

extension BodyEncoder where Body: AutomaticBodyEncoding & Encodable {
    /// As the type writes itself, which it does better than Codable: a `String` is text, and no JSON string.
    public static var `default`: Self { automatic }
}

extension BodyEncoder where Body == AnyJSON {
    /// As JSON that is laid out so: `.prettyPrinted`, `.sortedKeys`, `.withoutEscapingSlashes`.
    public init(options: JSONEncoder.OutputFormatting) {
        self = .json(
            encoder: {
                let encoder = JSONEncoder()
                encoder.outputFormatting = options
                return encoder
            }())
    }
}
