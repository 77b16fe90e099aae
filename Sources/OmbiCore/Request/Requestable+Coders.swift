#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
