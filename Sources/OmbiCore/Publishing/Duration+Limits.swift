extension Duration {
    /// Returns the duration of a scheduler's stride; nil for no limit. Strides can only be compared, so the value is
    /// found by bisection; a scheduler without a notion of time (`ImmediateScheduler`) has no limit.
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

    /// Returns a duration in seconds; nil for infinity, zero for NaN and negative times.
    static func limit(seconds: Double) -> Duration? {
        seconds == .infinity ? nil : Duration(clampingSeconds: seconds)
    }
}
