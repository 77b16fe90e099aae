#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A decoder of response bodies, with the content type it accepts.
///
/// Most decoders need only the bytes. One that also needs the status or the headers, such as the `Link` header of a
/// page of a list, takes the whole response:
///
///     var responseDecoder: BodyDecoder<Page> {
///         .response(acceptType: .contentType(.json)) { response in
///             try Page(users: JSONDecoder().decode([User].self, from: response.body ?? Data()), link: response["Link"])
///         }
///     }
public struct BodyDecoder<Body>: Sendable {
    /// The `Accept` field unless the request or the manager sets one.
    public let acceptType: RequestHeaders.Value?
    private let handler: @Sendable (TransportResponse) throws -> Body?

    private init(
        response handler: @escaping @Sendable (TransportResponse) throws -> Body?, acceptType: RequestHeaders.Value?
    ) {
        self.acceptType = acceptType
        self.handler = handler
    }

    /// Creates a decoder of bytes.
    ///
    /// The handler gets nil where HTTP allows no body (HEAD, 204, 205, 304), and an empty value if the body is empty.
    /// Returning nil gives a response without a body; throwing gives a `decodingError` with that error as the cause.
    public init(
        acceptType: RequestHeaders.Value? = nil, _ handler: @escaping @Sendable (Data?) throws -> Body?
    ) {
        self.init(response: { try handler($0.body) }, acceptType: acceptType)
    }

    /// Returns a decoder of whole responses. Its handler gets the status, the headers and the bytes; the bytes are nil
    /// where HTTP allows none. Returning nil and throwing mean the same as for a decoder of bytes.
    public static func response(
        acceptType: RequestHeaders.Value? = nil, _ handler: @escaping @Sendable (TransportResponse) throws -> Body?
    ) -> Self {
        Self(response: handler, acceptType: acceptType)
    }

    /// Decodes bytes without a response. Throws the handler's error.
    public func decode(_ data: Data?) throws -> Body? { try handler(TransportResponse(body: data)) }

    /// Decodes a response. Throws the handler's error.
    public func decode(_ response: TransportResponse) throws -> Body? { try handler(response) }

    /// A decoder for a body that must never be decoded: bytes are an error.
    public static var fatal: Self {
        Self { data in
            guard data?.isEmpty ?? true else { throw CodingFailure("\(Body.self) has no decoder") }
            return nil
        }
    }
}

extension BodyDecoder where Body == String {
    /// Creates a decoder of text; bytes that are invalid in the encoding are an error. The charset of `Content-Type` is
    /// ignored.
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
    /// The type's own decoding.
    public static var `default`: Self { automatic }
    /// The type's own decoding.
    public static var automatic: Self { .response(acceptType: Body.acceptType) { try Body(fromData: $0.body) } }
}

extension BodyDecoder where Body: Decodable & SendableMetatype {
    /// Decoding from JSON.
    public static var `default`: Self { .json() }

    /// Returns a decoder of JSON, with `Accept: application/json`. An empty body is an error, since it is not JSON.
    /// Each body gets a new `JSONDecoder`, because a decoder is not safe to share between threads.
    public static func json(decoder: @escaping @autoclosure @Sendable () -> JSONDecoder = JSONDecoder()) -> Self {
        .response(acceptType: .contentType(.json)) { response in
            try response.body.map { try JSONBody.decode(Body.self, from: $0, with: decoder()) }
        }
    }
}

extension BodyDecoder where Body: AutomaticBodyDecoding & Decodable {
    /// The type's own decoding, which takes precedence over Codable: a `String` is text, not a JSON string.
    public static var `default`: Self { automatic }
}

/// A body that could not be encoded or decoded, with a description.
public struct CodingFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A clause in lower case without a full stop.
    public let description: String

    /// Creates a failure, for custom encoders and decoders.
    public init(_ description: String) { self.description = description }
}
