/// The times at which the parts of a body arrived, since the start of its attempt.
package struct BodyArrivals: Sendable, Equatable {
    /// The end of each part, ascending, with its time.
    private var ends: [Int] = []
    private var times: [Duration] = []

    /// Later parts count as the last one: what goes on for longer is no stream that people read.
    static let maximumParts = 1 << 20

    package init() {}

    /// Notes that the body has arrived up to an offset.
    package mutating func add(end: Int, at time: Duration) {
        guard end > ends.last ?? 0 else { return }
        if ends.count == Self.maximumParts {
            ends[ends.count - 1] = end
        } else {
            ends.append(end)
            times.append(time)
        }
    }

    /// Returns the time at which the byte before an offset arrived; nil for one that has not.
    package func time(upTo offset: Int) -> Duration? {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] < offset { low = middle + 1 } else { high = middle }
        }
        return low < times.count ? times[low] : nil
    }
}
