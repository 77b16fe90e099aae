#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The decoder that a request has when it names none, by the type of its response body.

extension Requestable where ResponseBody: Decodable & SendableMetatype {
    public var responseDecoder: BodyDecoder<ResponseBody> { .json() }
}

extension Requestable where ResponseBody: AutomaticBodyDecoding {
    public var responseDecoder: BodyDecoder<ResponseBody> { .automatic }
}

extension Requestable where ResponseBody: AutomaticBodyDecoding & Decodable {
    public var responseDecoder: BodyDecoder<ResponseBody> { .automatic }
}

extension Requestable where ResponseBody == String {
    public var responseDecoder: BodyDecoder<String> { BodyDecoder(encoding: .utf8) }
}

extension Requestable where ResponseBody == Data {
    public var responseDecoder: BodyDecoder<Data> { BodyDecoder { $0 } }
}

extension Requestable where ResponseBody == RequestParameters {
    public var responseDecoder: BodyDecoder<RequestParameters> { .default }
}

extension Requestable where ResponseBody == NoBody {
    public var responseDecoder: BodyDecoder<NoBody> { .default }
}
