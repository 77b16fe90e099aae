import OmbiDocument

/// The conditions on a header of the response. Without conditions the header has to be there.
public struct HeaderExpectation: Sendable, Equatable {
    public var name: String
    public var conditions: [ValueCondition]
    public var unknown = UnknownMembers()

    public init(_ name: String, _ conditions: [ValueCondition] = []) {
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
        for case .equals(let value) in conditions where value.stringValue == nil {
            object.error("equals", "the value of a header is a string; write \(JSONValue.quoted(value.compact))")
        }
    }

    var valueJSON: JSONValue {
        if case .equals(let value)? = conditions.first, conditions.count == 1, unknown.entries.isEmpty { return value }
        return Self.unnamed.json(self, unknown)
    }
}

extension ObjectReader {
    /// Reads `{ "name": "value" }` or `{ "name": { "contains": "…" } }`; a list where a name is there twice.
    func headerExpectations(_ key: String) -> [HeaderExpectation] {
        guard let value = value(key) else { return [] }
        if value.kind == .array { return list(key, of: HeaderExpectation.self) }
        return object(key)?.entries.compactMap { name, value in
            if let text = value.string { return HeaderExpectation(name, [.equals(.string(text))]) }
            guard value.kind == .object else {
                log.error(
                    at: value.offset,
                    "\(JSONValue.quoted(name)): expected a string or an object, found \(value.kindName)"
                        + Self.quoteHint("a string", value))
                return nil
            }
            return ObjectReader(value).map { HeaderExpectation(reading: $0, name: name) }
        } ?? []
    }
}
