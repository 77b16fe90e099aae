/// The expected outcome of a request's run, checked by `ombi run` and shown next to the response.
package struct Expectation: Sendable, Equatable {
    /// The accepted statuses; empty accepts any.
    package var status: [StatusPattern]
    /// The limit of the whole run, attempts and waits together.
    package var within: Duration?
    /// The limit of the first attempt alone.
    package var firstAttemptWithin: Duration?
    /// The size of the body after decoding, in bytes.
    package var size: NumberComparison?
    /// The minimum number of days for which the certificate of the server stays valid.
    package var certificateDays: Int?
    package var headers: [HeaderExpectation]
    package var body: [BodyExpectation]
    /// The JSON Schema of the whole body (draft 2020-12).
    package var schema: SavedSchema?
    /// The same, read for a run.
    var loadedSchema: LoadedSchema?
    /// The responses that the document of the request describes; set for a run.
    var documented: [DocumentedResponse] = []
    /// The form in which the file has the statuses.
    var statusForm = StatusForm()
    package var unknown = UnknownMembers()

    package init(
        status: [StatusPattern] = [], within: Duration? = nil, firstAttemptWithin: Duration? = nil,
        size: NumberComparison? = nil, certificateDays: Int? = nil, headers: [HeaderExpectation] = [],
        body: [BodyExpectation] = []
    ) {
        self.status = status
        self.within = within
        self.firstAttemptWithin = firstAttemptWithin
        self.size = size
        self.certificateDays = certificateDays
        self.headers = headers
        self.body = body
    }
}

/// The form of the statuses in a file: `200` or `"200"`. Both mean the same, so all forms are equal.
struct StatusForm: Sendable, Equatable {
    var isNumber = false

    static func == (_: StatusForm, _: StatusForm) -> Bool { true }

    func json(_ pattern: StatusPattern) -> JSONValue {
        guard isNumber, case .code(let code) = pattern else { return .string(pattern.description) }
        return .number(code)
    }
}

extension Expectation {
    /// The number of expectations: each condition is one, and so is a row without conditions.
    package var count: Int {
        let conditions = headers.map(\.conditions.count) + body.map(\.conditions.count)
        let others = [
            !status.isEmpty, within != nil, firstAttemptWithin != nil, size != nil, certificateDays != nil,
            schema != nil,
        ]
        return others.count { $0 } + conditions.reduce(0) { $0 + max(1, $1) }
    }
}

extension Expectation: SavedObject {
    static let members = Members<Expectation>(limits, contents)

    private static let contents: [Member<Expectation>] = [
        Member(
            "headers", headersSchema, read: { $0.headers = $1.headerExpectations($2) },
            write: { JSONValue.named($0.headers) }),
        Member(
            "body", bodySchema, read: { $0.body = $1.list($2, of: BodyExpectation.self) },
            write: { JSONValue.list($0.body) }),
        Member("schema", schemaSchema, read: { $0.schema = SavedSchema($2, in: $1) }, write: { $0.schema?.json }),
    ]

    private static let limits: [Member<Expectation>] = [
        Member("status", statusSchema) {
            let read = status($2, in: $1)
            ($0.status, $0.statusForm.isNumber) = (read.patterns, read.areNumbers)
        } write: {
            let patterns = $0.status.map($0.statusForm.json)
            return patterns.count == 1 ? patterns[0] : patterns.isEmpty ? nil : .array(patterns)
        },
        .duration("within", "The maximum duration of the whole run.", { $0.within = $1 }, { $0.within }),
        .duration(
            "firstAttemptWithin", "The maximum duration of the first attempt.", { $0.firstAttemptWithin = $1 },
            { $0.firstAttemptWithin }),
        Member(
            "size", Schema.reference("comparison", "The size of the decoded body in bytes, such as \"<100000\"."),
            read: { $0.size = $1.comparison($2) }, write: { $0.size?.json }),
        .integer(
            "certificateDays", "The minimum number of days for which the certificate of the server stays valid.",
            in: 0...3650, { $0.certificateDays = $1 }, { $0.certificateDays }),
    ]

    private static var statusSchema: JSONValue {
        let status = Schema.reference("status")
        return ["description": "The accepted statuses.", "oneOf": [status, Schema.list(of: status)]]
    }

    private static var headersSchema: JSONValue {
        let header = Schema.reference("headerExpectation")
        return [
            "description": "The headers that the response has; a media type without parameters accepts any.",
            "oneOf": [
                ["type": "object", "additionalProperties": ["oneOf": [Schema.text(), header]]],
                Schema.list(of: header),
            ],
        ]
    }

    private static var bodySchema: JSONValue {
        Schema.list(
            "Conditions on values of the body, or on its text. Every value that a path selects has to meet them.",
            of: Schema.reference("bodyExpectation"))
    }

    private static var schemaSchema: JSONValue {
        [
            "description":
                "A JSON Schema (draft 2020-12) that the body meets: the path of a file, or the schema itself.",
            "oneOf": [Schema.name(), ["type": "object"], ["type": "boolean"]],
        ]
    }

    init(reading object: ObjectReader) {
        self.init()
        unknown = object.read(Self.members, into: &self)
        warn(object)
    }

    private static func status(_ key: String, in object: ObjectReader) -> (patterns: [StatusPattern], areNumbers: Bool)
    {
        guard let value = object.value(key) else { return ([], false) }
        let values = value.kind == .array ? value.elements : [value]
        let patterns = values.compactMap { value -> StatusPattern? in
            if let text = value.string ?? value.digits, let pattern = StatusPattern(text) { return pattern }
            object.log.error(
                at: value.offset, "\"\(key)\": expected a status such as \"2xx\" or \"200\", or a list of them")
            return nil
        }
        return (patterns, values.contains { $0.kind == .number })
    }

