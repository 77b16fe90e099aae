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
