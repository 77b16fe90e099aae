/// The notation of a duration as a user writes it in files and on the command line, and as Ombi shows it: `250ms`,
/// `1.5s`, `2m`, `1h`. A measured time is rounded instead (`TimeText`).
package enum DurationText {
    /// The accepted syntax, for error messages.
    package static let form = "write for example \"250ms\", \"1.5s\", \"2m\" or \"1h\", at most 24h"

    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000), ("h", 3_600_000_000_000),
    ]

    private static let maximum: Int64 = 24 * 3_600_000_000_000

    /// Parses digits, at most nine more after a decimal point, and a unit, with nothing between.
    /// Returns nil for any other text, and beyond 24 hours.
    package static func parse(_ text: String) -> Duration? {
        let number = text.utf8.prefix { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
        let name = text.utf8[number.endIndex...]
        guard let unit = units.first(where: { name.elementsEqual($0.name.utf8) }) else { return nil }
        let parts = number.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Substring($0) }
        guard parts.count <= 2, let whole = Int64(parts[0]), whole <= maximum / unit.nanoseconds else { return nil }
        var nanoseconds = whole * unit.nanoseconds
        if parts.count == 2 {
            guard (1...9).contains(parts[1].utf8.count), let digits = Int64(parts[1]) else { return nil }
            let scale = (0..<parts[1].utf8.count).reduce(Int64(1)) { scale, _ in scale * 10 }
            nanoseconds += Int64(clamping: Int128(digits) * Int128(unit.nanoseconds) / Int128(scale))
        }
        return nanoseconds <= maximum ? .nanoseconds(nanoseconds) : nil
    }

    /// Formats the duration in the largest unit that suits it: below a second in `ms`, whole minutes in `m`, else in
    /// `s`.
    /// Drops anything below a nanosecond, and formats a negative duration as zero.
    package static func format(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = max(0, Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000))
        let unit =
            switch nanoseconds {
            case ..<1_000_000_000: units[0]
            case _ where nanoseconds % 60_000_000_000 == 0: units[2]
            default: units[1]
            }
        let size = Int128(unit.nanoseconds)
        let fraction = decimals(nanoseconds % size, of: size)
        return "\(nanoseconds / size)\(fraction.isEmpty ? "" : "." + fraction)\(unit.name)"
    }

    /// The digits after the decimal point of `rest / size`, without trailing zeros.
    private static func decimals(_ rest: Int128, of size: Int128) -> String {
        var digits = ""
        var rest = rest
        while rest > 0, digits.count < 9 {
            rest *= 10
            digits += "\(rest / size)"
            rest %= size
        }
        return digits
    }
}

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
