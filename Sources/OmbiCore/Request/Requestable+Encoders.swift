#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

extension Requestable where RequestBody == String {
    public var requestEncoder: BodyEncoder<String> { BodyEncoder(encoding: .utf8) }
}

extension Requestable where RequestBody == Data {
    public var requestEncoder: BodyEncoder<Data> { BodyEncoder { $0 } }
}

extension Requestable where RequestBody == RequestParameters {
    public var requestEncoder: BodyEncoder<RequestParameters> { .default }
}

extension Requestable where RequestBody == NoBody {
    public var requestEncoder: BodyEncoder<NoBody> { .default }
}
