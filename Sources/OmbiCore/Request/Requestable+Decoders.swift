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
