#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Waits on 127.0.0.1 for the browser to come back from a sign-in (RFC 8252 §7.3).
///
/// It answers one address, once; whatever else comes, such as another sign-in's state, is refused and does no harm.
public final class OAuth2RedirectListener: Sendable {
    private typealias Waiter = CheckedContinuation<Result<String, OAuth2Error>, Never>

    private struct State {
        var request: OAuth2AuthorizationRequest?
        var waiter: Waiter?
        var hasEnded = false
    }

    /// What the browser must be sent to: "http://127.0.0.1:49152/callback".
    public let redirectURI: String
    private let path: String
    private let server: LoopbackListener
    private let state = Lock(State())

    /// Begins to listen.
    /// - Parameters:
    ///   - port: 0 takes a free one.
    ///   - path: Begins with a slash.
    public init(port: Int = 0, path: String = "/callback") throws(OAuth2Error) {
        self.path = path
        server = try LoopbackListener(port: port)
        redirectURI = "http://127.0.0.1:\(server.port)\(path)"
    }

    deinit { server.stop() }

    /// The address that the browser was sent to for a sign-in. It can be waited for once.
    /// - Parameters:
    ///   - request: The sign-in. Its `redirectURI` is that of the listener.
    ///   - timeout: How long to wait.
    ///   - clock: What the timeout goes by.
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
