#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns a response into its body, and names the content type it understands.
///
/// Most decoders are made from the bytes alone. One that needs status or headers as well, such as the `Link` header that
/// a page of a list comes with, is made from the whole response:
///
///     var responseDecoder: BodyDecoder<Page> {
///         .response(acceptType: .contentType(.json)) { response in
///             try Page(users: JSONDecoder().decode([User].self, from: response.body ?? Data()), link: response["Link"])
///         }
///     }
public struct BodyDecoder<Body>: Sendable {
    /// Sent as `Accept` unless the request or the manager sets one.
    public let acceptType: RequestHeaders.Value?
    private let handler: @Sendable (TransportResponse) throws -> Body?

    private init(
        response handler: @escaping @Sendable (TransportResponse) throws -> Body?, acceptType: RequestHeaders.Value?
    ) {
        self.acceptType = acceptType
        self.handler = handler
    }

    /// A decoder of bytes.
    ///
    /// The handler gets nil where HTTP allows no body (HEAD, 204, 205, 304), and an empty value where the body is empty.
    /// nil gives a response without a body; throwing gives a `decodingError` with that error as the cause.
    public init(
        acceptType: RequestHeaders.Value? = nil, _ handler: @escaping @Sendable (Data?) throws -> Body?
    ) {
        self.init(response: { try handler($0.body) }, acceptType: acceptType)
    }

    /// A decoder of whole responses. Its handler gets the status, the headers and the bytes; the bytes are nil where
    /// HTTP allows none. What it returns and throws means the same as for a decoder of bytes.
    public static func response(
        acceptType: RequestHeaders.Value? = nil, _ handler: @escaping @Sendable (TransportResponse) throws -> Body?
    ) -> Self {
        Self(response: handler, acceptType: acceptType)
    }

    /// Decodes bytes that came without a response. Throws what the handler throws.
    public func decode(_ data: Data?) throws -> Body? { try handler(TransportResponse(body: data)) }

    /// Decodes a response. Throws what the handler throws.
    public func decode(_ response: TransportResponse) throws -> Body? { try handler(response) }

    /// For a body that must never be decoded: bytes are an error.
    public static var fatal: Self {
        Self { data in
            guard data?.isEmpty ?? true else { throw CodingFailure("\(Body.self) has no decoder") }
            return nil
        }
    }
}

extension BodyDecoder where Body == String {
    /// Text in that encoding; bytes that are not are an error. The charset of `Content-Type` is not looked at.
    public init(encoding: String.Encoding = .utf8) {
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
    /// As the type reads itself.
    public static var `default`: Self { automatic }
    /// As the type reads itself.
    public static var automatic: Self { .response(acceptType: Body.acceptType) { try Body(fromData: $0.body) } }
}

extension BodyDecoder where Body: Decodable & SendableMetatype {
    /// As JSON.
    public static var `default`: Self { .json() }

    /// As JSON, with `Accept: application/json`. An empty body is an error, since it is no JSON. The decoder is made anew
    /// for each body, because a decoder is not safe to share between threads.
    public static func json(decoder: @escaping @autoclosure @Sendable () -> JSONDecoder = JSONDecoder()) -> Self {
        .response(acceptType: .contentType(.json)) { response in
            try response.body.map { try JSONBody.decode(Body.self, from: $0, with: decoder()) }
        }
    }
}

extension BodyDecoder where Body: AutomaticBodyDecoding & Decodable {
    /// As the type reads itself, which it does better than Codable: a `String` is text, and no JSON string.
    public static var `default`: Self { automatic }
}
