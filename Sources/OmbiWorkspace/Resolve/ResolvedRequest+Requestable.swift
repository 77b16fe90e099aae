import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A resolved request is one for OmbiCore like any other: bytes out, bytes in, and every status is an answer.
extension ResolvedRequest: Requestable {
    public typealias RequestBody = Data
    public typealias ResponseBody = Data
    public typealias ResponseError = NoError

    public var fallbackResponse: RequestResponse<Data>? { nil }
    /// `attemptTimeout` is the only limit of an attempt.
    public var timeoutInterval: TimeInterval { .infinity }
}
