/// An encoder of request bodies, as bytes or a stream with a content type.
public struct BodyEncoder<Body>: Sendable {
    private let handler: @Sendable (Body?) throws -> EncodedBody?

    /// Creates an encoder with the same content type for every body.
    /// - Parameters:
    ///   - contentType: Sent as `Content-Type` unless the request or the manager sets one, and only with a body.
    ///   - handler: Gets nil if there is no body; returning nil sends none. Throwing makes the request malformed, with
    ///     that error as the cause.
    public init(
        contentType: RequestHeaders.Value? = nil, _ handler: @escaping @Sendable (Body?) throws -> Data?
    ) {
        self.handler = { try handler($0).map { EncodedBody(data: $0, contentType: contentType) } }
    }

    private init(handler: @escaping @Sendable (Body?) throws -> EncodedBody?) { self.handler = handler }

    /// Returns an encoder that streams the body, or derives the content type from it. A handler that returns nil sends
    /// no body; one that throws makes the request malformed.
    public static func encoded(_ handler: @escaping @Sendable (Body) throws -> EncodedBody?) -> Self {
        Self(handler: { try $0.flatMap(handler) })
    }

    /// Returns the encoded body with its content type; nil sends none. Throws the handler's error.
    public func encodedBody(_ body: Body?) throws -> EncodedBody? { try handler(body) }

    /// Returns the bytes to send for a body, reading a stream to its end. Throws the handler's error.
    public func encode(_ body: Body?) throws -> Data? {
        guard let encoded = try handler(body) else { return nil }
        return try encoded.stream?.data ?? encoded.data
    }

    /// An encoder for a body that must never be encoded: a value is an error.
    public static var fatal: Self {
        Self { body in
            guard body == nil else { throw CodingFailure("\(Body.self) has no encoder") }
            return nil
        }
    }
}

extension BodyEncoder where Body == String {
    /// Creates an encoder of text, as `text/plain`; text that the encoding cannot represent is an error.
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
    /// The type's own encoding.
    public static var `default`: Self { automatic }
    /// The type's own encoding.
    public static var automatic: Self { .encoded { try $0.encodedBody() } }
}

extension BodyEncoder where Body: Encodable & SendableMetatype {
    /// Encoding as JSON.
    public static var `default`: Self { .json() }

    /// Returns an encoder to `application/json`. NaN and infinity are errors unless the encoder has a strategy for
    /// them.
    ///
    /// Each body gets a new `JSONEncoder`, because an encoder is not safe to share between threads.
    public static func json(encoder: @escaping @autoclosure @Sendable () -> JSONEncoder = JSONEncoder()) -> Self {
        Self(contentType: .contentType(.json)) { body in try body.map { try encoder().encode($0) } }
    }
}

extension BodyEncoder where Body: AutomaticBodyEncoding & Encodable {
    /// The type's own encoding, which takes precedence over Codable: a `String` is text, not a JSON string.
    public static var `default`: Self { automatic }
}

extension BodyEncoder where Body == AnyJSON {
    /// Creates an encoder to JSON with output options: `.prettyPrinted`, `.sortedKeys`, `.withoutEscapingSlashes`.
    public init(options: JSONEncoder.OutputFormatting) {
        self = .json(
            encoder: {
                let encoder = JSONEncoder()
                encoder.outputFormatting = options
                return encoder
            }())
    }
}

/// The encoded body of a request: bytes or a stream, and their content type.
public struct EncodedBody: Sendable, Hashable {
    /// The bytes in memory; nil for a stream.
    public let data: Data?
    /// The stream, which is read while it is sent and opened for each attempt.
    public let stream: BodyStream?
    /// Sent as `Content-Type` unless the request or the manager sets one; nil sends none.
    public let contentType: RequestHeaders.Value?

    /// Creates a body in memory.
    public init(data: Data, contentType: RequestHeaders.Value? = nil) {
        self.data = data
        stream = nil
        self.contentType = contentType
    }

    /// Creates a body that is read while it is sent.
    public init(stream: BodyStream, contentType: RequestHeaders.Value? = nil) {
        data = nil
        self.stream = stream
        self.contentType = contentType
    }
}

/// An empty request body, or an ignored response body.
public struct NoBody: Sendable, Hashable {
    /// Creates the only value.
    public init() {}
}

/// Decoding of JSON, with details where the decoder only reports invalid data.
enum JSONBody {
    /// Decodes JSON. Throws `DecodingError`, or the error of the type itself.
    static func decode<Body: Decodable>(_ type: Body.Type, from data: Data, with decoder: JSONDecoder) throws -> Body {
        do {
            return try decoder.decode(type, from: data)
        } catch DecodingError.dataCorrupted(let context) where saysNothing(context) {
            let words = reason(data) ?? context.debugDescription
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: [], debugDescription: words,
                    underlyingError: DecodingError.dataCorrupted(context)))
        }
    }

    private static func saysNothing(_ context: DecodingError.Context) -> Bool {
        context.codingPath.isEmpty && context.debugDescription.hasPrefix("The given data was not valid JSON")
    }

    private static func reason(_ data: Data) -> String? {
        if data.isEmpty { return "the body is empty, expected JSON" }
        guard (try? JSONDecoder().decode(AnyJSON.self, from: data)) == nil else {
            // The decoder calls all of the data invalid if a number is merely too large or not whole.
            return "a number in the body does not fit the type that is expected"
        }
        let start = String(decoding: data.prefix(120), as: UTF8.self).drop { $0.isWhitespace }
        // The excerpt is limited to bodies that cannot be JSON: a page or a message of some server, without
        // credentials.
        if let first = start.first, "{[\"".contains(first) { return "the body is not valid JSON, or not complete" }
        return "the body is no JSON: it begins with \"\(String(start.prefix(40)).visible)\""
    }
}
