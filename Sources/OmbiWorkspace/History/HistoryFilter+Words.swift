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
        let index = words.firstIndex { Self.kinds(of: $0).isEmpty && Self.forms(of: $0).count == 1 }
        guard text.isEmpty, let index else { return self }
        var filter = self
        filter.text = filter.words.remove(at: index)
        return filter
    }

    /// A word in the URL, in the reason of the failure, in the names, or in the kind of the failure.
    private static func part(_ word: String) -> (sql: String, values: [Database.Value]) {
        let columns = [
            "SELECT value FROM text WHERE id = run.url", "SELECT value FROM text WHERE id = run.failure",
            "SELECT path FROM request WHERE id = run.request",
        ]
        var places: [String] = []
        var values: [Database.Value] = []
        for form in forms(of: word) {
            places += columns.map { "(\($0)) LIKE ? ESCAPE '\\'" }
            values += Array(repeating: Database.Value.text("%" + escaped(form) + "%"), count: columns.count)
        }
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

    /// The word in the cases in which names are written. SQLite knows the cases of ASCII letters only.
    private static func forms(of word: String) -> [String] {
        guard !word.utf8.allSatisfy({ $0 < 0x80 }) else { return [word] }
        let title = word.prefix(1).uppercased() + word.dropFirst().lowercased()
        var forms = [word]
        for form in [word.lowercased(), word.uppercased(), title] where !forms.contains(form) { forms.append(form) }
        return forms
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
