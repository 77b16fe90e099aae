import Foundation
import Testing

@testable import OmbiCore

@Suite struct PublisherTests {
    /// What a publisher gives, as words, once it has ended.
    func words<P: Publisher>(_ publisher: P, _ describe: @escaping @Sendable (P.Output) -> String) async -> [String] {
        let state = Lock<(words: [String], kept: [Box])>(([], []))
        return await withCheckedContinuation { continuation in
            let cancellable = publisher.sink(
                receiveCompletion: { @Sendable completion in
                    let words = state.withLock { state in
                        if case .failure(let error) = completion { state.words.append("failed: \(error)") }
                        return state.words
                    }
                    continuation.resume(returning: words)
                },
                receiveValue: { @Sendable value in
                    let word = describe(value)
                    state.withLock { $0.words.append(word) }
                })
            let box = Box(cancellable)
            state.withLock { $0.kept.append(box) }
        }
    }

    struct Box: @unchecked Sendable {
        let cancellable: AnyCancellable
        init(_ cancellable: AnyCancellable) { self.cancellable = cancellable }
    }

    func manager(
        _ status: Int, _ text: String = "hi", headers: RequestHeaders = [:], _ counter: Counter = Counter()
    ) -> RequestManager {
        RequestManager(
            host: "http://h",
            transport: StubTransport { request in
                _ = counter.next()
                return .success(
                    TransportResponse(url: request.url, headers: headers, statusCode: status, body: Data(text.utf8)))
            })
    }

    @Test func `a publisher is cold and sends for each subscription`() async {
        let counter = Counter()
        let publisher = manager(200, "hi", headers: [:], counter).makeRequest(TextRequest())
        #expect(counter.value == 0)
        #expect(await words(publisher) { $0.body ?? "" } == ["hi"])
        #expect(await words(publisher) { $0.body ?? "" } == ["hi"])
        #expect(counter.value == 2)
    }

    @Test func `a scheduler gets the response`() async {
        let queue = DispatchQueue(label: "test")
        let publisher = manager(200).makeRequest(TextRequest(), retries: 1, sla: .seconds(60), on: queue)
        let onQueue = await words(publisher) { _ in
            dispatchPrecondition(condition: .onQueue(queue))
            return "on the queue"
        }
        #expect(onQueue == ["on the queue"])
    }

    @Test func `an operation queue is a scheduler`() async {
        let queue = OperationQueue()
        queue.name = "responses"
        let publisher = manager(200).makeRequest(TextRequest(), sla: .seconds(60), on: queue)
        #expect(await words(publisher) { _ in OperationQueue.current?.name ?? "none" } == ["responses"])
    }

    @Test func `an operation queue schedules later and again`() async {
        let queue = OperationQueue()
        let ticks = Counter()
        let again = Counter()
        let kept = Lock<[Box]>([])
        await withCheckedContinuation { continuation in
            queue.schedule(after: queue.now.advanced(by: .milliseconds(1))) { _ = ticks.next() }
            let timer = queue.schedule(after: queue.now, interval: .milliseconds(1)) {
                _ = ticks.next()
                if again.next() == 3 { continuation.resume() }
            }
            let box = Box(AnyCancellable(timer))
            kept.withLock { $0.append(box) }
        }
        kept.withLock { $0 = [] }
        #expect(ticks.value >= 4)
    }

    @Test func `the immediate scheduler has no limit`() async {
        let publisher = manager(200).makeRequest(TextRequest(), on: ImmediateScheduler.shared)
        #expect(await words(publisher) { $0.body ?? "" } == ["hi"])
    }

    @Test func `a stride is a limit`() async {
        let silent = RequestManager(host: "http://h", transport: ScriptedTransport(.silence))
        let publisher = silent.makeRequest(TextRequest(), sla: .milliseconds(1), on: DispatchQueue.global())
        let words = await words(publisher) { $0.body ?? "" }
        // On a busy machine the limit may end before the attempt begins, which has words of its own.
        #expect(words.count == 1 && words[0].hasPrefix("failed: the SLA of 1ms "), "\(words)")
    }

    @Test func `errors are removed`() async {
        let publisher = manager(404).makeRequest(TextRequest()).removeErrors().map(\.body)
        #expect(await words(publisher) { $0 ?? "nil" } == ["nil"])
    }

    @Test func `status and type are validated`() async {
        let html = manager(201, headers: ["Content-Type": "Text/HTML; charset=utf-8"])
        let passes = html.makeRequest(PlainRequest()).validateStatusCode(in: 200..<300).hasContentType("text/html")
        #expect(await words(passes) { "\($0.statusCode ?? 0)" } == ["201"])
        let status = html.makeRequest(PlainRequest()).validateStatusCode(in: [200])
        #expect(
            await words(status) { _ in "" }
                == ["failed: the response has the status 201 Created, which is not accepted"])
        let type = html.makeRequest(PlainRequest()).hasContentType("text/htm")
        #expect(
            await words(type) { _ in "" }
                == ["failed: the response is Text/HTML; charset=utf-8, expected text/htm"])
        let empty = manager(200, "").makeRequest(PlainRequest()).hasContentType("text/html")
        #expect(await words(empty) { _ in "passed" } == ["passed"])
    }

    @Test func `a body is decoded downstream`() async {
        let publisher = manager(200, "[1,2]").makeRequest(PlainRequest()).compactMap(\.body)
            .decode(type: [Int].self, decoder: JSONDecoder())
        #expect(await words(publisher) { "\($0)" } == ["[1, 2]"])
    }

    @Test func `cancelling a subscription cancels the request`() async {
        let transport = ScriptedTransport(.silence)
        let manager = RequestManager(host: "http://h", transport: transport)
        let received = Counter()
        let cancellable = manager.makeRequest(TextRequest(path: "/a"))
            .sink(receiveCompletion: { @Sendable _ in _ = received.next() }, receiveValue: { @Sendable _ in })
        // A second request that is cancelled later through the same manager shows that the first one is over.
        let (recorder, _) = manager.record(TextRequest(path: "/b"))
        await recorder.waitForAttempt(1)
        cancellable.cancel()
        manager.cancelRequests(with: TextRequest.self)
        _ = await recorder.outcome
        #expect(received.value == 0)
    }

    @Test func `a handler is called though the result is dropped`() async {
        let manager = manager(200)
        let body = await withCheckedContinuation { continuation in
            manager.send(TextRequest(), on: DispatchQueue.global()) { result in
                continuation.resume(returning: try? result.get().body)
            }
        }
        #expect(body == "hi")
    }

    @Test func `a handler hears of its cancellation`() async {
        let manager = RequestManager(host: "http://h", transport: ScriptedTransport(.silence))
        let message = await withCheckedContinuation { continuation in
            manager.send(TextRequest()) { result in
                guard case .failure(let error) = result else { return continuation.resume(returning: "success") }
                continuation.resume(returning: error.localizedDescription)
            }.cancel()
        }
        #expect(message == "cancelled")
    }

    @Test func `cancelling a Swift task cancels the request`() async {
        let manager = RequestManager(host: "http://h", transport: ScriptedTransport(.silence))
        let task = Task { try await manager.response(for: TextRequest()) }
        task.cancel()
        let result = await task.result
        guard case .failure(RequestError<HTTPError>.cancelled) = result else {
            Issue.record("expected cancelled: \(result)")
            return
        }
    }
}
