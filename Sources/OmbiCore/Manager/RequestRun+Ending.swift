#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The end of a run: exactly once, with the last thing that was learned or with the fallback response.
extension RequestRun {
    /// What the end is made of, taken out of the state: whoever still holds the handle of the run must not hold the
    /// bodies with it.
    struct Ending {
        var result: LastResult
        var fallback: T.Response?
        var attempts: [AttemptReport]
        var request: TransportRequest?

        enum LastResult {
            case known(Outcome)
            /// A response whose status was to be retried, and that is decoded and validated after all.
            case response(TransportResponse, of: TransportRequest)
        }
    }

    func end(_ state: inout State, _ result: Outcome) -> Step { end(&state, .known(result)) }

    func endWithLastAttempt(_ state: inout State) -> Step {
        switch (state.lastAttempt, state.request) {
        case (.response(let response), let request?): end(&state, .response(response, of: request))
        case (.failure(let error), _): end(&state, .known(.failure(error)))
        default: end(&state, .known(.failure(.unknownError)))
        }
    }

    private func end(_ state: inout State, _ result: Ending.LastResult) -> Step {
        guard !state.hasEnded else { return .none }
        state.hasEnded = true
        endWait(&state)
        state.slaTimer?.cancel()
        let ending = Ending(
            result: result, fallback: state.callFallback, attempts: state.attempts, request: state.request)
        state.slaTimer = nil
        state.attempts = []
        state.request = nil
        state.lastAttempt = nil
        state.callFallback = nil
        return .end(ending)
    }

    func finish(_ ending: Ending) {
        let last: Outcome =
            switch ending.result {
            case .known(let result): result
            case .response(let response, let request): evaluate(response, of: request)
            }
        let (outcome, result) = fallBack(last, ending)
        emit(
            .finished(
                RequestReport(
                    attempts: ending.attempts, duration: now, sla: plan.sla, outcome: outcome,
                    request: ending.request)))
        handler(result)
    }

    /// A failure gives way to the fallback response, if there is one that passes the validator.
    private func fallBack(_ result: Outcome, _ ending: Ending) -> (RequestReport.Outcome, Outcome) {
        guard case .failure(let error) = result else { return (.succeeded, result) }
        plan.log?.failure(error.description)
        if case .cancelled = error { return (.cancelled, result) }
        guard let fallback = requestable.fallbackResponse ?? ending.fallback else {
            return (reportOutcome(error, ending.attempts), result)
        }
        emit(.fallbackUsed(at: now))
        plan.log?.failure("using the fallback response")
        let validated = validate(fallback)
        guard case .failure(let error) = validated else { return (.fallback, validated) }
        return (.failed(error.description), validated)
    }

    private func reportOutcome(_ error: T.Failure, _ attempts: [AttemptReport]) -> RequestReport.Outcome {
        switch error {
        case .slaExceeded: return .slaExceeded
        case .timedOut:
            guard case .failed(_, let sentence) = attempts.last?.outcome else { return .failed(error.description) }
            return .failed(sentence)
        default: return .failed(error.description)
        }
    }
}

// Decoding comes before validation.
extension RequestRun {
    func evaluate(_ response: TransportResponse, of request: TransportRequest) -> Outcome {
        do {
            let body = try requestable.responseDecoder.decode(data(of: response, to: request.method))
            return validate(
                T.Response(url: response.url, headers: response.headers, statusCode: response.statusCode, body: body))
        } catch {
            return .failure(error as? T.Failure ?? .decodingError(error))
        }
    }

    private func validate(_ response: T.Response) -> Outcome {
        requestable.responseValidator.validate(response).mapError { .validationError($0) }
    }

    /// nil where HTTP allows no body, so that a decoder need not make something of nothing.
    private func data(of response: TransportResponse, to method: RequestMethod) -> Data? {
        guard response.body?.isEmpty ?? true else { return response.body }
        let bodiless = method == .head || [204, 205, 304].contains(response.statusCode ?? 0)
        return bodiless ? nil : response.body
    }
}
