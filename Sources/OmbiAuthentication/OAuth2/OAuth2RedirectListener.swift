#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A listener on 127.0.0.1 for the redirect of an authorization request (RFC 8252 §7.3).
///
/// It accepts one redirect. Requests with another path or state are refused without ending the wait.
public final class OAuth2RedirectListener: Sendable {
    private typealias Waiter = CheckedContinuation<Result<String, OAuth2Error>, Never>

    private struct State {
        var request: OAuth2AuthorizationRequest?
        var waiter: Waiter?
        var hasEnded = false
    }

    /// The redirect address: "http://127.0.0.1:49152/callback".
    public let redirectURI: String
    private let path: String
    private let server: LoopbackListener
    private let state = Lock(State())

    /// Starts listening.
    /// - Parameters:
    ///   - port: The port; 0 picks a free one.
    ///   - path: The path, with a leading slash.
    public init(port: Int = 0, path: String = "/callback") throws(OAuth2Error) {
        self.path = path
        server = try LoopbackListener(port: port)
        redirectURI = "http://127.0.0.1:\(server.port)\(path)"
    }

    deinit { server.stop() }

    /// Waits for the redirect and returns its address. Can be called once.
    /// - Parameters:
    ///   - request: The authorization request, made with `redirectURI`.
    ///   - timeout: The time to wait.
    ///   - clock: The clock of the timeout.
    public func redirect(
        for request: OAuth2AuthorizationRequest, timeout: Duration = .seconds(300),
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws(OAuth2Error) -> String {
        let timer = Task { [weak self] in
            do { try await clock.sleep(for: timeout) } catch { return }
            self?.end(.failure(OAuth2Error(.expired)))
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in wait(waiter, request) }
        } onCancel: {
            end(.failure(OAuth2Error(.cancelled)))
        }
        return try result.get()
    }

    private func wait(_ waiter: Waiter, _ request: OAuth2AuthorizationRequest) {
        let isWaiting = state.withLock { state in
            guard !state.hasEnded, state.request == nil else { return false }
            state.request = request
            state.waiter = waiter
            return true
        }
        guard isWaiting else { return waiter.resume(returning: .failure(OAuth2Error(.cancelled))) }
        server.start { [weak self] in self?.answer($0) ?? .refused }
    }

    private func answer(_ target: String) -> LoopbackReply {
        guard target.prefix(while: { $0 != "?" }) == path else { return .notFound }
        guard state.withLock({ $0.request })?.matches(target) == true else { return .refused }
        end(.success("http://127.0.0.1:\(server.port)\(target)"))
        return .done
    }

    private func end(_ result: Result<String, OAuth2Error>) {
        let waiter = state.withLock { state in
            state.hasEnded = true
            defer { state.waiter = nil }
            return state.waiter
        }
        server.stop()
        waiter?.resume(returning: result)
    }
}
