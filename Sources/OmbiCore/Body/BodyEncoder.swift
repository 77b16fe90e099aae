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
    public static var `default`: Self { Self() }

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

extension BodyEncoder where Body == Data {
    public static var `default`: Self { Self { $0 } }
}

extension BodyEncoder where Body == NoBody {
    public static var `default`: Self { Self { _ in nil } }
}

extension BodyEncoder where Body == RequestParameters {
    public static var `default`: Self {
        Self(contentType: .contentType(.urlencoded)) { $0.map { Data($0.encoded.utf8) } }
    }
}

extension BodyEncoder where Body: Encodable & SendableMetatype {
    public static var `default`: Self { .json() }

    /// The encoder is used from one thread at a time by one request; a request that is sent in parallel gets its own.
    public static func json(encoder: @escaping @autoclosure @Sendable () -> JSONEncoder = JSONEncoder()) -> Self {
        Self(contentType: .contentType(.json)) { body in try body.map { try encoder().encode($0) } }
    }
}

extension BodyEncoder where Body: AutomaticBodyEncoding {
    public static var automatic: Self { Self { try $0?.asData() } }
}
