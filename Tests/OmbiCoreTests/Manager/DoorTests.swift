import Foundation
import Testing

@testable import OmbiCore

/// The ways to send a request: what each of them takes, gives back and delivers where.
@Suite struct DoorTests {
    typealias Failure = RequestError<HTTPError>

    let clock = ManualClock()

    func manager(_ steps: ScriptedTransport.Step = .status(200, [:], "ok")) -> RequestManager {
        RequestManager(host: "http://stub.test", transport: ScriptedTransport(steps), clock: clock)
    }

    // MARK: Limits

    @Test func `without an SLA no timer is set`() async throws {
        let manager = manager(.silence)
        let tasks = [
            manager.send(TextRequest(), sla: nil), manager.send(TextRequest(), sla: .infinity),
            manager.send(TextRequest(), retry: .never, sla: nil),
            manager.send(
                TextRequest(), sla: ImmediateScheduler.SchedulerTimeType.Stride(2), on: ImmediateScheduler.shared),
        ]
        #expect(clock.timerCount == 0)
        for task in tasks { task.cancel() }
        let report = try #require(await tasks[0].report)
        #expect(report.sla == nil)
    }

    @Test func `every async door takes an SLA in seconds`() async throws {
        let (manager, request) = (manager(.silence), TextRequest())
        let erased: any Requestable = request
        let folder = try DownloadTests.Folder()
        let doors: [@Sendable () async throws -> Void] = [
            { _ = try await manager.response(for: request, sla: 0) },
            { _ = try await manager.response(for: request, retries: 1, sla: 0) },
            { _ = try await manager.response(for: request, retry: .never, sla: 0) },
            { _ = try await manager.response(for: erased, sla: 0) },
            { _ = try await manager.value(for: request, sla: 0) },
            { _ = try await manager.value(for: request, retries: 1, sla: 0) },
            { _ = try await manager.value(for: request, retry: .never, sla: 0) },
            { _ = try await manager.stream(request, sla: 0) },
            { _ = try await manager.download(request, to: folder.path, sla: 0) },
            { _ = try await manager.send(erased, sla: 0).report.map { _ in throw Failure.slaExceeded() } },
        ]
        for door in doors {
            do {
                try await door()
                Issue.record("no error")
            } catch {
                #expect(error as? Failure == .slaExceeded())
            }
        }
    }

