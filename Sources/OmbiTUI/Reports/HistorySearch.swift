/// A filter of runs as it is typed: words, and terms such as `status:5xx`. All of them must hold.
enum HistorySearch {
    /// The reason why a term is not understood.
    struct Problem: Error, Equatable, Sendable {
        let term: String
        let advice: String

        /// `status:600: write a status such as 503, or 5xx`
        var text: String { term.hasSuffix(":") ? "\(term) \(advice)" : "\(term): \(advice)" }
    }

    /// The forms of terms, for hints: a narrow screen shows the first ones.
    static let forms =
        "words, status:5xx, time>2s, since:1h, env:staging, is:failed, method:POST, until:14:05, attempts>1"

    /// In characters.
    static let maximumText = 500
    fileprivate static let maximumWords = 16
    fileprivate static let maximumAttempts = 1_000_000

    /// - Parameters:
    ///   - now: the time that `since:1h` counts from.
    ///   - start: that of the runs, where something else than a term says it.
    static func filter(
        _ text: String, now: Date, start: Date? = nil, clock: LocalClock = .system
    ) throws(Problem) -> HistoryFilter {
        guard text.count <= maximumText else {
            throw Problem(term: "The filter", advice: "write at most \(maximumText) characters")
        }
        var reading = Reading(now: now, clock: clock)
        for term in terms(of: text) { try reading.add(term) }
        if let end = reading.end {
            reading.filter.until = HistoryTime.parse(
                end, now: now, after: reading.filter.since ?? start, clock: clock)
        }
        return reading.filter
    }

    /// The reason why a text is no filter; nil for one that is.
    static func problem(with text: String) -> String? {
        // Only the form counts.
        do throws(Problem) { _ = try filter(text, now: Date(timeIntervalSince1970: 0)) } catch { return error.text }
        return nil
    }

    // MARK: Terms

    fileprivate struct Term {
        var text = ""
        /// True for a word, whatever is in it.
        var isQuoted: Bool
    }

    /// Splits at spaces outside of quotes, which may be left open while a text is typed.
    private static func terms(of text: String) -> [Term] {
        var terms: [Term] = []
        var term: Term?
        var isInQuotes = false
        for character in text {
            if character == "\"" {
                isInQuotes.toggle()
                if term == nil { term = Term(isQuoted: true) }
            } else if character.isWhitespace, !isInQuotes {
                if let ended = term { terms.append(ended) }
                term = nil
            } else {
                var longer = term ?? Term(isQuoted: false)
                longer.text.append(character)
                term = longer
            }
        }
        if let last = term { terms.append(last) }
        return terms.filter { !$0.text.isEmpty }
    }

    /// The subject of a term.
    fileprivate enum Key: String {
        case status, outcome, method, since, until, attempts, time
        case environment, env
        case kind = "is"

        /// True for what is compared as a number.
        var isNumber: Bool { self == .attempts || self == .time }
    }

    /// A filter as far as its terms are read.
    fileprivate struct Reading {
        let now: Date
        let clock: LocalClock
        var filter = HistoryFilter()
        /// The value of `until:`: as a time of day it depends on the start, which may come later.
        var end: String?
    }
}

extension HistorySearch.Reading {
    fileprivate typealias Problem = HistorySearch.Problem

