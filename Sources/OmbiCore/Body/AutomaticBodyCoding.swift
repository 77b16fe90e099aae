#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type that writes itself as the body of a request; it then needs no encoder.
public protocol AutomaticBodyEncoding: SendableMetatype {
    func asData() throws -> Data?
}

/// A type that reads itself from the body of a response; it then needs no decoder.
public protocol AutomaticBodyDecoding: SendableMetatype {
    /// nil gives a response without a body; throwing gives a decoding error.
    init?(fromData data: Data?) throws
}

public typealias AutomaticBodyCoding = AutomaticBodyEncoding & AutomaticBodyDecoding