    /// Each form of a limit is taken by every door; 2 s is what it means.
    @Test func `every door takes every form of a limit`() async {
        let manager = manager(.silence)
        let queue = DispatchQueue(label: "test")
        let stride: DispatchQueue.SchedulerTimeType.Stride = .seconds(2)
        let tasks = [
            manager.send(TextRequest(), sla: 2), manager.send(TextRequest(), sla: 2.0),
            manager.send(TextRequest(), sla: .seconds(2)), manager.send(TextRequest(), sla: Duration.seconds(2)),
            manager.send(TextRequest(), sla: 2, on: queue), manager.send(TextRequest(), sla: .seconds(2), on: queue),
            manager.send(TextRequest(), sla: stride, on: queue),
            manager.send(TextRequest(), sla: .seconds(2), on: .main),
            manager.send(TextRequest(), retry: .never, sla: .seconds(2)),
            manager.send(TextRequest(), retry: .never, sla: .milliseconds(2000), on: queue),
            manager.send(TextRequest(), retry: .never, sla: .seconds(2), on: .main),
        ]
        let inSeconds: [RequestTask<TextRequest>] = [
            manager.send(TextRequest(), retry: .never, sla: 2), manager.send(TextRequest(), sla: 2, on: .main),
            manager.send(TextRequest(), retry: .never, sla: 2, on: queue),
            manager.send(TextRequest(), retry: .never, sla: 2, on: .main),
        ]
        let withEvents = manager.send(TextRequest(), sla: 2, handler: { _ in }, onEvent: { _ in })
        let allTasks = tasks + inSeconds + [withEvents]
        let publishers = [
            manager.makeRequest(TextRequest(), sla: 2), manager.makeRequest(TextRequest(), sla: .seconds(2)),
            manager.makeRequest(TextRequest(), sla: 2, on: queue),
            manager.makeRequest(TextRequest(), sla: .seconds(2), on: queue),
            manager.makeRequest(TextRequest(), sla: stride, on: queue),
            manager.makeRequest(TextRequest(), retry: .never, sla: .seconds(2)),
            manager.makeRequest(TextRequest(), retry: .never, sla: .seconds(2), on: queue),
        ]
        let publishersInSeconds: [AnyPublisher<RequestResponse<String>, Failure>] = [
            manager.makeRequest(TextRequest(), retry: .never, sla: 2),
            manager.makeRequest(TextRequest(), retry: .never, sla: 2, on: queue),
        ]
        let ended = Counter()
        let allPublishers = publishers + publishersInSeconds
        let subscriptions = allPublishers.map {
            $0.sink(receiveCompletion: { @Sendable _ in _ = ended.next() }, receiveValue: { @Sendable _ in })
        }
        clock.advance(by: .milliseconds(1999))
        #expect(manager.runningRequests.count == allTasks.count + allPublishers.count)
        clock.advance(by: .milliseconds(1))
        #expect(await eventually { manager.runningRequests.isEmpty && ended.value == allPublishers.count })
        for task in allTasks { #expect(await task.report?.outcome == .slaExceeded) }
        withExtendedLifetime(subscriptions) {}
    }

    @Test func `an immediate scheduler has a limit where one is given`() async {
        let manager = manager(.silence)
        let task = manager.send(TextRequest(), sla: .seconds(2), on: ImmediateScheduler.shared)
        clock.advance(by: .seconds(2))
        #expect(await task.report?.outcome == .slaExceeded)
    }

    // MARK: Async

    /// The error needs no cast: the compiler knows its type.
    @Test func `the async door throws the error of the request`() async {
        do {
            _ = try await manager(.status(404)).response(for: TextRequest())
            Issue.record("404 passed")
        } catch {
            let failure: RequestError<HTTPError> = error
            #expect(failure == .validationError(.notFound))
        }
    }

    @Test func `a value is the body`() async throws {
        #expect(try await manager().value(for: TextRequest()) == "ok")
        #expect(try await manager().value(for: TextRequest(), retry: .never, sla: nil) == "ok")
        #expect(try await manager().value(for: ComposableRequest<NoBody, NoBody, HTTPError>()) == NoBody())
    }

    @Test func `no body is no value`() async {
        let request = ComposableRequest<NoBody, [Int], HTTPError>()
        do {
            _ = try await manager(.status(204, ["X-A": "1"])).value(for: request)
            Issue.record("nothing passed for a list")
        } catch {
            #expect(error == .decodingError(MissingBody()))
            #expect(error.description == "the response could not be decoded: the response has no body")
            #expect(error.response?.statusCode == 204 && error.response?["X-A"] == "1")
        }
    }

    // MARK: Handles

    @Test func `a result is awaited by anyone as often as they like`() async throws {
        let transport = HeldTransport()
        let manager = RequestManager(host: "http://stub.test", transport: transport, clock: clock)
        let task = manager.send(TextRequest())
        let waiting = (0..<3).map { _ in Task { try await task.response.body } }
        let value = Task { try await task.value }
        transport.answer(attempt: 1, "x")
        for waiting in waiting { #expect(try await waiting.value == "x") }
        #expect(try await value.value == "x")
        #expect(try await task.value == "x")
        #expect(try await task.response.statusCode == 200)
    }

    @Test func `a handle throws the error of the request`() async {
        let task = manager(.status(500)).send(TextRequest(), retries: 1)
        do {
            _ = try await task.response
            Issue.record("500 passed")
        } catch {
            let failure: Failure = error
            #expect(failure == .validationError(.serverError))
        }
        await #expect(throws: Failure.validationError(.serverError)) { try await task.value }
        #expect(await task.report?.attempts.count == 2)
    }

    @Test func `who stops waiting does not end the run`() async throws {
        let transport = HeldTransport()
        let manager = RequestManager(host: "http://stub.test", transport: transport, clock: clock)
        let task = manager.send(TextRequest())
        let waiting = Task { try await task.response }
        waiting.cancel()
        await #expect(throws: Failure.cancelled) { try await waiting.value }
        transport.answer(attempt: 1, "x")
        #expect(try await task.value == "x")
    }

    @Test func `a handle in a set of cancellables ends its run with the set`() async {
        let task = manager(.silence).send(TextRequest())
        var kept: Set<AnyCancellable> = []
        task.store(in: &kept)
        kept = []
        #expect(await task.report?.outcome == .cancelled)
    }

    // MARK: Where closures are called

    @Test func `a manager has a queue for its callbacks`() async {
        let queue = DispatchQueue(label: "test.callbacks")
        let manager = manager()
        manager.callbackQueue = queue
        let transcript = Transcript()
        manager.send(TextRequest()) { _ in
            dispatchPrecondition(condition: .onQueue(queue))
            transcript.end("handler")
        }
        #expect(await transcript.lines == ["handler"])
        let published = Transcript()
        let cancellable = manager.makeRequest(TextRequest()).sink(
            receiveCompletion: { @Sendable _ in
                dispatchPrecondition(condition: .onQueue(queue))
                published.end("end")
            }, receiveValue: { @Sendable _ in dispatchPrecondition(condition: .onQueue(queue)) })
        #expect(await published.lines == ["end"])
        cancellable.cancel()
    }

    @Test func `the queue of the call wins over that of the manager`() async {
        let queue = DispatchQueue(label: "test.call")
        let manager = manager()
        manager.callbackQueue = DispatchQueue(label: "test.manager")
        let transcript = Transcript()
        manager.send(TextRequest(), on: queue) { _ in
            dispatchPrecondition(condition: .onQueue(queue))
            transcript.end("handler")
        }
        #expect(await transcript.lines == ["handler"])
    }

    /// Schedulers that keep no order by themselves.
    @Test(arguments: ["concurrent queue", "operation queue", "immediate", "own"])
    func `events come in order and before the result`(scheduler: String) async {
        let manager = manager(.status(503))
        let transcript = Transcript()
        let policy = RetryPolicy(retries: 20)
        let onEvent: @Sendable (RequestEvent) -> Void = { event in
            if case .attemptFinished(let report) = event { transcript.add("\(report.number)") }
            if case .finished = event { transcript.add("finished") }
        }
        let handler: @Sendable (Result<RequestResponse<String>, Failure>) -> Void = { _ in transcript.end("result") }
        switch scheduler {
        case "concurrent queue":
            manager.send(
                TextRequest(), retry: policy, on: DispatchQueue.global(), handler: handler, onEvent: onEvent)
        case "operation queue":
            manager.send(TextRequest(), retry: policy, on: OperationQueue(), handler: handler, onEvent: onEvent)
        case "immediate":
            manager.send(
                TextRequest(), retry: policy, on: ImmediateScheduler.shared, handler: handler, onEvent: onEvent)
        default: manager.send(TextRequest(), retry: policy, handler: handler, onEvent: onEvent)
        }
        #expect(await transcript.lines == (1...21).map { "\($0)" } + ["finished", "result"])
    }

    /// State of the main actor, set by closures without a hop of their own.
    @MainActor final class Screen {
        var text = ""
        var events = 0
        let ended = Transcript()

        func load(with manager: RequestManager) {
            manager.send(TextRequest(), on: .main) { result in
                self.text = (try? result.get().body) ?? "?"
            } onEvent: { _ in
                self.events += 1
            }
        }

        func loadWithPolicy(_ manager: RequestManager) {
            manager.send(TextRequest(), retry: .never, on: .main) { result in
                self.text += (try? result.get().body) ?? "?"
                self.ended.end("ended")
            }
        }
    }

    @Test @MainActor func `code of the main actor is called on the main queue`() async {
        let screen = Screen()
        let manager = manager()
        screen.load(with: manager)
        while screen.text.isEmpty { await Task.yield() }
        #expect(screen.text == "ok" && screen.events > 0)
        screen.loadWithPolicy(manager)
        _ = await screen.ended.lines
        #expect(screen.text == "okok")
    }

    // MARK: What runs

    @Test func `a manager lists what runs`() async {
        let manager = manager(.silence)
        #expect(manager.runningRequests.isEmpty)
        let first = manager.send(TextRequest(path: "/1"))
        clock.advance(by: .seconds(1))
        let second = manager.send(AnyRequestable(TextRequest(path: "/2")))
        let running = manager.runningRequests
        #expect(running.map { ($0.request as? TextRequest)?.path } == ["/1", "/2"])
        #expect(running.map(\.attempt) == [1, 1])
        #expect(running.map(\.duration) == [.seconds(1), .zero])
        running[0].cancel()
        #expect(await first.report?.outcome == .cancelled)
        #expect(manager.runningRequests.map { ($0.request as? TextRequest)?.path } == ["/2"])
        second.cancel()
        #expect(await eventually { manager.runningRequests.isEmpty })
    }

    @Test func `a wrapped request is found by its own type`() async {
        let manager = manager(.silence)
        let wrapped = manager.send(AnyRequestable(AnyRequestable(TextRequest(path: "/a"))))
        let other = manager.send(AnyRequestable(TextRequest(path: "/b")))
        manager.cancelRequests(with: TextRequest.self) { $0.path == "/a" }
        #expect(await wrapped.report?.outcome == .cancelled)
        #expect(manager.runningRequests.count == 1)
        manager.cancelRequests(with: AnyRequestable<NoBody, String, HTTPError>.self)
        #expect(await other.report?.outcome == .cancelled)
    }

    @Test func `requests of several types are sent together`() async {
        let manager = manager(.status(200, [:], "7"))
        let requests: [any Requestable] = [
            TextRequest(), PlainRequest(), ComposableRequest<NoBody, Int, HTTPError>(),
            ComposableRequest<NoBody, [Int], HTTPError>(),
        ]
        let bodies = Lock<[Int: String]>([:])
        let handles = requests.enumerated().map { index, request in
            manager.send(request) { result in
                bodies.withLock { bodies in
                    switch result {
                    case .success(let response): bodies[index] = "\(response.body ?? "none")"
                    case .failure(let error): bodies[index] = "\(type(of: error))"
                    }
                }
            }
        }
        for handle in handles { #expect(await handle.report?.attempts.count == 1) }
        #expect(await eventually { bodies.withLock { $0.count } == 4 })
        #expect(bodies.withLock { $0 } == [0: "7", 1: "1 bytes", 2: "7", 3: "RequestError<HTTPError>"])
    }
}
