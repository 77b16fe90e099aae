extension Duration {
    /// The time that a scheduler's stride stands for. Strides can only be compared, so the value is searched for;
    /// a scheduler that knows no time (`ImmediateScheduler`) has no limit.
    init<Stride: SchedulerTimeIntervalConvertible & Comparable>(stride: Stride) {
        var low = 0
        var high = 1_000_000_000_000_000
        while low < high {
            let middle = low + (high - low + 1) / 2
            if Stride.microseconds(middle) <= stride { low = middle } else { high = middle - 1 }
        }
        self = .microseconds(low)
    }
}
