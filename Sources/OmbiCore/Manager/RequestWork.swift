#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The work of a run for one type of request.
final class RequestWork<T: Requestable>: RunWork {
    typealias Outcome = Result<T.Response, T.Failure>

    private let requestable: T
    private let make: @Sendable () throws -> TransportRequest
    /// Of the call; the request's own wins.
    private let fallback: Lock<T.Response?>
    private let handler: @Sendable (Outcome) -> Void

    init(
        _ requestable: T, fallback: T.Response?, make: @escaping @Sendable () throws -> TransportRequest,
        handler: @escaping @Sendable (Outcome) -> Void
    ) {
        self.requestable = requestable
        self.make = make
        self.fallback = Lock(fallback)
        self.handler = handler
    }

    var anyRequestable: any Requestable { requestable }
    var uploadProgress: (@Sendable (TransferProgress) -> Void)? { requestable._uploadProgress }
    var downloadProgress: (@Sendable (TransferProgress) -> Void)? { requestable._downloadProgress }

    func build() throws -> TransportRequest { try make() }

    func evaluate(_ response: TransportResponse, to method: RequestMethod) -> RunResult {
        do {
            let body = try requestable._responseDecoder.decode(data(of: response, to: method))
            return validate(
                T.Response(url: response.url, headers: response.headers, statusCode: response.statusCode, body: body))
        } catch {
            return rejected(error as? T.Failure ?? .decodingError(error))
        }
    }

    func fallBack() -> RunResult? {
        (requestable._fallbackResponse ?? fallback.withLock { $0 }).map(validate)
    }

    func words(_ failure: RunFailure) -> String { T.Failure(failure).description }

    func finish(_ result: RunResult) {
        switch result {
        case .response(let response):
            if let response = response as? T.Response { handler(.success(response)) }
        case .failure(let failure): handler(.failure(T.Failure(failure)))
        }
    }

    private func validate(_ response: T.Response) -> RunResult {
        switch requestable._responseValidator.validate(response) {
        case .success(let response): .response(response)
        case .failure(let error): rejected(.validationError(error))
        }
    }

    private func rejected(_ error: T.Failure) -> RunResult { .failure(.rejected(error, error.stage)) }

    /// nil where HTTP allows no body, so that a decoder need not make something of nothing.
    private func data(of response: TransportResponse, to method: RequestMethod) -> Data? {
        guard response.body?.isEmpty ?? true else { return response.body }
        let bodiless = method == .head || [204, 205, 304].contains(response.statusCode ?? 0)
        return bodiless ? nil : response.body
    }
}
