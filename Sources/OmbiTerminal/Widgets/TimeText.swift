/// Measured times and sizes, rounded: "143 ms", "1.2 s", "1m 5s", "2.1 kB".
package enum TimeText {
    /// At most three digits, and no zeros at the end.
    package static func duration(_ duration: Duration) -> String {
        let milliseconds = max(0, duration.milliseconds)
        if milliseconds < 9.95 { return trimmed(decimal(milliseconds, places: 1)) + " ms" }
        if milliseconds < 999.5 { return "\(Int(milliseconds.rounded())) ms" }
        let seconds = milliseconds / 1000
        if seconds < 59.95 { return trimmed(decimal(seconds, places: seconds < 9.95 ? 2 : 1)) + " s" }
        let whole = Int(seconds.rounded())
        return "\(whole / 60)m" + (whole % 60 == 0 ? "" : " \(whole % 60)s")
    }

    /// A running time in tenths of a second, so that it does not flicker.
    package static func running(_ duration: Duration) -> String {
        decimal(max(0, duration.milliseconds) / 1000, places: 1) + " s"
    }

    package static func size(_ bytes: Int) -> String {
        let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)]
        guard let (unit, factor) = units.first(where: { Double(bytes) >= $0.1 * 0.9995 }) else { return "\(bytes) B" }
        let value = Double(bytes) / factor
        return decimal(value, places: value < 99.95 ? 1 : 0) + " " + unit
    }

    /// "1.20" → "1.2", "3.00" → "3"
    private static func trimmed(_ number: String) -> String {
        let bytes = number.utf8
        guard bytes.contains(UInt8(ascii: ".")) else { return number }
        let zeros = bytes.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        let digits = bytes.dropLast(zeros)
        return String(digits.last == UInt8(ascii: ".") ? digits.dropLast() : digits) ?? number
    }

    /// A number of 0 or more with `places` digits after the point.
    package static func decimal(_ value: Double, places: Int) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
        let factor = (0..<places).reduce(1.0) { product, _ in product * 10 }
        let scaled = Int((value * factor).rounded())
        guard places > 0 else { return "\(scaled)" }
        let (whole, rest) = (scaled / Int(factor), scaled % Int(factor))
        let digits = String(rest)
        return "\(whole)." + String(repeating: "0", count: places - digits.count) + digits
    }
}

extension Duration {
    package var milliseconds: Double {
        Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
    }
}
