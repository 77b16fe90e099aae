import OmbiBase

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

    /// - Parameter now: the time that `since:1h` counts from.
    static func filter(_ text: String, now: Date, clock: LocalClock = .system) throws(Problem) -> HistoryFilter {
        guard text.count <= maximumText else {
            throw Problem(term: "The filter", advice: "write at most \(maximumText) characters")
        }
        var reading = Reading(now: now, clock: clock)
        for term in terms(of: text) { try reading.add(term) }
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
        case .until: filter.until = try once(filter.until, date(value, text), text)
        case .attempts:
            guard value.allSatisfy({ ("0"..."9").contains($0) }), let number = Int(value),
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
            throw Problem(term: text, advice: "write 2026-11-23T14:05, 14:05 (today) or 2h (ago)")
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
