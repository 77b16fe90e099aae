#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns the bytes of a response into its body, and names the content type it understands.
public struct BodyDecoder<Body>: Sendable {
    /// Sent as `Accept` unless the request or the manager sets one.
    public let acceptType: RequestHeaders.Value?
    private let handler: @Sendable (Data?) throws -> Body?

    public init(
        acceptType: RequestHeaders.Value? = nil, _ handler: @escaping @Sendable (Data?) throws -> Body?
    ) {
        self.acceptType = acceptType
        self.handler = handler
    }

    public func decode(_ data: Data?) throws -> Body? { try handler(data) }

    /// For a body that must never be decoded: bytes are an error.
    public static var fatal: Self {
        Self { data in
            guard data?.isEmpty ?? true else { throw CodingFailure("\(Body.self) has no decoder") }
            return nil
        }
    }
}

extension BodyDecoder where Body == String {
    public init(encoding: String.Encoding) {
        self.init { data in
            guard let data else { return nil }
            guard let text = String(data: data, encoding: encoding) else {
                throw CodingFailure("the body is not text in the encoding \(encoding)")
            }
            return text
        }
    }
}

extension BodyDecoder where Body: AutomaticBodyDecoding {
    public static var `default`: Self { automatic }
    public static var automatic: Self { Self(acceptType: Body.acceptType) { try Body(fromData: $0) } }
}

extension BodyDecoder where Body: Decodable & SendableMetatype {
    public static var `default`: Self { .json() }

    public static func json(decoder: @escaping @autoclosure @Sendable () -> JSONDecoder = JSONDecoder()) -> Self {
        Self(acceptType: .contentType(.json)) { data in
            try data.map { try decoder().decode(Body.self, from: $0) }
        }
    }
}

extension BodyDecoder where Body: AutomaticBodyDecoding & Decodable {
    public static var `default`: Self { automatic }
}
