#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request whose response is not decoded: the bytes are its body. All other members are those of the base request.
struct StreamedRequest<Base: Requestable>: Requestable, RequestWrapper {
    typealias RequestBody = Base.RequestBody
    typealias ResponseBody = Data
    typealias ResponseError = Base.ResponseError

    let base: Base
    /// Headers that replace those of the request.
    var addedHeaders: RequestHeaders = [:]
    /// Returns true for responses accepted regardless of the request's validator.
    var passes: @Sendable (TransportResponse) -> Bool = { _ in false }
    /// Replaces the decoder: throws for an invalid response that the validator accepts.
    var check: @Sendable (TransportResponse) throws -> Void = { _ in }
    var downloadProgress: (@Sendable (TransferProgress) -> Void)?
    var wrappedRequest: any Requestable { base }

    var path: String { base.path }
    var method: RequestMethod { base.method }
    var query: [URLQueryItem] { get throws { try base._query } }
    var headers: RequestHeaders { get throws { try base._headers.merging(addedHeaders) } }
    var body: RequestBody? { nil }
    var bodyStream: BodyStream? { get throws { try base._bodyStream } }
    var authentication: RequestAuthentication? { get throws { try base._authentication } }
    var authenticator: (any Authenticator)? { base._authenticator }
    var requestEncoder: BodyEncoder<RequestBody> { base._requestEncoder }
    var responseDecoder: BodyDecoder<Data> {
        .response { [check] response in
            try check(response)
            return response.body
        }
    }
    var timeoutInterval: TimeInterval { base._timeoutInterval }
    var attemptTimeout: Duration? { base._attemptTimeout }
    var requestInterceptor: RequestInterceptor { base._requestInterceptor }
    var uploadProgress: (@Sendable (TransferProgress) -> Void)? { base._uploadProgress }
    /// Lets the compiler infer `RequestBody`.
    var _requestEncoder: BodyEncoder<RequestBody> { base._requestEncoder }
    var _encodedBody: EncodedBody? { get throws { try base._encodedBody } }

    /// The part of the validator that needs no decoded body.
    var responseValidator: ResponseValidator<Data, ResponseError> {
        let validator = base._responseValidator
        return ResponseValidator(beforeDecoding: { [passes] in passes($0) ? nil : validator.refusal(of: $0) })
    }
}

/// A stream as listed by its manager: the run until the head arrives, and then the body.
final class StreamedRun: Running {
    private enum Phase {
        case running(any Requestable)
        case flowing(any Requestable, PieceBuffer)
        case ended
    }

    private struct State {
        var phase: Phase
        var isCancelled = false
    }

    let run: RequestRun
    private let state: Lock<State>

    init(_ run: RequestRun, of request: any Requestable) {
        self.run = run
        state = Lock(State(phase: .running(request)))
    }

    var progress: (attempt: Int, duration: Duration) { run.progress }

    var requestable: (any Requestable)? {
        switch state.withLock({ $0.phase }) {
        case .running(let request), .flowing(let request, _): request
        case .ended: nil
        }
    }

    func cancel() {
        let phase = state.withLock { state in
            state.isCancelled = true
            return state.phase
        }
        run.cancel()
        if case .flowing(_, let pieces) = phase { pieces.cancel() }
    }

    /// Continues with the body until it has been read or cancelled.
    func follow(_ pieces: PieceBuffer, atEnd: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if case .running(let request) = state.phase { state.phase = .flowing(request, pieces) }
            return state.isCancelled
        }
        if isCancelled { pieces.cancel() }
        pieces.whenOver {
            let before = self.state.withLock { state in
                defer { state.phase = .ended }
                return state.phase
            }
            withExtendedLifetime(before) {}
            atEnd()
        }
    }
}
