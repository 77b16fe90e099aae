import Testing

@testable import OmbiTerminal

/// A key held for three seconds, 30 times a second, behind a line with 150 ms each way, by a clock of its own.
@Suite struct SlowLineTests {
    private static let delay = 0.15
    private static let keysPerSecond = 30.0

    private struct Ending {
        /// The seconds from the release of the key to the last byte on the screen.
        var goesOn: Double
        var frames: Int
    }

    /// A terminal at the other end, which replies to each request once all bytes before it have come.
    private struct Line {
        let bytesPerSecond: Double
        var pacer = FramePacer()
        private(set) var lastByte = 0.0
        private(set) var replies: [Double] = []
        private var free = 0.0
        private let start = ContinuousClock.now

        init(bytesPerSecond: Double) { self.bytesPerSecond = bytesPerSecond }

        private func instant(_ time: Double) -> ContinuousClock.Instant { start + .seconds(time) }

        func takesFrame(at time: Double) -> Bool { pacer.blocked(at: instant(time)) == nil }

        mutating func send(_ bytes: Int, at time: Double) {
            let asks = pacer.sent(bytes, at: instant(time))
            free = max(free, time) + Double(bytes) / bytesPerSecond
            lastByte = free + SlowLineTests.delay
            if asks { replies.append(lastByte + SlowLineTests.delay) }
        }

        mutating func takeReply() { pacer.replied(at: instant(replies.removeFirst())) }
    }

    private static func hold(frame bytes: Int, on bytesPerSecond: Double, keys count: Int = 90) -> Ending {
        var line = Line(bytesPerSecond: bytesPerSecond)
        // The first screen, and a request that was sent.
        for (number, size) in [5000, 60, 400, 1500, 300].enumerated() {
            line.send(size, at: Double(number) * 0.5)
            while !line.replies.isEmpty { line.takeReply() }
        }
        let press = 10.0
        var keys = (0..<count).map { press + delay + Double($0) / keysPerSecond }[...]
        var needsFrame = false
        var frames = 0
        while let next = [keys.first, line.replies.first].compactMap({ $0 }).min() {
            if next == keys.first {
                keys.removeFirst()
                needsFrame = true
            } else {
                line.takeReply()
            }
            guard needsFrame, line.takesFrame(at: next) else { continue }
            needsFrame = false
            frames += 1
            line.send(bytes, at: next)
        }
        #expect(!needsFrame, "the last key is on the screen")
        return Ending(goesOn: line.lastByte - press - Double(count) / keysPerSecond, frames: frames)
    }

    /// The longest of many endings: where in the pace of frames the release comes changes them.
    private static func worst(frame bytes: Int, on bytesPerSecond: Double) -> Ending {
        let endings = (85...99).map { hold(frame: bytes, on: bytesPerSecond, keys: $0) }
        return endings.max { $0.goesOn < $1.goesOn } ?? Ending(goesOn: .infinity, frames: 0)
    }

    @Test func `pages on a slow line stand still within half a second, and the line is kept busy`() {
        let ending = Self.worst(frame: 1300, on: 20_000)
        #expect(ending.goesOn < 0.5)
        #expect(ending.frames > 33, "of 46 that the line can take")
    }

    @Test func `rows on a slow line are all shown`() {
        let ending = Self.worst(frame: 300, on: 20_000)
        #expect(ending.goesOn < 0.3 && ending.frames >= 85)
    }

    @Test func `a page that takes a quarter of a second waits for the one before it`() {
        #expect(Self.worst(frame: 1300, on: 5_000).goesOn < 1.2)
    }

    @Test func `nearly all pages on a quick line are shown`() {
        let ending = Self.worst(frame: 1300, on: 1_000_000)
        #expect(ending.goesOn < 0.3 && ending.frames >= 70)
    }
}
