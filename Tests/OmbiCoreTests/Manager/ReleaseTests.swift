import Foundation
import Testing

@testable import OmbiCore

/// What stays alive after a run has ended: nothing, whichever door it came through, also where its handle is kept.
@Suite struct ReleaseTests {
    enum Door: CaseIterable {
        case publisher, callback, policy, asynchronous
    }

    enum Ending: CaseIterable {
        case value, error, cancel, sla, fallback

        var transport: ScriptedTransport {
            switch self {
            case .value: ScriptedTransport(.status(200, [:], "ok"))
            case .error, .fallback: ScriptedTransport(.error(.connectionLost))
            case .cancel, .sla: ScriptedTransport(.silence)
            }
        }
    }

    /// A request that holds an object.
    struct Holding: Requestable {
        typealias ResponseBody = String
        typealias ResponseError = HTTPError
        let token: LiveCount.Token
        let path = "/"
        let method = RequestMethod.get
        var fallbackResponse: RequestResponse<String>?
    }

    let clock = ManualClock()
    let tokens = LiveCount()

    @Test(arguments: Door.allCases, Ending.allCases)
    func `nothing outlives its run`(door: Door, ending: Ending) async {
        weak var manager: RequestManager?
        weak var transport: ScriptedTransport?
        var handle: Any?
        do {
            let ownTransport = ending.transport
            let own = RequestManager(host: "http://stub.test", transport: ownTransport, clock: clock)
            (manager, transport) = (own, ownTransport)
            let request = Holding(
                token: tokens.token(), fallbackResponse: ending == .fallback ? RequestResponse(statusCode: 200) : nil)
            handle = await run(request, own, door, ending)
        }
        #expect(await eventually { tokens.value == 0 }, "\(tokens.value) objects are alive")
        #expect(await eventually { manager == nil }, "the manager is alive")
        #expect(await eventually { transport == nil }, "the transport is alive")
        #expect(clock.timerCount == 0)
        withExtendedLifetime(handle) {}
    }

    /// Sends, waits for the end, and gives the handle.
    private func run(_ request: Holding, _ manager: RequestManager, _ door: Door, _ ending: Ending) async -> Any? {
        let token = tokens.token()
        let ended = Transcript()
        let handler: @Sendable (Result<RequestResponse<String>, RequestError<HTTPError>>) -> Void = { _ in
            withExtendedLifetime(token) { ended.end("ended") }
        }
        let sla = 2.0
        switch door {
        case .publisher:
            let cancellable = manager.makeRequest(request, sla: sla).sink(
                receiveCompletion: { @Sendable _ in withExtendedLifetime(token) { ended.end("ended") } },
                receiveValue: { @Sendable _ in })
            intervene(ending) { cancellable.cancel() }
            if ending != .cancel { _ = await ended.lines }
            return cancellable
        case .callback:
            let cancellable = manager.send(request, sla: sla, handler: handler)
            intervene(ending) { cancellable.cancel() }
            _ = await ended.lines
            return cancellable
        case .policy:
            let task = manager.send(request, retry: .never, sla: .seconds(sla), handler: handler)
            intervene(ending) { task.cancel() }
            _ = await ended.lines
            return task
        case .asynchronous:
            let task = Task {
                do {
                    handler(.success(try await manager.response(for: request, sla: sla)))
                } catch {
                    handler(.failure(error as? RequestError<HTTPError> ?? .unknownError))
                }
            }
            while clock.timerCount == 0, ending == .cancel || ending == .sla { await Task.yield() }
            intervene(ending) { task.cancel() }
            await task.value
            return nil
        }
    }

    private func intervene(_ ending: Ending, cancel: () -> Void) {
        switch ending {
        case .cancel: cancel()
        case .sla: clock.advance(by: .seconds(2))
        case .value, .error, .fallback: break
        }
    }

    /// An object that keeps the handle of a run whose handler keeps the object.
    final class Owner: Sendable {
        let handle = Lock<[Any]>([])
    }

    @Test(arguments: [true, false]) func `a handler may keep the object that keeps its handle`(hasPolicy: Bool) async {
        weak var owner: Owner?
        do {
            let own = Owner()
            owner = own
            let manager = RequestManager(host: "http://stub.test", transport: ScriptedTransport(.status(200)))
            let ended = Transcript()
            if hasPolicy {
                let task = manager.send(PlainRequest(), retry: .never) { _ in
                    withExtendedLifetime(own) { ended.end("ended") }
                }
                own.handle.withLock { $0.append(task) }
            } else {
                let cancellable = manager.send(PlainRequest()) { _ in
                    withExtendedLifetime(own) { ended.end("ended") }
                }
                own.handle.withLock { $0.append(cancellable) }
            }
            _ = await ended.lines
        }
        #expect(await eventually { owner == nil }, "the handle keeps its owner alive")
    }

    /// Sends them one after the other, and keeps every subscription.
    @Test func `thousands of publisher requests leave nothing`() async {
        weak var manager: RequestManager?
        var kept: [AnyCancellable] = []
        do {
            let own = RequestManager(
                host: "http://stub.test", transport: StubTransport.stubResponse(statusCode: 200, data: Data("ok".utf8)))
            manager = own
            for _ in 0..<5000 {
                let publisher = own.makeRequest(Holding(token: tokens.token()))
                await withCheckedContinuation { continuation in
                    kept.append(
                        publisher.sink(
                            receiveCompletion: { @Sendable _ in continuation.resume() },
                            receiveValue: { @Sendable _ in }))
                }
            }
        }
        #expect(await eventually { tokens.value == 0 }, "\(tokens.value) requests are alive")
        #expect(await eventually { manager == nil }, "the manager is alive")
        withExtendedLifetime(kept) {}
    }
}
