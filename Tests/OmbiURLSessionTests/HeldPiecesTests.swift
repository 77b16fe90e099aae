import Foundation
import OmbiCore
import Testing

@testable import OmbiURLSession

/// What waits for a slow reader, in parts that go when they have been read.
@Suite struct HeldPiecesTests {
    private func pieces(maximum: Int) -> HeldPieces {
        let limits = ResponseLimits(
            maximumBytes: maximum, memoryLimit: 1 << 20, memoryBudget: MemoryBudget(bytes: 1 << 20),
            temporaryFolder: NSTemporaryDirectory())
        return HeldPieces(limits: limits, partLength: 10)
    }

    @Test func `a reader that never catches up gets everything in order`() throws {
        var pieces = pieces(maximum: 40)
        var (sent, read) = (Data(), Data())
        for number in 0..<200 {
            let data = Data("\(number),".utf8)
            try pieces.append(data)
            sent += data
            if number % 3 == 2 || number > 5, let piece = pieces.next() { read += piece }
        }
        while let piece = pieces.next() { read += piece }
        #expect(read == sent && sent.count > 400)
        #expect(pieces.isEmpty)
        try pieces.append(Data("more".utf8))
        #expect(pieces.next() == Data("more".utf8))
    }

    @Test func `only what is not read yet counts`() throws {
        var pieces = pieces(maximum: 25)
        for _ in 0..<10 {
            try pieces.append(Data(count: 20))
            #expect(throws: TransportError.self) { try pieces.append(Data(count: 6)) }
            #expect(pieces.next()?.count == 20)
        }
    }
}
