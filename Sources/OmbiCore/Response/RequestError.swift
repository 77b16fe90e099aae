#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Why a request has no response to give. `ResponseError` is what the request's own validator may find.
public enum RequestError<ResponseError: Error>: Error {
    /// No URL or no body could be made; the cause says what is wrong.
    case malformedRequest(any Error)
    /// No connection, or it broke before the response was complete.
    case connectionError(TransportError)
    /// An attempt took longer than the request's `timeoutInterval`.
    case timedOut
    /// All attempts and waits together took longer than the SLA.
    case slaExceeded
    case cancelled
    /// The body of the response is not what the decoder expects.
    case decodingError(any Error)
    /// The validator refused the response.
    case validationError(ResponseError)
    case unknownError

    public var stage: RequestStage {
        switch self {
        case .malformedRequest: .creation
        case .connectionError, .timedOut, .slaExceeded, .cancelled, .unknownError: .execution
        case .decodingError: .parsing
        case .validationError: .validation
        }
    }
}

extension RequestError: CustomStringConvertible, LocalizedError {
    public var description: String {
        switch self {
        case .malformedRequest(let cause): "the request could not be made: \(ErrorText.sentence(cause))"
        case .connectionError(let error): error.description
        case .timedOut: "the request timed out"
        case .slaExceeded: "the SLA ended before a response came"
        case .cancelled: "cancelled"
        case .decodingError(let cause): "the response could not be decoded: \(ErrorText.sentence(cause))"
        case .validationError(let error): ErrorText.sentence(error)
        case .unknownError: "the request failed for an unknown reason"
        }
    }

    public var errorDescription: String? { description }
    public var localizedDescription: String { description }
}
