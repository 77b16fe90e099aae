extension Duration {
    /// The maximum time used in calculations: about 31 years.
    package static let longest: Duration = .seconds(1_000_000_000)

    /// Creates a duration from seconds; NaN, negative and huge values are clamped to the range from zero to `longest`.
    init(clampingSeconds seconds: Double) {
        guard seconds > 0 else {
            self = .zero
            return
        }
        self = seconds < 1_000_000_000 ? .seconds(seconds) : .longest
    }

    /// The nanoseconds, clamped to the range from 0 to `longest`.
    var nanosecondsClamped: Int {
        let clamped = Swift.min(Swift.max(self, .zero), .longest).components
        return Int(clamped.seconds) * 1_000_000_000 + Int(clamped.attoseconds / 1_000_000_000)
    }

    /// A limit in a message, rounded to milliseconds: "800ms", "1.5s", "2m".
    package var text: String {
        DurationText.format(.milliseconds((nanosecondsClamped + 500_000) / 1_000_000))
    }
}
