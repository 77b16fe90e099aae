import Dispatch
import Foundation
import OmbiCore
import OmbiDocument
import OmbiTerminal
import Testing

@testable import OmbiViewer

@Suite("Reading a body in the background")
struct BodyLoaderTests {
    @Test(.timeLimit(.minutes(10)))
    func `a loader looks now and then at what comes byte by byte, and at all of it in the end`() async {
        let body = Bytes(String(repeating: "x\n", count: 5000).utf8)
        let arrived = Lock(0)
        let start = ContinuousClock.now
        let documents = AsyncStream<BodyDocument> { continuation in
            let loader = BodyLoader(contentType: "text/plain", isComplete: false) {
                body[0..<arrived.withLock { $0 }]
            } emit: { event in
                guard case .read(let document) = event else { return }
                continuation.yield(document)
                if document.isComplete { continuation.finish() }
            }
            for count in 1...body.count {
                arrived.withLock { $0 = count }
                loader.read()
                if count.isMultiple(of: 100) { sched_yield() }
            }
            loader.read(isComplete: true)
        }
        var seen: [Int] = []
        for await document in documents { seen.append(document.raw.count) }
        #expect(seen.last == body.count)
        let tenths = Int((ContinuousClock.now - start) / .milliseconds(100))
        #expect(seen.count <= tenths + 3, "\(seen.count) looks in \(tenths) tenths of a second")
    }

    @Test(.timeLimit(.minutes(10)))
    func `a loader holds up nobody who says that more has come while it reads`() async {
        let (isReading, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let body = Bytes("[1, 2]".utf8)
        let documents = AsyncStream<BodyDocument> { continuation in
            let loader = BodyLoader(contentType: nil, isComplete: false) {
                isReading.signal()
                mayGoOn.wait()
                return body
            } emit: { event in
                guard case .read(let document) = event else { return }
                continuation.yield(document)
                if document.isComplete { continuation.finish() }
            }
            loader.read()
            isReading.wait()
            loader.read(isComplete: true)
            // Once for the step under way, once for the news.
            mayGoOn.signal()
            mayGoOn.signal()
        }
        var seen: [BodyDocument] = []
        for await document in documents { seen.append(document) }
        #expect(seen.map(\.isComplete) == [false, true])
        #expect(seen.last?.text.text(0..<body.count) == "[1, 2]")
    }
}
