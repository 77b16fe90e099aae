import Testing

@testable import OmbiTerminal

@Suite struct FramePacerTests {
    private let start = ContinuousClock.now
    private var pacer = FramePacer()

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    /// Sends a frame; true when the terminal is asked for its status.
    private mutating func asks(_ bytes: Int, _ milliseconds: Int) -> Bool { pacer.sent(bytes, at: at(milliseconds)) }

    private func expect(_ asked: Bool, _ wanted: Bool, _ reason: Comment? = nil) { #expect(asked == wanted, reason) }

    /// A terminal that has replied once, after 100 ms.
    private mutating func replies() {
        _ = asks(10, -9000)
        pacer.replied(at: at(-8900))
    }

    @Test mutating func `single frames ask for nothing`() {
        replies()
        for time in [0, 1000, 2000] { expect(asks(500, time), false) }
        expect(asks(0, 2001), false, "nor does a frame without bytes")
        #expect(pacer.awaited(at: at(2002)) == 0)
    }

    @Test mutating func `a terminal that never replies is asked once, and not waited for`() {
        let asked = (0..<100).filter { asks(1000, $0 * 10) }
        #expect(asked == [0], "with the first frame")
        #expect(pacer.blocked(at: at(1000)) == nil)
    }

    @Test mutating func `small frames go on while their replies are on their way, and many bytes wait`() {
        replies()
        _ = asks(128, 0)
        for number in 1...8 {
            #expect(pacer.blocked(at: at(number * 33)) == nil)
            expect(asks(128, number * 33), number % 2 == 0, "every 256 bytes")
        }
        #expect(pacer.blocked(at: at(270)) == nil, "1,024 bytes are on their way")
        for time in [280, 290] { _ = asks(128, time) }
        #expect(pacer.blocked(at: at(291)) == at(66) + FramePacer.patience)
        pacer.replied(at: at(300))
        #expect(pacer.blocked(at: at(301)) == nil)
        #expect(pacer.lag == .milliseconds(300 - 66))
    }

    @Test mutating func `cursor moves share a request`() {
        replies()
        let asked = (0..<20).filter { asks(58, $0 * 33) }
        #expect(asked == [5, 10, 15], "with every fifth: 290 bytes")
    }

    /// Sends as many frames as the window takes, and returns their bytes.
    private mutating func fill(from milliseconds: Int) -> Int {
        var bytes = 0
        while pacer.blocked(at: at(milliseconds)) == nil {
            if asks(1000, milliseconds) { bytes += 1000 }
        }
        return bytes
    }

    @Test mutating func `a line that takes all at once is filled, and one where frames queue up is not`() {
        replies()
        var sent = [fill(from: 0)]
        for round in 1...12 {
            for _ in 0..<pacer.awaited(at: at(round * 100)) { pacer.replied(at: at(round * 100)) }
            sent.append(fill(from: round * 100))
        }
        #expect(sent.prefix(4) == [2000, 4000, 7000, 11000] && sent == sent.sorted() && sent.last == 66000, "\(sent)")
        for _ in 0..<pacer.awaited(at: at(1500)) { pacer.replied(at: at(1500)) }
        #expect(fill(from: 1500) == 2000, "the replies took 300 ms")
    }

    @Test mutating func `a window that is not used does not grow`() {
        replies()
        for time in stride(from: 0, to: 9000, by: 200) {
            _ = asks(100, time)
            pacer.replied(at: at(time + 100))
        }
        #expect(fill(from: 9000) <= 2000)
    }

    @Test mutating func `a reply that does not come holds up no frame for long`() {
        replies()
        _ = asks(10, 0)
        expect(asks(5000, 10), true)
        #expect(pacer.blocked(at: at(1509)) != nil)
        #expect(pacer.blocked(at: at(1510)) == nil)
        expect(asks(5000, 1510), false, "the frame before was long ago")
        #expect(pacer.awaited(at: at(1511)) == 0)
        expect(asks(5000, 1520), true, "asked again")
        #expect(pacer.blocked(at: at(1521)) == nil, "but not waited for")
        pacer.replied(at: at(1620))
        expect(asks(9000, 1630), true)
        #expect(pacer.blocked(at: at(1631)) != nil)
    }

    @Test mutating func `replies on their way are waited for before another program has the terminal`() {
        expect(asks(10, 0), true)
        #expect(pacer.awaited(at: at(10)) == 0, "it may be a terminal that never replies")
        pacer.replied(at: at(20))
        _ = asks(300, 30)
        #expect(pacer.awaited(at: at(40)) == 1)
        #expect(pacer.awaited(at: at(5000)) == 0, "it is lost")
    }

    @Test mutating func `a reply that nobody waits for changes no lag`() {
        pacer.replied(at: at(0))
        #expect(pacer.lag == .zero)
    }

    @Test mutating func `after another program had the terminal nothing is awaited`() {
        replies()
        _ = asks(10, 0)
        _ = asks(5000, 10)
        pacer.reset()
        #expect(pacer.awaited(at: at(20)) == 0)
        #expect(pacer.blocked(at: at(20)) == nil)
    }
}
