// The coders and the validator of a request. A declared one must match the types of the request; the others are chosen
// by these types. As for the other members, an unavailable extension provides the compiler's message.

extension Requestable where RequestEncoderValue == BodyEncoder<RequestBody> {
    public var _requestEncoder: BodyEncoder<RequestBody> { requestEncoder as RequestEncoderValue }
}
extension Requestable
where RequestEncoderValue == Never?, JSONEncoderValue == Never?, RequestBody: Encodable & SendableMetatype {
    public var _requestEncoder: BodyEncoder<RequestBody> { .json() }
}
extension Requestable
where RequestEncoderValue == Never?, JSONEncoderValue == JSONEncoder, RequestBody: Encodable & SendableMetatype {
    public var _requestEncoder: BodyEncoder<RequestBody> { .json(encoder: jsonEncoder as JSONEncoderValue) }
}
extension Requestable where RequestEncoderValue == Never?, RequestBody: Encodable & SendableMetatype {
    @available(*, unavailable, message: "declare jsonEncoder as JSONEncoder")
    public var _requestEncoder: BodyEncoder<RequestBody> { .fatal }
}
extension Requestable where RequestEncoderValue == Never?, RequestBody: AutomaticBodyEncoding {
    public var _requestEncoder: BodyEncoder<RequestBody> { .automatic }
}
extension Requestable
where RequestEncoderValue == Never?, JSONEncoderValue == Never?, RequestBody: AutomaticBodyEncoding & Encodable {
    public var _requestEncoder: BodyEncoder<RequestBody> { .automatic }
}
extension Requestable
where RequestEncoderValue == Never?, JSONEncoderValue == JSONEncoder, RequestBody: AutomaticBodyEncoding & Encodable {
    public var _requestEncoder: BodyEncoder<RequestBody> { .automatic }
}
extension Requestable where RequestEncoderValue == Never? {
    @available(
        *, unavailable,
        message:
            "RequestBody has no encoder: make it Encodable (nonisolated, where the main actor is the default), or declare requestEncoder"
    )
    public var _requestEncoder: BodyEncoder<RequestBody> { .fatal }
}
extension Requestable {
    @available(
        *, unavailable, message: "declare requestEncoder as BodyEncoder<RequestBody>, and name that type by typealias"
    )
    public var _requestEncoder: BodyEncoder<RequestBody> { .fatal }
}

extension Requestable where ResponseDecoderValue == BodyDecoder<ResponseBody> {
    public var _responseDecoder: BodyDecoder<ResponseBody> { responseDecoder as ResponseDecoderValue }
}
extension Requestable
where ResponseDecoderValue == Never?, JSONDecoderValue == Never?, ResponseBody: Decodable & SendableMetatype {
    public var _responseDecoder: BodyDecoder<ResponseBody> { .json() }
}
extension Requestable
where ResponseDecoderValue == Never?, JSONDecoderValue == JSONDecoder, ResponseBody: Decodable & SendableMetatype {
    public var _responseDecoder: BodyDecoder<ResponseBody> { .json(decoder: jsonDecoder as JSONDecoderValue) }
}
extension Requestable where ResponseDecoderValue == Never?, ResponseBody: Decodable & SendableMetatype {
    @available(*, unavailable, message: "declare jsonDecoder as JSONDecoder")
    public var _responseDecoder: BodyDecoder<ResponseBody> { .fatal }
}
extension Requestable where ResponseDecoderValue == Never?, ResponseBody: AutomaticBodyDecoding {
    public var _responseDecoder: BodyDecoder<ResponseBody> { .automatic }
}
extension Requestable
where ResponseDecoderValue == Never?, JSONDecoderValue == Never?, ResponseBody: AutomaticBodyDecoding & Decodable {
    public var _responseDecoder: BodyDecoder<ResponseBody> { .automatic }
}
extension Requestable
where ResponseDecoderValue == Never?, JSONDecoderValue == JSONDecoder, ResponseBody: AutomaticBodyDecoding & Decodable {
    public var _responseDecoder: BodyDecoder<ResponseBody> { .automatic }
}
extension Requestable where ResponseDecoderValue == Never? {
    @available(
        *, unavailable,
        message:
            "ResponseBody has no decoder: make it Decodable (nonisolated, where the main actor is the default), or declare responseDecoder"
    )
    public var _responseDecoder: BodyDecoder<ResponseBody> { .fatal }
}
extension Requestable {
    @available(
        *, unavailable, message: "declare responseDecoder as BodyDecoder<ResponseBody>, and name that type by typealias"
    )
    public var _responseDecoder: BodyDecoder<ResponseBody> { .fatal }
}

