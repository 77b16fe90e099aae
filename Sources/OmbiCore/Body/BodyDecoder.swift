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

/// A type that encodes itself as the body of a request; a request with such a body needs no encoder.
public protocol AutomaticBodyEncoding: SendableMetatype {
    /// The `Content-Type` unless the request or the manager sets one; nil by default.
    static var contentType: RequestHeaders.Value? { get }

    /// Returns the bytes to send; nil sends no body. Throwing makes the request malformed, with that error as the
    /// cause.
    func asData() throws -> Data?

    /// Returns the body to send and its content type; by default `asData()` and `contentType`. For a body that is
    /// streamed, or whose content type depends on its value.
    func encodedBody() throws -> EncodedBody?
}

/// A type that decodes itself from the body of a response; a request for such a body needs no decoder.
public protocol AutomaticBodyDecoding: SendableMetatype {
    /// The `Accept` field unless the request or the manager sets one; nil by default.
    static var acceptType: RequestHeaders.Value? { get }

    /// Creates a body; `data` is nil where HTTP allows none (HEAD, 204, 205, 304). Returning nil gives a response
    /// without a body; throwing gives a `decodingError` with that error as the cause.
    init?(fromData data: Data?) throws
}

/// A type that can be the body of a request and of a response without coders.
public typealias AutomaticBodyCoding = AutomaticBodyEncoding & AutomaticBodyDecoding

extension AutomaticBodyEncoding {
    public static var contentType: RequestHeaders.Value? { nil }

    public func encodedBody() throws -> EncodedBody? {
        try asData().map { EncodedBody(data: $0, contentType: Self.contentType) }
    }
}

extension AutomaticBodyDecoding {
    public static var acceptType: RequestHeaders.Value? { nil }
}

/// Text in UTF-8.
extension String: AutomaticBodyEncoding, AutomaticBodyDecoding {
    public static var contentType: RequestHeaders.Value? { "text/plain; charset=utf-8" }

    public func asData() -> Data? { Data(utf8) }

    public init?(fromData data: Data?) throws {
        guard let text = try BodyDecoder<String>(encoding: .utf8).decode(data) else { return nil }
        self = text
    }
}

/// Unmodified bytes.
extension Data: AutomaticBodyEncoding, AutomaticBodyDecoding {
    public func asData() -> Data? { self }

    public init?(fromData data: Data?) {
        guard let data else { return nil }
        self = data
    }
}

/// Sends no bytes, and ignores any that are received.
extension NoBody: AutomaticBodyEncoding, AutomaticBodyDecoding {
    public func asData() -> Data? { nil }
    public init?(fromData data: Data?) { return nil }
}

/// A URL-encoded form.
extension RequestParameters: AutomaticBodyEncoding, AutomaticBodyDecoding {
    public static var contentType: RequestHeaders.Value? { .contentType(.urlencoded) }
    public static var acceptType: RequestHeaders.Value? { .contentType("application/x-www-form-urlencoded") }

    public func asData() -> Data? { Data(encoded.utf8) }

    public init?(fromData data: Data?) {
        guard let data else { return nil }
        self.init(encoded: String(decoding: data, as: UTF8.self))
    }
}
