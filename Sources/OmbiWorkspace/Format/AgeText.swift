/// The notation of an age that somebody sets: that of durations, and hours and days without an end: `36h`, `7d`.
enum AgeText {
    static let form = "write for example \"30m\", \"12h\" or \"7d\""

    private static let day = 86_400
    private static let hour = 3600
    private static let maximum = 36_500 * day

    /// Returns nil for any other text, and beyond 36 500 days.
    static func parse(_ text: String, allowsZero: Bool = false) -> Duration? {
        guard let age = whole(text, "d", day) ?? whole(text, "h", hour) ?? DurationText.parse(text) else { return nil }
        return age > .zero || allowsZero && age == .zero ? age : nil
    }

    private static func whole(_ text: String, _ unit: Character, _ seconds: Int) -> Duration? {
        guard text.last == unit, text.first != "+", let count = Int(text.dropLast()),
            (0...maximum / seconds).contains(count)
        else { return nil }
        return .seconds(count * seconds)
    }

    static func format(_ age: Duration) -> String {
        let (seconds, rest) = age.components
        guard rest == 0, seconds > 0 else { return DurationText.format(age) }
        if seconds % Int64(day) == 0 { return "\(seconds / Int64(day))d" }
        return seconds % Int64(hour) == 0 ? "\(seconds / Int64(hour))h" : DurationText.format(age)
    }
}

extension ObjectReader {
    /// Returns nil when the key is absent, and also, with an error in the log, when its value is no age.
    func age(_ key: String, allowsZero: Bool = false) -> Duration? {
        if let value = value(key), value.kind != .string {
            return refuse(key, "expected an age, found \(value.kindName); \(AgeText.form)")
        }
        guard let text = string(key) else { return nil }
        return AgeText.parse(text, allowsZero: allowsZero)
            ?? refuse(key, "\(JSONValue.quoted(text)) is not an age; \(AgeText.form)")
    }
}

/// Times since a date by the clock of the system, which may have been set meanwhile.
extension Duration {
    /// Never negative.
    package static func age(of date: Date, at now: Date) -> Duration {
        .milliseconds(Int(max(0, min(now.timeIntervalSince(date), 1e11)) * 1000))
    }

    /// `12 s`, `40 min`, `3 h`, `2 d`
    package var ageWords: String {
        let seconds = components.seconds
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) d"
        }
    }
}
