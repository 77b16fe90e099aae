/// A selection of runs. A property that is nil or empty selects all.
package struct HistoryFilter: Equatable, Sendable {
    /// The request with this path, or those in this file or folder.
    package var item: ItemPath?
    /// True for the requests below `item` as well.
    package var includesContents = false
    package var environment: String?
    package var outcomes: Set<RecordedOutcome> = []
    package var status: StatusPattern?
    package var since: Date?
    package var until: Date?
    /// To be found in the URL, in the reason of the failure, or in the names; letters in either case.
    package var text = ""
    /// True if few runs have the text; set by `HistoryReader`.
    var isTextRare = false
    /// True if fewer runs match the time than match `item`; set by `HistoryReader`.
    var isTimeRare = false
    /// True for the requests for schemas as well, which are no runs of a request.
    package var includesIntrospections = false
    /// The numbers of the requests for schemas, to be left out; `HistoryReader` looks for them.
    var introspections: [Int] = []
    /// Each is to be found where `text` is, or in the kind of the failure: `timeout`.
    package var words: [String] = []
    /// The paths of files, one of which has the request.
    package var files: [String] = []
    /// The starts of the names of the environment and of the method; letters in either case.
    package var environmentStart: String?
    package var methodStart: String?
    /// The number of attempts.
    package var attempts: ClosedRange<Int>?
    package var duration: ClosedRange<Duration>?
    /// A JSONPath that selects something in the body of the response; `History.selected` looks for the bodies.
    package var bodyPath: String?
    /// The numbers of the contents with such a value.
    var bodies: [Int]?
    /// The runs with these numbers.
    package var ids: [Int] = []
    /// The runs that were recorded before the one with this number.
    package var before: HistoryEntry.ID?
    /// The number of newest runs to keep of the selection; nil for all.
    package var last: Int?

    package init(item: ItemPath? = nil, text: String = "") {
        self.item = item
        self.text = text
    }

    /// True if all runs are of one request of a collection.
    var isOfOneRequest: Bool {
        guard let item, !includesContents else { return false }
        return item.path.suffix(ItemPath.introspection.count) != ItemPath.introspection[...]
    }

    /// True if only requests and an environment are selected.
    var selectsRequests: Bool {
        var requests = HistoryFilter(item: item)
        (requests.includesContents, requests.environment) = (includesContents, environment)
        return self == requests
    }

    /// The same selection, with a time that has only a start ending now: after the clock was set back there are runs of
    /// the future. A time that begins there stays open.
    package func ending(at now: Date) -> HistoryFilter {
        var filter = self
        if let since, until == nil, since <= now { filter.until = now }
        return filter
    }

    /// The condition of a `WHERE`, with its parameters.
    var condition: (sql: String, values: [Database.Value]) {
        var parts: [String] = []
        var values: [Database.Value] = []
        func add(_ part: String, _ new: Database.Value...) {
            parts.append(part)
            values += new
        }
        for (part, new) in itemParts + furtherParts {
            parts.append(part)
            values += new
        }
        if let environment { add("run.environment = (SELECT id FROM text WHERE value = ?)", .text(environment)) }
        if !outcomes.isEmpty {
            add("run.outcome IN (\(outcomes.map { String($0.rawValue) }.sorted().joined(separator: ",")))")
        }
        if let status {
            add("run.status BETWEEN ? AND ?", .integer(status.codes.lowerBound), .integer(status.codes.upperBound))
        }
        if let since { add("run.started >= ?", .integer(since.microseconds)) }
        if let until { add("run.started <= ?", .integer(until.microseconds)) }
        if let bodies { add("run.body IN (\(bodies.map(String.init).joined(separator: ",")))") }
        if let before { add("run.id < ?", .integer(before)) }
        if !introspections.isEmpty {
            add("run.request NOT IN (\(introspections.map(String.init).joined(separator: ",")))")
        }
        if !ids.isEmpty { add("run.id IN (\(ids.map(String.init).joined(separator: ",")))") }
        if !text.isEmpty {
            // The indexes find a text that few runs have. One that many have is found from the newest run on: with the indexes, all
            // of a million runs would be collected before the first.
            parts.append(isTextRare ? "run.id IN (\(Self.runsWithText))" : Self.hasText)
            values += textValues
        }
        let all = parts.isEmpty ? "1" : parts.joined(separator: " AND ")
        guard let last else { return (all, values) }
        return (
            "run.id IN (SELECT run.id FROM run WHERE \(all) ORDER BY run.id DESC LIMIT ?)", values + [.integer(last)]
        )
    }

    /// The condition for the request.
    private var itemParts: [(sql: String, values: [Database.Value])] {
        guard let item else { return [] }
        let path = HistoryPath.text(item.path)
        // The sign keeps SQLite from the index of requests.
        let request = isTimeRare ? "+run.request" : "run.request"
        guard includesContents else {
            return [
                (
                    "\(request) IN (SELECT id FROM request WHERE file = ? AND path = ?)",
                    [.text(item.file), .text(path)]
                )
            ]
        }
        // A path is a list: its prefix ends before the closing bracket.
        let prefix = path == "[]" ? "[" : path.dropLast() + ","
        return [
            (
                "\(request) IN (SELECT id FROM request WHERE file = ? AND (path = ? OR substr(path, 1, ?) = ?))",
                [.text(item.file), .text(path), .integer(prefix.unicodeScalars.count), .text(String(prefix))]
            )
        ]
    }

    private static let texts = "(SELECT id FROM text WHERE value LIKE ? ESCAPE '\\')"
    private static let requests = "(SELECT id FROM request WHERE path LIKE ? ESCAPE '\\')"

    /// Without indexes, by a look at each run.
    private static let hasText = "(+run.url IN \(texts) OR +run.failure IN \(texts) OR +run.request IN \(requests))"

    /// The numbers of the runs with the text, some of them twice.
    static let runsWithText = """
        SELECT id FROM run WHERE url IN \(texts) UNION ALL SELECT id FROM run WHERE failure IN \(texts)
        UNION ALL SELECT id FROM run WHERE request IN \(requests)
        """

    /// The parameters of both.
    var textValues: [Database.Value] {
        Array(repeating: .text("%" + Self.escaped(text) + "%"), count: 3)
    }

    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            if "%_\\".contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
    }
}

/// The names of a path as one text of the database.
enum HistoryPath {
    /// The end of the path under which an introspection of a service is recorded.
    static var introspectionEnd: String { ",\(text(ItemPath.introspection).dropFirst())" }

    static func text(_ names: [String]) -> String {
        names.isEmpty ? "[]" : JSONValue.array(names.map(JSONValue.string)).compact
    }

    static func names(_ text: String) -> [String] {
        guard case .array(let names)? = try? JSONValue.parse(text) else { return [] }
        return names.compactMap(\.stringValue)
    }
}

extension Date {
    /// Microseconds since 1970, within the years 1 to 9999.
    var microseconds: Int {
        let (least, most) = (Double(StoredRange.date.lowerBound), Double(StoredRange.date.upperBound))
        return Int(min(max(timeIntervalSince1970 * 1_000_000, least), most).rounded())
    }

    init(microseconds: Int) { self.init(timeIntervalSince1970: Double(microseconds) / 1_000_000) }
}

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
    package var indexed: HistoryFilter {
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

    /// Shorter texts occur in too many kinds.
    private static let minimumKind = 3

    private static func has(_ word: String, in text: String) -> Bool {
        text.indices.contains { text[$0...].hasPrefix(word) }
    }
}
