/// The figures of a load while it runs.
struct LoadProgress: Equatable, Sendable {
    var elapsed: Duration
    /// The results so far.
    var count: Int
    var running: Int
    /// From the scheduled start, where there is one.
    var p50: Duration?
    var p95: Duration?
    var p99: Duration?
    var failures: [FailureClass: Int] = [:]

    /// `12 s, 49.8/s, 597 done, 3 in flight, 2 expectation, 1 connection, p50 12 ms, p95 40 ms, p99 80 ms`; a narrow
    /// terminal cuts the end off.
    /// - Parameter earlier: the figures between which and these the rate counts; nil for all of the time.
    func line(since earlier: LoadProgress? = nil) -> String {
        let times = [("p50", p50), ("p95", p95), ("p99", p99)].compactMap { name, time in
            time.map { "\(name) \(TimeText.duration($0))" }
        }
        let errors = failures.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
            .map { "\($0.value) \($0.key.rawValue)" }
        let parts = [
            TimeText.running(elapsed), TimeText.decimal(rate(since: earlier), places: 1, trimsZeros: true) + "/s",
            "\(count) done", "\(running) in flight",
        ]
        return (parts + errors + times).joined(separator: ", ")
    }

    /// The results in a second.
    private func rate(since earlier: LoadProgress?) -> Double {
        let time = elapsed - (earlier?.elapsed ?? .zero)
        return time > .zero ? Double(count - (earlier?.count ?? 0)) / (time / .seconds(1)) : 0
    }
}

extension RunStatistics {
    /// `the schedule was not kept: 12 of 40 requests began late, by 1.2 s at most; 3 were not sent`; nil where it was.
    var delayWords: String? {
        let missed = missed ?? 0
        guard late > 0 || missed > 0 else { return nil }
        var parts: [String] = []
        if late > 0 {
            let longest = TimeText.duration(maximumLateness)
            parts.append("\(late) of \(Count.of(count, "request")) began late, by \(longest) at most")
        }
        if missed > 0 { parts.append("\(missed) \(missed == 1 ? "was" : "were") not sent") }
        return "the schedule was not kept: " + parts.joined(separator: "; ")
    }
}

/// A line at the end of what a terminal shows, which each text takes the place of.
///
/// It needs no sequence of the terminal: a carriage return, and spaces over what was there.
final class LiveLine: Sendable {
    private let descriptor: Int32
    /// The columns of the text that is shown.
    private let shown = Lock(0)

    init(on descriptor: Int32 = 2) { self.descriptor = descriptor }

    func show(_ text: String) {
        let columns = max(1, TerminalOutput.size(of: descriptor).columns - 1)
        var line = StandardError.glyphs.text(SafeText.line(text))
        while TextWidth.of(line) > columns { line.removeLast() }
        let width = TextWidth.of(line)
        shown.withLock { shown in
            let rest = String(repeating: " ", count: max(0, shown - width))
            shown = width
            TerminalOutput.write(Array(("\r" + line + rest).utf8), to: descriptor)
        }
    }

    /// Takes the text away, so that another one can be printed.
    func clear() {
        shown.withLock { shown in
            guard shown > 0 else { return }
            let spaces = String(repeating: " ", count: shown)
            shown = 0
            TerminalOutput.write(Array("\r\(spaces)\r".utf8), to: descriptor)
        }
    }
}