    fileprivate mutating func add(_ term: HistorySearch.Term) throws(Problem) {
        guard !term.isQuoted, let (key, sign, value) = Self.parts(of: term.text) else {
            guard filter.words.count < HistorySearch.maximumWords else {
                throw Problem(term: term.text, advice: "write at most \(HistorySearch.maximumWords) words")
            }
            return filter.words.append(term.text)
        }
        let text = term.text
        switch key {
        case .status:
            guard let pattern = StatusPattern(value) else {
                throw Problem(term: text, advice: "write a status such as 503, or 5xx")
            }
            filter.status = try once(filter.status, pattern, text)
        case .outcome, .kind: try add(outcome: value, text, isName: key == .outcome)
        case .env, .environment:
            guard !value.isEmpty else { throw Problem(term: text, advice: "write the start of an environment's name") }
            filter.environmentStart = try once(filter.environmentStart, value, text)
        case .method:
            guard !value.isEmpty else { throw Problem(term: text, advice: "write a method, such as POST") }
            filter.methodStart = try once(filter.methodStart, value, text)
        case .since: filter.since = try once(filter.since, date(value, text), text)
        case .until:
            filter.until = try once(filter.until, date(value, text), text)
            end = value
        case .attempts:
            guard value.utf8.allSatisfy(\.isASCIIDigit), let number = Int(value),
                number <= HistorySearch.maximumAttempts
            else { throw Problem(term: text, advice: "write a number of attempts, as in attempts>1") }
            filter.attempts = try once(filter.attempts, Self.range(sign, number), text)
        case .time:
            guard sign.hasPrefix("<") || sign.hasPrefix(">"), let duration = DurationText.parse(value) else {
                throw Problem(term: text, advice: "write time>500ms or time<2s")
            }
            let range = Self.range(sign, Int((duration.milliseconds * 1000).rounded()))
            let times = Duration.microseconds(range.lowerBound)...Duration.microseconds(range.upperBound)
            filter.duration = try once(filter.duration, times, text)
        }
    }

    /// Adds outcomes: of several, one must hold.
    private mutating func add(outcome value: String, _ text: String, isName: Bool) throws(Problem) {
        let value = value.lowercased()
        if !isName, value == "retried" {
            filter.attempts = try once(filter.attempts, Self.range(">", 1), text)
        } else if !isName, value == "failed" {
            // For people a run without a response has failed, too.
            filter.outcomes.formUnion([.failed, .error])
        } else if let outcome = RecordedOutcome.allCases.first(where: { $0.name == value }) {
            filter.outcomes.insert(outcome)
        } else {
            throw Problem(
                term: text, advice: "write passed, failed, error\(isName ? "" : ", retried") or cancelled")
        }
    }

    private func date(_ value: String, _ text: String) throws(Problem) -> Date {
        guard let date = HistoryTime.parse(value, now: now, clock: clock) else {
            throw Problem(term: text, advice: "write 2026-11-23T14:05, 14:05 (today or yesterday) or 2h (ago)")
        }
        return date
    }

    /// Refuses a second value, which would silently replace the first one.
    private func once<Value>(_ known: Value?, _ value: Value, _ text: String) throws(Problem) -> Value {
        guard known == nil else { throw Problem(term: text, advice: "the filter has another one already") }
        return value
    }

    /// `attempts>1` as its name, its sign and its value; nil for a word, such as `localhost:8080`.
    private static func parts(of text: String) -> (key: HistorySearch.Key, sign: String, value: String)? {
        // `>1s` is a time.
        if text.first == "<" || text.first == ">", DurationText.parse(String(text.drop { "<>=".contains($0) })) != nil {
            return parts(of: HistorySearch.Key.time.rawValue + text)
        }
        guard let end = text.firstIndex(where: { ":<>=".contains($0) }),
            let key = HistorySearch.Key(rawValue: text[..<end].lowercased())
        else { return nil }
        var sign = String(text[end])
        var value = text[text.index(after: end)...]
        if sign == "<" || sign == ">", value.hasPrefix("=") {
            sign += "="
            value = value.dropFirst()
        }
        // `status=paid` is a part of a URL.
        guard key.isNumber || sign == ":" else { return nil }
        return (key, sign, String(value))
    }

    /// Beyond all that is recorded.
    private static let greatest = 1_000_000_000_000_000

    private static func range(_ sign: String, _ value: Int) -> ClosedRange<Int> {
        switch sign {
        case ">": value + 1...greatest
        case ">=": value...greatest
        case "<": -greatest...value - 1
        case "<=": -greatest...value
        default: value...value
        }
    }
}

