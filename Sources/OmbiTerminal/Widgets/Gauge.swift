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
