#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns the body of a request into bytes, and names their content type.
public struct BodyEncoder<Body>: Sendable {
    /// Sent as `Content-Type` unless the request or the manager sets one, and only with a body.
    public let contentType: RequestHeaders.Value?
    private let handler: @Sendable (Body?) throws -> Data?

    public init(
        contentType: RequestHeaders.Value? = nil, _ handler: @escaping @Sendable (Body?) throws -> Data?
    ) {
        self.contentType = contentType
        self.handler = handler
    }

    public func encode(_ body: Body?) throws -> Data? { try handler(body) }

    /// For a body that must never be encoded: a value is an error.
    public static var fatal: Self {
        Self { body in
            guard body == nil else { throw CodingFailure("\(Body.self) has no encoder") }
            return nil
        }
    }
}

extension BodyEncoder where Body == String {
    public init(encoding: String.Encoding) {
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
    public static var `default`: Self { automatic }
    public static var automatic: Self { Self(contentType: Body.contentType) { try $0?.asData() } }
}

extension BodyEncoder where Body: Encodable & SendableMetatype {
    public static var `default`: Self { .json() }

    /// The encoder is made anew for each body, because an encoder is not safe to share between threads.
    public static func json(encoder: @escaping @autoclosure @Sendable () -> JSONEncoder = JSONEncoder()) -> Self {
        Self(contentType: .contentType(.json)) { body in try body.map { try encoder().encode($0) } }
    }
}

extension BodyEncoder where Body: AutomaticBodyEncoding & Encodable {
    public static var `default`: Self { automatic }
}

extension BodyEncoder where Body == AnyJSON {
    public init(options: JSONEncoder.OutputFormatting) {
        self = .json(
            encoder: {
                let encoder = JSONEncoder()
                encoder.outputFormatting = options
                return encoder
            }())
    }
}
