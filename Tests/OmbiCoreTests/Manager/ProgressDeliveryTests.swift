import Foundation
import Testing

@testable import OmbiCore

/// The progress closures of a request.
@Suite struct ProgressDeliveryTests {
    /// Tells what the test tells, on the thread of the test.
    final class ToldTransport: Transport {
        private let receiver = Lock<(@Sendable (TransportEvent) -> Void)?>(nil)

        private struct NoTask: TransportTask {
            func cancel() {}
        }

        func start(
            _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
        ) -> any TransportTask {
            receiver.withLock { $0 = onEvent }
            return NoTask()
        }

        func tell(_ event: TransportEvent) { receiver.withLock { $0 }?(event) }
    }

    let transport = ToldTransport()
    var manager: RequestManager { RequestManager(host: "http://stub.test", transport: transport, clock: ManualClock()) }

    static let answer = TransportEvent.finished(
        TransportResponse(statusCode: 200, body: Data("x".utf8)), TransportMetrics())

    /// The first call waits until the test lets it go: the transport is not held up meanwhile, and the newest count wins.
    @Test func `a slow closure holds up nothing and gets the newest count`() async throws {
        let transcript = Transcript()
        let entered = Transcript()
        let gate = DispatchSemaphore(value: 0)
        let request = ComposableRequest<NoBody, String, HTTPError>().downloadProgress { progress in
            if progress.bytes == 1 {
                entered.end("entered")
                gate.wait()
            }
            transcript.add("\(progress.bytes) of \(progress.expected ?? 0)")
        }
        let task = manager.send(request) { _ in transcript.end("result") }
        transport.tell(.received(bytes: 1, expected: 100))
        _ = await entered.lines
        for bytes in 2...100 { transport.tell(.received(bytes: bytes, expected: 100)) }
        transport.tell(Self.answer)
        gate.signal()
        #expect(await transcript.lines == ["1 of 100", "100 of 100", "result"])
        #expect(try await task.value == "x")
    }

    @Test func `counts of both directions come one at a time`() async {
        let transcript = Transcript()
        let inside = Lock(0)
        let note: @Sendable (String) -> Void = { line in
            #expect(
                inside.withLock {
                    $0 += 1
                    return $0
                } == 1)
            transcript.add(line)
            inside.withLock { $0 -= 1 }
        }
        let request = ComposableRequest<Data, String, HTTPError>().method(.post).body(Data(count: 9))
            .uploadProgress { note("sent \($0.bytes)") }
            .downloadProgress { note("received \($0.bytes)") }
        manager.send(request) { _ in transcript.end("result") }
        for bytes in 1...9 { transport.tell(.sent(bytes: bytes, expected: 9)) }
        for bytes in 1...9 { transport.tell(.received(bytes: bytes, expected: 9)) }
        transport.tell(Self.answer)
        let lines = await transcript.lines
        #expect(lines.last == "result" && lines.dropLast().last == "received 9")
        #expect(lines.contains("sent 9"))
        let sent = lines.compactMap { $0.hasPrefix("sent ") ? Int($0.dropFirst(5)) : nil }
        #expect(sent == sent.sorted() && Set(sent).count == sent.count)
    }

    @Test func `a cancelled run has no counts after its result`() async {
        let transcript = Transcript()
        let request = ComposableRequest<NoBody, String, HTTPError>().downloadProgress { _ in transcript.add("count") }
        let task = manager.send(request) { _ in transcript.end("result") }
        task.cancel()
        transport.tell(.received(bytes: 1, expected: nil))
        #expect(await transcript.lines == ["result"])
    }
}
