/// A number and its noun: "1 file", "2 files".
package enum Count {
    package static func of(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

/// Shares as people write them, rounded to the nearest. But only all is 100 %, and only nothing is 0 %.
package enum Percent {
    /// `100 %`, `99.5 %`
    package static func text(_ share: Double) -> String { number(share, places: 1) + " %" }

    /// `47%`, where room is scarce.
    package static func short(_ share: Double) -> String { number(share, places: 0) + "%" }

    /// Formats the share with as many digits as distinguish it from a limit, up to six.
    package static func distinct(_ share: Double, from limit: Double) -> String {
        let places = (1...6).first { number(share, places: $0) != number(limit, places: $0) }
        return number(share, places: places ?? 1) + " %"
    }

    private static func number(_ share: Double, places: Int) -> String {
        let step = (0..<places).reduce(1.0) { step, _ in step / 10 }
        var percent = share * 100
        if share > 0 { percent = max(step, percent) }
        if share < 1 { percent = min(100 - step, percent) }
        return TimeText.decimal(percent, places: places, trimsZeros: true)
    }
}

/// Measured times and sizes, rounded: "143 ms", "1.2 s", "1m 5s", "2d 3h", "2.1 kB".
package enum TimeText {
    /// At most three digits, and no zeros at the end.
    package static func duration(_ duration: Duration) -> String {
        let milliseconds = max(0, duration.milliseconds)
        if milliseconds < 9.95 { return decimal(milliseconds, places: 1, trimsZeros: true) + " ms" }
        if milliseconds < 999.5 { return "\(Int(milliseconds.rounded())) ms" }
        let seconds = milliseconds / 1000
        if seconds < 59.95 { return decimal(seconds, places: seconds < 9.95 ? 2 : 1, trimsZeros: true) + " s" }
        let whole = Int(seconds.rounded())
        if whole >= 86_400 {
            let hours = Int((seconds / 3600).rounded())
            return "\(hours / 24)d" + (hours % 24 == 0 ? "" : " \(hours % 24)h")
        }
        return "\(whole / 60)m" + (whole % 60 == 0 ? "" : " \(whole % 60)s")
    }

    /// A running time in tenths of a second, so that it does not flicker.
    package static func running(_ duration: Duration) -> String { seconds(duration, places: 1) }

    /// A time of a list, in which all have the same number of digits after the point: "0.081 s".
    package static func seconds(_ duration: Duration, places: Int) -> String {
        decimal(max(0, duration.inSeconds), places: places) + " s"
    }

    package static func size(_ bytes: Int) -> String {
        let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)]
        guard let (unit, factor) = units.first(where: { Double(bytes) >= $0.1 * 0.9995 }) else { return "\(bytes) B" }
        let value = Double(bytes) / factor
        return decimal(value, places: value < 99.95 ? 1 : 0) + " " + unit
    }

    /// A number of 0 or more with `places` digits after the point, or with those up to its last zeros: "1.20" → "1.2",
    /// "3.00" → "3".
    package static func decimal(_ value: Double, places: Int, trimsZeros: Bool = false) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
        var (factor, places) = (1, places)
        for _ in 0..<places { factor *= 10 }
        var scaled = Int((value * Double(factor)).rounded())
        while trimsZeros, places > 0, scaled % 10 == 0 {
            (scaled, factor, places) = (scaled / 10, factor / 10, places - 1)
        }
        guard places > 0 else { return String(scaled) }
        // A digit in front keeps the zeros behind the point.
        let digits = String(factor + scaled % factor).utf8.dropFirst()
        return String(scaled / factor) + "." + Substring(digits)
    }
}

/// A bar for the remaining part of a whole.
package enum Gauge {
    package static func spans(fraction: Double, columns: Int, role: Role = .gauge) -> [Span] {
        let full = min(columns, max(0, Int((fraction * Double(columns)).rounded(.up))))
        return [
            Span(text: String(repeating: "▓", count: full), role: role),
            Span(text: String(repeating: "░", count: columns - full), role: .gaugeEmpty),
        ]
    }
}

/// Numbers as a row of bars, a character each.
package enum Sparkline {
    /// Lower than half a line to a whole one; without ▄, which pictures use.
    private static let bars: [Character] = ["▁", "▂", "▃", "▅", "▆", "▇", "█"]

    /// The newest values at the right; of more than fit, the last ones. Equal values are all low.
    package static func text(_ values: [Double], columns: Int) -> String {
        let shown = values.suffix(max(0, columns)).filter(\.isFinite)
        guard let low = shown.min(), let high = shown.max() else { return "" }
        return String(
            shown.map { value in
                let share = high > low ? (value - low) / (high - low) : 0
                return bars[min(bars.count - 1, Int(share * Double(bars.count)))]
            })
    }
}
