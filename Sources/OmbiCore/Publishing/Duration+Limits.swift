extension Duration {
    /// The time that a scheduler's stride stands for; nil where that is no limit. Strides can only be compared, so the
    /// value is searched for; a scheduler that knows no time (`ImmediateScheduler`) has no limit.
    static func limit<Stride: SchedulerTimeIntervalConvertible & Comparable>(_ stride: Stride) -> Duration? {
        var low = 0
        var high = Int(longest.components.seconds) * 1_000_000
        if Stride.microseconds(high) <= stride { return nil }
        while low < high {
            let middle = low + (high - low + 1) / 2
            if Stride.microseconds(middle) <= stride { low = middle } else { high = middle - 1 }
        }
        return .microseconds(low)
    }

    /// A time in seconds; nil for infinity. Not a number and negative times are zero.
    static func limit(seconds: Double) -> Duration? {
        seconds == .infinity ? nil : Duration(clampingSeconds: seconds)
    }
}
