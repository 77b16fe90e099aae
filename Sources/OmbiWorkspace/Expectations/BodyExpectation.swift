/// The conditions on the values that a JSONPath selects in the body, or on its text. Without conditions, the path must
/// select something.
///
/// All selected values must meet them.
package struct BodyExpectation: Sendable, Equatable {
    /// A JSONPath (RFC 9535); nil for the text of the body.
    package var path: String?
    package var conditions: [ValueCondition]
    package var unknown = UnknownMembers()

    package init(_ path: String? = nil, _ conditions: [ValueCondition] = []) {
        self.path = path
        self.conditions = conditions
    }

    /// The conditions on the text of a body.
    static let textKeys = ["equals", "contains", "matches", "notEquals", "notContains", "notMatches"]
}

extension BodyExpectation: SavedObject, Conditional {
    static let members = Members<BodyExpectation>([
        .text(
            "path", Schema.text("A JSONPath (RFC 9535), such as \"$.items[0].id\"."), { $0.path = $1 }, { $0.path }),
        .condition("equals", ["description": "The value, compared as JSON."]),
        .condition("contains", ["description": "A part of a string, or an element of an array."]),
        .condition("matches", Schema.name("A regular expression for any part of a string.")),
        .condition("notEquals", ["description": "A value that the one there does not equal."]),
        .condition("notContains", ["description": "A part that the string or the array does not contain."]),
        .condition("notMatches", Schema.name("A regular expression that matches no part of the string.")),
        .condition("type", typeSchema),
        .condition(
            "count",
            Schema.reference(
                "comparison",
                "The number of elements, members or characters; of a path that may select several values, the number of "
                    + "those.")),
        .condition("exists", Schema.flag()), .condition("less", Schema.reference("bound")),
        .condition("atMost", Schema.reference("bound")), .condition("greater", Schema.reference("bound")),
        .condition("atLeast", Schema.reference("bound")),
    ])

    static var schema: JSONValue {
        members.schema(
            "Conditions on the values at a path; without any the path has to select something. Without a path, conditions on "
                + "the text.")
    }

    private static var typeSchema: JSONValue {
        let type = Schema.reference("valueType")
        return [
            "description": "The type of the value, or the types that it may have.",
            "oneOf": [type, Schema.list(of: type)],
        ]
    }

    init(reading object: ObjectReader) {
        self.init()
        unknown = object.read(Self.members, into: &self)
        conditions = object.conditions()
        if let path { Self.check(path, in: object) } else { checkText(object) }
    }

    private static func check(_ path: String, in object: ObjectReader) {
        do throws(JSONPathError) {
            _ = try JSONPath(path)
        } catch {
            let hint = suggestion(for: path).map { "; did you mean \(JSONValue.quoted($0))?" } ?? ""
            object.log.error(
                at: object.value("path")?.offset(ofColumn: error.column) ?? object.offset,
                "\"path\": \(error.reason)\(hint)")
        }
    }

    /// Returns the path that was probably meant: one without its `$`.
    static func suggestion(for path: String) -> String? {
        guard !path.hasPrefix("$") else { return nil }
        let candidates = ["$" + path, "$." + path]
        return candidates.first { (try? JSONPath($0)) != nil }
    }

    private func checkText(_ object: ObjectReader) {
        guard !object.has("path") else { return }
        guard !conditions.isEmpty else {
            let hasOthers = ValueCondition.keys.contains(where: object.has)
            return hasOthers ? () : object.missing("path")
        }
        for condition in conditions where !Self.textKeys.contains(condition.key) {
            object.error(condition.key, "needs a \"path\", such as \"$\" for the whole body")
        }
        for condition in conditions {
            switch condition.plain {
            case .equals(let value) where value.stringValue == nil:
                object.error(condition.key, "the text of a body is a string; a \"path\" of \"$\" compares JSON")
            case .contains(let value) where value.stringValue == nil:
                object.error(condition.key, "the text of a body is a string; write it in quotes")
            default: break
            }
        }
    }
}

extension BodyExpectation {
    /// Adds a condition in canonical order, replacing one of the same kind.
    mutating func add(_ condition: ValueCondition) {
        let others = conditions.filter { $0.key != condition.key && $0 != .exists(false) } + [condition]
        conditions = ValueCondition.keys.compactMap { key in others.first { $0.key == key } }
    }
}

