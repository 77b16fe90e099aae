/// Durations counted in buckets, each of which begins at the square root of 2 times the one before.
struct TimeBuckets: Equatable, Sendable {
    private var counts: [Int: Int] = [:]

    mutating func add(_ duration: Duration) { counts[Self.index(of: duration), default: 0] += 1 }

    /// From the shortest to the longest, with the empty ones between.
    var bars: [(from: Duration, count: Int)] {
        guard let first = counts.keys.min(), let last = counts.keys.max() else { return [] }
        return (first...last).map { index -> (from: Duration, count: Int) in
            let start = Double(sign: .plus, exponent: index / 2, significand: index % 2 == 0 ? 1 : 2.0.squareRoot())
            return (.microseconds(start), counts[index] ?? 0)
        }
    }

    /// The bar to which a duration belongs, the nearest for one outside of all.
    func bar(of duration: Duration) -> Int {
        guard let first = counts.keys.min(), let last = counts.keys.max() else { return 0 }
        return min(max(Self.index(of: duration), first), last) - first
    }

    private static func index(of duration: Duration) -> Int {
        let microseconds = max(1, duration / .microseconds(1))
        return microseconds.exponent * 2 + (microseconds.significand >= 2.0.squareRoot() ? 1 : 0)
    }
}
