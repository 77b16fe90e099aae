// The encoder that a request has when it names none, by the type of its body.

extension Requestable where RequestBody: Encodable & SendableMetatype {
    public var requestEncoder: BodyEncoder<RequestBody> { .json() }
}

extension Requestable where RequestBody: AutomaticBodyEncoding {
    public var requestEncoder: BodyEncoder<RequestBody> { .automatic }
}

extension Requestable where RequestBody: AutomaticBodyEncoding & Encodable {
    public var requestEncoder: BodyEncoder<RequestBody> { .automatic }
}