/// A condition on the data of one event of a stream, as a line: `$.done = true`.
package struct EventCondition: Sendable, Equatable {
    package let text: String
    private let expectation: BodyExpectation

    /// Reads a JSONPath and the conditions after it; without conditions, the path must select something.
    package init(_ text: String) throws(FieldError) {
        self.text = text
        let line = text.trimmed
        // A path may hold spaces: what is left behind the longest one are the conditions.
        let ends = [line.endIndex] + line.indices.filter { line[$0] == " " }.reversed()
        var problem: FieldError?
        for end in ends {
            let path = line[..<end].trimmed
            guard (try? JSONPath(path)) != nil else { continue }
            do throws(FieldError) {
                expectation = BodyExpectation(path, try ConditionText.conditions(String(line[end...]), isText: false))
                return
            } catch { problem = error }
        }
        throw problem ?? FieldError("write a JSONPath and a condition, such as $.done = true")
    }

    package func isMet(
        by data: String, within time: EvaluationTime = EvaluationTime()
    ) throws(EvaluationTime.Interruption) -> Bool {
        let observation = Observation(
            headers: ["Content-Type": "application/json"], body: Data(data.utf8), time: time)
        let isMet = Expectation(body: [expectation]).results(observation).allSatisfy(\.isMet)
        if let interruption = time.interruption { throw interruption }
        return isMet
    }
}

/// The conditions on a header of the response. Without conditions the header has to be there.
package struct HeaderExpectation: Sendable, Equatable {
    package var name: String
    package var conditions: [ValueCondition]
    package var unknown = UnknownMembers()

    package init(_ name: String, _ conditions: [ValueCondition] = []) {
        self.name = name
        self.conditions = conditions
    }

    /// The conditions that text can meet.
    static let conditionKeys = Array(members.index.names.dropFirst())
}

extension HeaderExpectation: NamedObject, Conditional {
    static let members = Members<HeaderExpectation>([
        Member(
            "name", Schema.text("The name, in a list."), isRequired: true, read: { $0.name = $1.name($2) },
            write: { .string($0.name) }),
        .condition("equals", Schema.text()), .condition("contains", Schema.name()),
        .condition("matches", Schema.name("A regular expression for any part of the value.")),
        .condition("notEquals", Schema.text()), .condition("notContains", Schema.name()),
        .condition("notMatches", Schema.name("A regular expression that matches no part of a value.")),
        .condition("exists", Schema.flag()),
    ])
    static let unnamed = members.without("name")

    /// With the conditions that are errors here.
    private static let known = Members<HeaderExpectation>(
        members.rows, unfit.map { Member<HeaderExpectation>.condition($0, .null) })
    private static let knownUnnamed = known.without("name")
    private static let unfit = ValueCondition.keys.filter { !conditionKeys.contains($0) }

    static var schema: JSONValue {
        members.schema("Conditions on a header; without any it has to be there.", required: [])
    }

    init(reading object: ObjectReader, name: String?) {
        self.init(name ?? "")
        unknown = object.read(name == nil ? Self.known : Self.knownUnnamed, into: &self)
        conditions = object.conditions().filter { Self.conditionKeys.contains($0.key) }
        for key in Self.unfit where object.has(key) {
            object.error(
                key, "a header is text; the conditions on it are \(Self.conditionKeys.joined(separator: ", "))")
        }
        for condition in conditions {
            guard case .equals(let value) = condition.plain, value.stringValue == nil else { continue }
            object.error(condition.key, "the value of a header is a string; write \(JSONValue.quoted(value.compact))")
        }
    }

    var valueJSON: JSONValue {
        if case .equals(let value)? = conditions.first, conditions.count == 1, unknown.entries.isEmpty { return value }
        return Self.unnamed.json(self, unknown)
    }
}

extension ObjectReader {
    /// Reads `{ "name": "value" }` or `{ "name": { "contains": "…" } }`; a list if a name occurs twice.
    func headerExpectations(_ key: String) -> [HeaderExpectation] {
        guard let value = value(key) else { return [] }
        if value.kind == .array { return list(key, of: HeaderExpectation.self) }
        return object(key)?.entries.compactMap { name, value in
            if let text = value.string { return HeaderExpectation(name, [.equals(.string(text))]) }
            guard value.kind == .object else {
                log.error(
                    at: value.offset,
                    "\(JSONValue.quoted(name)): expected a string or an object, found \(value.kindName)"
                        + Self.quoteHint(name, "a string", value))
                return nil
            }
            return ObjectReader(value).map { HeaderExpectation(reading: $0, name: name) }
        } ?? []
    }
}