extension HistoryFilter {
    /// Returns true for a run with what the terms of a typed filter ask for, but for its words.
    func selects(_ entry: HistoryEntry) -> Bool {
        func starts(_ text: String?, _ start: String?) -> Bool {
            start.map { (text ?? "").lowercased().hasPrefix($0.lowercased()) } ?? true
        }
        guard outcomes.isEmpty || outcomes.contains(entry.outcome), attempts?.contains(entry.attempts) ?? true,
            duration?.contains(entry.duration) ?? true, status?.matches(entry.status ?? 0) ?? true
        else { return false }
        return (since ?? .distantPast) <= entry.startedAt && entry.startedAt <= (until ?? .distantFuture)
            && starts(entry.environment, environmentStart) && starts(entry.method, methodStart)
    }
}

/// Times of the history on the command line.
enum HistoryTime {
    /// `2026-11-23 08:11:07` by the clock of this place.
    static func local(_ date: Date) -> String { LocalClock.system.text(date) }

    /// Reads `2026-11-23`, `2026-11-23T14:05`, `14:05:30`, a time with a zone, and `2h` for a time ago. Without a zone
    /// the clock of this place counts. A time of day without a date is the last one up to now.
    /// - Parameters:
    ///   - start: that of the range whose end is read: a time of day up to it is one day later.
    ///   - ahead: the seconds that a time of day may lie ahead of now.
    static func parse(
        _ text: String, now: Date, after start: Date? = nil, ahead: Double = 0, clock: LocalClock = .system
    ) -> Date? {
        if let date = try? Date(withSeconds(text), strategy: .iso8601) { return date }
        // Settings end at 24 hours, a history does not.
        for (unit, seconds) in [("d", 86_400.0), ("h", 3600.0)] where text.hasSuffix(unit) {
            if let count = Int(text.dropLast()), count >= 0 { return now.addingTimeInterval(-Double(count) * seconds) }
        }
        if let duration = DurationText.parse(text) { return now.addingTimeInterval(-duration.inSeconds) }
        let parts = text.split(separator: text.contains("T") ? "T" : " ", omittingEmptySubsequences: false).map(
            String.init)
        let hasDate = parts[0].contains("-")
        guard parts.count <= (hasDate ? 2 : 1) else { return nil }
        let latest = now.addingTimeInterval(ahead)
        let today = clock.reading(at: latest)
        var reading = LocalClock.Reading(year: today.year, month: today.month, day: today.day)
        if hasDate {
            guard let date = numbers(parts[0], separator: "-", counts: [3]), (1...9999).contains(date[0]), date[2] >= 1,
                date[2] <= days(inMonth: date[1], of: date[0])
            else { return nil }
            (reading.year, reading.month, reading.day) = (date[0], date[1], date[2])
        }
        if let time = hasDate ? (parts.count > 1 ? parts[1] : nil) : parts[0] {
            guard let parts = numbers(time, separator: ":", counts: [2, 3]), parts[0] < 24, parts[1] < 60,
                parts.count < 3 || parts[2] < 60
            else { return nil }
            (reading.hour, reading.minute) = (parts[0], parts[1])
            reading.second = parts.count > 2 ? parts[2] : 0
        }
        if !hasDate {
            if clock.date(of: reading) > latest { reading.day -= 1 }
            if let start, clock.date(of: reading) <= start { reading.day += 1 }
        }
        return clock.date(of: reading)
    }

    /// Returns a time with a zone and without seconds as `2026-11-23T14:05:00Z`; any other text as it is.
    private static func withSeconds(_ text: String) -> String {
        guard let time = text.firstIndex(of: "T"), let zone = text[time...].firstIndex(where: { "Z+-".contains($0) }),
            text[time..<zone].split(separator: ":").count == 2
        else { return text }
        return text[..<zone] + ":00" + text[zone...]
    }

    /// Zero for what is no month. February 30 would else become a day in March.
    private static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return days.indices.contains(month - 1) ? days[month - 1] : 0
    }

    private static func numbers(_ text: String, separator: Character, counts: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.utf8.allSatisfy(\.isASCIIDigit) ? Int(part) : nil }
        return numbers.count == parts.count && counts.contains(numbers.count) ? numbers : nil
    }
}