extension Requestable where ResponseValidatorValue == ResponseValidator<ResponseBody, ResponseError> {
    public var _responseValidator: ResponseValidator<ResponseBody, ResponseError> {
        responseValidator as ResponseValidatorValue
    }
}
extension Requestable where ResponseValidatorValue == Never? {
    public var _responseValidator: ResponseValidator<ResponseBody, ResponseError> { .byType }
}
extension Requestable {
    @available(
        *, unavailable,
        message:
            "declare responseValidator as ResponseValidator<ResponseBody, ResponseError>, and name these types by typealias"
    )
    public var _responseValidator: ResponseValidator<ResponseBody, ResponseError> { .unsafe }
}

// The coders that `Requestable` chooses by type at compile time, chosen at run time: for a generic request with any
// type of body. The lock is for the types that the closures capture, which need not be Sendable. It holds a struct
// because a bare closure would be wrapped once more each time that it is read through a generic type.

extension BodyEncoder {
    static var byType: Self {
        let encode = Lock(
            Encode { body in
                switch body {
                case let body as any AutomaticBodyEncoding: return try body.encodedBody()
                case let body as any Encodable:
                    return EncodedBody(data: try JSONEncoder().encode(body), contentType: .contentType(.json))
                default: throw CodingFailure("\(Body.self) has no encoder; give one with encodeBody(with:)")
                }
            })
        return .encoded {
            let encode = encode.withLock { $0 }
            return try encode.run($0)
        }
    }

    private struct Encode {
        let run: (Body) throws -> EncodedBody?
    }
}

extension BodyDecoder {
    static var byType: Self {
        let decode = Lock(
            Decode { data in
                if let type = Body.self as? any AutomaticBodyDecoding.Type {
                    return try type.init(fromData: data) as? Body
                }
                guard let data else { return nil }
                if let type = Body.self as? any Decodable.Type {
                    return try JSONBody.decode(type, from: data, with: JSONDecoder()) as? Body
                }
                throw CodingFailure("\(Body.self) has no decoder; give one with decodeBody(with:)")
            })
        return Self(acceptType: acceptTypeByType) {
            let decode = decode.withLock { $0 }
            return try decode.run($0)
        }
    }

    private struct Decode {
        let run: (Data?) throws -> Body?
    }

    private static var acceptTypeByType: RequestHeaders.Value? {
        if let type = Body.self as? any AutomaticBodyDecoding.Type { return type.acceptType }
        return Body.self is any Decodable.Type ? .contentType(.json) : nil
    }
}

extension ResponseValidator {
    /// The status check if the error is `HTTPError`.
    static var byType: Self { ResponseValidator<ResponseBody, HTTPError>.default as? Self ?? .unsafe }
}

/// Media types in header fields.
enum MediaType {
    /// Returns "text/html" for "Text/HTML; charset=utf-8".
    static func essence(of text: String) -> String {
        var type: [UInt8] = []
        type.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if byte == UInt8(ascii: ";") { break }
            if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { continue }
            type.append(byte.lowercasedASCII)
        }
        return String(decoding: type, as: UTF8.self)
    }
}
