import Foundation
import Testing

@testable import OmbiCore

/// Code of others that comes back while it is called or let go: it finds no lock held.
@Suite struct ForeignCodeTests {
    /// Does something when it goes.
    final class Farewell: Sendable {
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        deinit { body() }
    }

    /// Whether `body` comes to its end; it runs on a thread of its own, which is left behind where it does not.
    static func returns(_ body: @escaping @Sendable () -> Void) async -> Bool {
        let hasReturned = Lock(false)
        Thread.detachNewThread {
            body()
            hasReturned.withLock { $0 = true }
        }
        return await eventually { hasReturned.withLock { $0 } }
    }

    @Test func `what a setting lets go may read the settings`() async {
        let manager = RequestManager(host: "http://stub.test", transport: ScriptedTransport(.silence))
        manager.requestInterceptors = [Self.interceptor { _ = manager.additionalHeaders }]
        #expect(await Self.returns { manager.requestInterceptors = [] })
    }

    private static func interceptor(_ atEnd: @escaping @Sendable () -> Void) -> RequestInterceptor {
        let farewell = Farewell(atEnd)
        return RequestInterceptor { request in withExtendedLifetime(farewell) { request } }
    }

    /// A handle that may be used before it is there.
    final class Handle: Sendable {
        private let task = Lock<(any RequestHandle)?>(nil)

        func set(_ task: any RequestHandle) { self.task.withLock { $0 = task } }
        func use() { task.withLock { $0 }?.skipWait() }
    }

    /// Answers when the test says so, with attempts that use the handle of the run when they go.
    final class Clinging: Transport {
        let handle: Handle
        private let attempts = Lock<[@Sendable (TransportEvent) -> Void]>([])

        init(_ handle: Handle) { self.handle = handle }

        final class Attempt: TransportTask {
            let farewell: Farewell
            init(_ farewell: Farewell) { self.farewell = farewell }
            func cancel() {}
        }

        func start(
            _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
        ) -> any TransportTask {
            attempts.withLock { $0.append(onEvent) }
            return Attempt(Farewell { [handle] in handle.use() })
        }

        func answer(_ status: Int) {
            let onEvent = attempts.withLock { $0.removeLast() }
            onEvent(.finished(TransportResponse(statusCode: status, body: Data()), TransportMetrics()))
        }
    }

    @Test(arguments: [200, 503]) func `an attempt that is let go may use the handle`(status: Int) async {
        let handle = Handle()
        let ended = Lock(false)
        let clock = ManualClock()
        let transport = Clinging(handle)
        let manager = RequestManager(host: "http://stub.test", transport: transport, clock: clock)
        let policy = RetryPolicy(retries: 2, backoff: .constant(.seconds(1)))
        handle.set(manager.send(TextRequest(), retry: policy) { _ in ended.withLock { $0 = true } })
        #expect(
            await Self.returns {
                for _ in 0..<(status == 200 ? 1 : 3) {
                    transport.answer(status)
                    clock.advance(by: .seconds(1))
                }
            })
        #expect(await eventually { ended.withLock { $0 } })
    }

    /// An error that uses the handle when it is described, and when it goes.
    final class Cause: Error, CustomStringConvertible {
        let handle: Handle
        init(_ handle: Handle) { self.handle = handle }
        deinit { handle.use() }

        var description: String {
            handle.use()
            return "no"
        }
    }

    @Test func `the error of an attempt may use the handle`() async {
        let handle = Handle()
        let ended = Lock(false)
        let clock = ManualClock()
        let transport = Clinging(handle)
        let request = ComposableRequest<NoBody, String, HTTPError>().decodeBody { _ in throw Cause(handle) }
        let manager = RequestManager(host: "http://stub.test", transport: transport, clock: clock)
        let policy = RetryPolicy(retries: 2, failures: [.decoding], backoff: .constant(.seconds(1)))
        handle.set(manager.send(request, retry: policy) { _ in ended.withLock { $0 = true } })
        #expect(
            await Self.returns {
                for _ in 0..<3 {
                    transport.answer(200)
                    clock.advance(by: .seconds(1))
                }
            })
        #expect(await eventually { ended.withLock { $0 } })
    }

    @Test func `a subscriber that is let go may cancel its subscription`() async {
        let manager = RequestManager(host: "http://stub.test", transport: ScriptedTransport(.silence))
        let task = manager.send(TextRequest(), retry: .never) { _ in }
        let subscription = Lock<(any Subscription)?>(nil)
        task.eventPublisher.subscribe(Self.subscriber(subscription))
        #expect(await Self.returns { subscription.withLock { $0 }?.cancel() })
        task.cancel()
    }
    /// Cancels its subscription when it goes, and asks for nothing.
    private static func subscriber(_ subscription: Lock<(any Subscription)?>) -> AnySubscriber<RequestEvent, Never> {
        let farewell = Farewell { subscription.withLock { $0 }?.cancel() }
        return AnySubscriber(
            receiveSubscription: { received in subscription.withLock { $0 = received } },
            receiveValue: { _ in withExtendedLifetime(farewell) { .none } })
    }
}
