#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
