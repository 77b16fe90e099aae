import Dispatch
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiTUI

@Suite("Reading a body in the background")
struct BodyReaderTests {
    @Test("holds up nobody who says that more has come while it reads", .timeLimit(.minutes(1)))
    func newsDuringAStep() async {
        let (isReading, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let body = Bytes("[1, 2]".utf8)
        let documents = AsyncStream<BodyDocument> { continuation in
            let reader = BodyReader(contentType: nil, isComplete: false) {
                isReading.signal()
                mayGoOn.wait()
                return body
            } emit: { event in
                guard case .read(let document) = event else { return }
                continuation.yield(document)
                if document.isComplete { continuation.finish() }
            }
            reader.read()
            isReading.wait()
            reader.read(isComplete: true)
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
