#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a run is about: the part of it that knows the types of the request. The engine itself knows none, so that it is
/// compiled once, and well.
protocol RunWork: Sendable {
    var anyRequestable: any Requestable { get }
    var uploadProgress: (@Sendable (TransferProgress) -> Void)? { get }
    var downloadProgress: (@Sendable (TransferProgress) -> Void)? { get }

    func build() throws -> TransportRequest
    /// Decodes, then validates.
    func evaluate(_ response: TransportResponse, to method: RequestMethod) -> RunResult
    /// The fallback response, validated; nil when there is none.
    func fallBack() -> RunResult?
    /// The sentence for people.
    func words(_ failure: RunFailure) -> String
    /// Called once, at the end of the run.
    func finish(_ result: RunResult)
}

/// What a run comes to. Stays on one thread.
enum RunResult {
    /// The `RequestResponse` of the request.
    case response(Any)
    case failure(RunFailure)
}

/// A `RequestError` without the type of the request in it.
enum RunFailure {
    case malformed(any Error)
    case connection(TransportError)
    case timedOut(TransportError)
    case slaExceeded(SLAExceeded)
    case cancelled
    case unknown
    /// By the decoder or the validator, as the `RequestError` of the request.
    case rejected(any Error, RequestStage)
}

extension RequestError {
    init(_ failure: RunFailure) {
        switch failure {
        case .malformed(let error): self = error as? Self ?? .malformedRequest(error)
        case .connection(let error): self = .connectionError(error)
        case .timedOut(let error): self = .timedOut(error)
        case .slaExceeded(let details): self = .slaExceeded(details)
        case .cancelled: self = .cancelled
        case .unknown: self = .unknownError
        case .rejected(let error, _): self = error as? Self ?? .unknownError
        }
    }
}
