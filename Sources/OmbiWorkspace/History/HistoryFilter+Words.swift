import OmbiCore

/// The conditions that a search over all requests adds. Each looks at one run after the other; the search bounds how
/// many.
extension HistoryFilter {
    var furtherParts: [(sql: String, values: [Database.Value])] {
        var parts = words.map(Self.part)
        if !files.isEmpty {
            let marks = Array(repeating: "?", count: files.count).joined(separator: ", ")
            parts.append(
                ("run.request IN (SELECT id FROM request WHERE file IN (\(marks)))", files.map(Database.Value.text)))
        }
        if let environmentStart {
            parts.append(
                (
                    "(SELECT value FROM text WHERE id = run.environment) LIKE ? ESCAPE '\\'",
                    [.text(Self.escaped(environmentStart) + "%")]
                ))
        }
        if let methodStart {
            parts.append(("run.method LIKE ? ESCAPE '\\'", [.text(Self.escaped(methodStart) + "%")]))
        }
        if let attempts {
            parts.append(
                ("run.attempts BETWEEN ? AND ?", [.integer(attempts.lowerBound), .integer(attempts.upperBound)]))
        }
        if let duration {
            parts.append(
                (
                    "run.duration BETWEEN ? AND ?",
                    [
                        .integer(duration.lowerBound.wholeMicroseconds),
                        .integer(duration.upperBound.wholeMicroseconds),
                    ]
                ))
        }
        return parts
    }

    /// The same selection with one of its words as `text`, which indexes find where few runs have it.
    public var indexed: HistoryFilter {
        guard text.isEmpty, let index = words.firstIndex(where: { Self.kinds(of: $0).isEmpty }) else { return self }
        var filter = self
        filter.text = filter.words.remove(at: index)
        return filter
    }

    /// A word in the URL, in the reason of the failure, in the names, or in the kind of the failure.
    private static func part(_ word: String) -> (sql: String, values: [Database.Value]) {
        let texts = ["SELECT value FROM text WHERE id = run.url", "SELECT value FROM text WHERE id = run.failure"]
        var places = (texts + ["SELECT path FROM request WHERE id = run.request"]).map { "(\($0)) LIKE ? ESCAPE '\\'" }
        let values = Array(repeating: Database.Value.text("%" + escaped(word) + "%"), count: places.count)
        let kinds = kinds(of: word)
        if !kinds.isEmpty {
            let last = """
                SELECT \(AttemptCode.kindExpression("attempt.failure")) FROM attempt WHERE attempt.run = run.id
                ORDER BY attempt.number DESC LIMIT 1
                """
            let numbers = kinds.map { String(AttemptCode.kind($0)) }.joined(separator: ", ")
            places.append("(run.outcome != \(RecordedOutcome.passed.rawValue) AND (\(last)) IN (\(numbers)))")
        }
        return ("(" + places.joined(separator: " OR ") + ")", values)
    }

    /// The kinds of failures whose names have the word.
    private static func kinds(of word: String) -> [RetryPolicy.Failure] {
        guard word.count >= minimumKind else { return [] }
        let word = word.lowercased()
        return RetryPolicy.Failure.allCases.filter { has(word, in: $0.rawValue) }
    }

    /// Fewer letters of a kind are those of any word.
    private static let minimumKind = 3

    private static func has(_ word: String, in text: String) -> Bool {
        text.indices.contains { text[$0...].hasPrefix(word) }
    }
}