    /// Logs what cannot be met together.
    private func warn(_ object: ObjectReader) {
        if let within, let firstAttemptWithin, firstAttemptWithin > within {
            object.log.warning(
                at: object.value("firstAttemptWithin")?.offset ?? object.offset,
                "\"firstAttemptWithin\": is longer than \"within\", which holds for all attempts together")
        }
        var values: [String: JSONValue] = [:]
        for (index, expected) in body.enumerated() {
            for case .equals(let value) in expected.conditions {
                guard let path = expected.path else { continue }
                if let other = values[path], other != value {
                    object.log.warning(
                        at: object.array("body")?[safe: index]?.offset ?? object.offset,
                        "\(JSONValue.quoted(path)) is expected to equal \(other.compact.excerpt(40)) above; "
                            + "remove one of the two")
                }
                values[path] = value
            }
        }
    }
}

extension Expectation {
    /// The expectations of the whole run as lines of text; an empty text is no expectation.
    package static let fields: [FieldDescriptor<Expectation>] = [
        FieldDescriptor("status", example: "200, or 2xx 404") {
            $0.status.map(\.description).joined(separator: ", ")
        } write: { expectation, text throws(FieldError) in
            expectation.status = try FieldText.list(text, "a status such as 200 or 2xx") { StatusPattern($0) }
        },
        FieldDescriptor("within", duration: \.within, example: "2s"),
        FieldDescriptor("first attempt", duration: \.firstAttemptWithin, example: "500ms"),
        FieldDescriptor("size in bytes", example: "<10000") {
            $0.size?.words ?? ""
        } write: { expectation, text throws(FieldError) in
            expectation.size = text.trimmed.isEmpty ? nil : try ConditionText.count(text)
        },
        FieldDescriptor("certificate days", example: "14") {
            $0.certificateDays.map(String.init) ?? ""
        } write: { expectation, text throws(FieldError) in
            guard !text.trimmed.isEmpty else { return expectation.certificateDays = nil }
            guard let days = Int(text.trimmed), (0...3650).contains(days) else {
                throw FieldError("expected a number of days from 0 to 3650, for example 14")
            }
            expectation.certificateDays = days
        },
        FieldDescriptor("JSON Schema", isPath: true, example: "user.schema.json, or {\"type\": \"object\"}") {
            $0.schema?.text ?? ""
        } write: { expectation, text throws(FieldError) in
            // As the field shows it, `true` is no path.
            guard text != expectation.schema?.text else { return }
            expectation.schema = text.isEmpty ? nil : try SavedSchema(text: text)
        },
    ]

    package var headerRows: [Field] {
        get { headers.map { Field($0.name, ConditionText.text($0.conditions, isText: true)) } }
        set {
            headers = Self.merge(newValue, over: headers, headerRows, \.unknown) { row in
                HeaderExpectation(row.name, (try? ConditionText.conditions(row.value, isText: true)) ?? [])
            }
        }
    }

    /// The body as rows of a path, or `text`, and its conditions.
    package var bodyRows: [Field] {
        get {
            body.map { Field($0.path ?? Self.text, ConditionText.text($0.conditions, isText: $0.path == nil)) }
        }
        set {
            body = Self.merge(newValue, over: body, bodyRows, \.unknown) { row in
                let path = row.name == Self.text ? nil : row.name
                return BodyExpectation(
                    path, (try? ConditionText.conditions(row.value, isText: path == nil)) ?? [])
            }
        }
    }

    /// The name of a row for the text of the body.
    package static let text = "text"

    /// Returns the entries of changed rows; unchanged rows keep theirs.
    /// - Parameter unknown: kept for a changed row, too.
    private static func merge<Entry>(
        _ rows: [Field], over entries: [Entry], _ old: [Field], _ unknown: WritableKeyPath<Entry, UnknownMembers>,
        make: (Field) -> Entry
    ) -> [Entry] {
        rows.enumerated().map { index, row in
            if let same = index < old.count && old[index] == row ? index : old.firstIndex(of: row) {
                return entries[same]
            }
            var entry = make(row)
            if rows.count == old.count { entry[keyPath: unknown] = entries[index][keyPath: unknown] }
            return entry
        }
    }

    /// Throws for a name that no row of the body can have.
    package static func checkBodyName(_ name: String) throws(FieldError) {
        guard name != text, !name.isEmpty else { return }
        do throws(JSONPathError) {
            _ = try JSONPath(name)
        } catch {
            if let path = BodyExpectation.suggestion(for: name) {
                throw FieldError("did you mean \(path)? A JSONPath begins with $")
            }
            throw FieldError("\(error.reason) (column \(error.column))")
        }
    }

    /// Throws for conditions that cannot be read.
    package static func checkConditions(_ line: String, isText: Bool) throws(FieldError) {
        let conditions = try ConditionText.conditions(line, isText: isText)
        if let contradiction = conditions.contradictions.first {
            throw FieldError("\"\(contradiction.key)\" \(contradiction.reason)")
        }
    }
}

extension Expectation {
    /// Expects one of these statuses, too: of two lists, the narrower one says both. Returns false, and changes nothing, for
    /// lists of which no response could meet both.
    mutating func narrow(to patterns: [StatusPattern]) -> Bool {
        if status.isEmpty || Self.isPart(patterns, of: status) {
            status = patterns
            return true
        }
        return Self.isPart(status, of: patterns)
    }

    private static func isPart(_ inner: [StatusPattern], of outer: [StatusPattern]) -> Bool {
        inner.allSatisfy { pattern in
            outer.contains { $0.matches(pattern.codes.lowerBound) && $0.matches(pattern.codes.upperBound) }
        }
    }
}
