/// The texts in the value of a key of a collection, a folder, an environment or a request. Where templates and secrets
/// are looked for, and what is merged part by part, follows from it.
enum MemberContent: Sendable {
    /// One value without templates.
    case plain
    /// Never sent: names, and words for readers.
    case unsent
    /// Templates in any of its strings.
    case templates
    /// A list of rows, each with a name and a value.
    case rows
    case headers
    /// Values by their names.
    case values
    case variables
    /// Members that are compared with a response as they are written.
    case expectations
    case body
    case authentication
    /// Objects whose keys have contents of their own.
    case levels

    /// True for a list whose rows are merged one by one.
    var hasRows: Bool { self == .rows || self == .headers }

    /// True for an object whose members are merged one by one.
    var hasMembers: Bool { self == .values || self == .variables || self == .expectations }
}

/// One key of an object in a file: how it is read and written, and its JSON Schema.
struct Member<Owner>: Sendable {
    typealias Read = @Sendable (inout Owner, ObjectReader, _ key: String) -> Void
    typealias Write = @Sendable (Owner) -> JSONValue?

    let key: String
    /// True for a key that an object has to have, unless another source gives the rest of it.
    let isRequired: Bool
    /// True for a key whose place another one takes where it is left out.
    let isAlternative: Bool
    let content: MemberContent
    /// Made when it is asked for: few runs of the program do.
    let schema: @Sendable () -> JSONValue
    /// Called for a key that is there.
    let read: Read
    /// Returns nil for a member that is left out.
    let write: Write

    init(
        _ key: String, _ schema: @autoclosure @escaping @Sendable () -> JSONValue, isRequired: Bool = false,
        isAlternative: Bool = false, content: MemberContent = .plain, read: @escaping Read, write: @escaping Write
    ) {
        (self.key, self.isRequired, self.isAlternative, self.schema) = (key, isRequired, isAlternative, schema)
        (self.content, self.read, self.write) = (content, read, write)
    }
}

/// Rows of the usual kinds. The closures set and get the property.
extension Member {
    /// A key that is read together with others.
    static func apart(
        _ key: String, _ schema: @autoclosure @escaping @Sendable () -> JSONValue, write: @escaping Write
    ) -> Member {
        Member(key, schema(), read: { _, _, _ in }, write: write)
    }

    /// One of several keys that exclude each other, and are read together.
    static func alternative(
        _ key: String, _ schema: @autoclosure @escaping @Sendable () -> JSONValue, write: @escaping Write
    ) -> Member {
        Member(key, schema(), isAlternative: true, read: { _, _, _ in }, write: write)
    }

    static func text(
        _ key: String, _ schema: @autoclosure @escaping @Sendable () -> JSONValue, isRequired: Bool = false,
        content: MemberContent = .plain, _ set: @escaping @Sendable (inout Owner, String) -> Void,
        _ get: @escaping @Sendable (Owner) -> String?
    ) -> Member {
        Member(key, schema(), isRequired: isRequired, content: content) { owner, object, key in
            if let text = object.string(key) { set(&owner, text) }
        } write: {
            get($0).map(JSONValue.string)
        }
    }

    /// A text that is left out where it is empty.
    static func optional(
        _ key: String, _ schema: @autoclosure @escaping @Sendable () -> JSONValue,
        _ set: @escaping @Sendable (inout Owner, String) -> Void, _ get: @escaping @Sendable (Owner) -> String
    ) -> Member {
        Member(key, schema()) { owner, object, key in
            if let text = object.string(key) { set(&owner, text) }
        } write: {
            JSONValue.optional(get($0))
        }
    }

    /// A text that must not be empty.
    static func name(
        _ key: String, _ description: String? = nil, isRequired: Bool = false, content: MemberContent = .plain,
        _ set: @escaping @Sendable (inout Owner, String) -> Void, _ get: @escaping @Sendable (Owner) -> String?
    ) -> Member {
        Member(key, Schema.name(description), isRequired: isRequired, content: content) { owner, object, key in
            set(&owner, object.name(key))
        } write: {
            get($0).map(JSONValue.string)
        }
    }

    /// A Boolean that is left out where it is the default.
    static func flag(
        _ key: String, _ description: String?, default standard: Bool,
        _ set: @escaping @Sendable (inout Owner, Bool) -> Void, _ get: @escaping @Sendable (Owner) -> Bool
    ) -> Member {
        Member(key, Schema.flag(description, default: standard)) { owner, object, key in
            if let value = object.bool(key) { set(&owner, value) }
        } write: {
            get($0) == standard ? nil : .bool(!standard)
        }
    }

    static func integer(
        _ key: String, _ description: String?, in range: ClosedRange<Int>, default standard: Int? = nil,
        isRequired: Bool = false, _ set: @escaping @Sendable (inout Owner, Int) -> Void,
        _ get: @escaping @Sendable (Owner) -> Int?
    ) -> Member {
        Member(key, Schema.integer(description, in: range, default: standard), isRequired: isRequired) {
            owner, object, key in
            if let number = object.integer(key, in: range) { set(&owner, number) }
        } write: {
            get($0).map { JSONValue.number($0) }
        }
    }

    static func duration(
        _ key: String, _ description: @autoclosure @escaping @Sendable () -> String?, isRequired: Bool = false,
        allowsZero: Bool = false, _ set: @escaping @Sendable (inout Owner, Duration) -> Void,
        _ get: @escaping @Sendable (Owner) -> Duration?
    ) -> Member {
        let definition = allowsZero ? "durationOrZero" : "duration"
        return Member(key, Schema.reference(definition, description()), isRequired: isRequired) { owner, object, key in
            if let duration = object.duration(key, allowsZero: allowsZero) { set(&owner, duration) }
        } write: {
            get($0).map { .string(DurationText.format($0)) }
        }
    }

    static func age(
        _ key: String, _ description: String, allowsZero: Bool = false,
        _ set: @escaping @Sendable (inout Owner, Duration) -> Void, _ get: @escaping @Sendable (Owner) -> Duration?
    ) -> Member {
        Member(key, Schema.reference(allowsZero ? "ageOrZero" : "age", description)) { owner, object, key in
            if let age = object.age(key, allowsZero: allowsZero) { set(&owner, age) }
        } write: {
            get($0).map { .string(AgeText.format($0)) }
        }
    }

    /// One of the names of a type.
    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ key: String, _ description: String, of _: Choice.Type,
        _ set: @escaping @Sendable (inout Owner, Choice) -> Void,
        _ get: @escaping @Sendable (Owner) -> Choice?
    ) -> Member {
        Member(key, Schema.choice(description, of: Choice.allCases.map(\.rawValue))) { owner, object, key in
            if let choice = object.choice(key, of: Choice.self) { set(&owner, choice) }
        } write: {
            get($0).map { .string($0.rawValue) }
        }
    }

    /// An object of another type.
    static func object<Value: JSONObjectConvertible>(
        _ key: String, _ schema: @autoclosure @escaping @Sendable () -> JSONValue, as _: Value.Type,
        content: MemberContent = .plain, _ set: @escaping @Sendable (inout Owner, Value) -> Void,
        _ get: @escaping @Sendable (Owner) -> Value?
    ) -> Member {
        Member(key, schema(), content: content) { owner, object, key in
            if let value = object.value(key, as: Value.self) { set(&owner, value) }
        } write: {
            get($0)?.json
        }
    }
}

/// The members of a type of object in a file, in the order in which they are written.
struct Members<Owner>: Sendable {
    let rows: [Member<Owner>]
    let index: JSONKeys
    /// A bit for each row, set where it is required.
    let required: UInt64

    /// - Parameter groups: rows, at most 64 in all.
    init(_ groups: [Member<Owner>]...) {
        let rows = Array(groups.joined())
        (self.rows, index) = (rows, JSONKeys(rows.map { $0.key }))
        var required: UInt64 = 0
        for (position, row) in rows.enumerated() where row.isRequired { required |= 1 << UInt64(position) }
        self.required = required
    }

    func without(_ keys: String...) -> Members { Members(rows.filter { !keys.contains($0.key) }) }

    var contents: [(String, MemberContent)] { rows.map { ($0.key, $0.content) } }

    /// Returns an object without defaults, with unknown members at their old positions.
    func json(_ owner: Owner, _ unknown: UnknownMembers) -> JSONValue {
        var writer = ObjectWriter()
        for row in rows {
            let value = row.write(owner)
            if value != nil || !row.isAlternative { writer.add(row.key, value) }
        }
        return writer.object(unknown)
    }

    /// Returns the JSON Schema of the object.
    /// - Parameters:
    ///   - required: the required keys, where they are not all that an object by itself has to have.
    ///   - rules: further keywords.
    func schema(_ description: String? = nil, required: [String]? = nil, rules: JSONValue = .object([])) -> JSONValue {
        let required = required ?? rows.filter(\.isRequired).map(\.key)
        let schema: JSONValue = [
            "type": "object", "description": description.map(JSONValue.string),
            "required": required.isEmpty ? nil : .strings(required),
            "properties": rows.isEmpty ? nil : .object(rows.map { JSONValue.Member($0.key, $0.schema()) }),
        ]
        return schema.appending(rules)
    }
}

extension ObjectReader {
    /// Reads the members of a table into their owner. Returns the others, with a warning for each; those that begin with `x-`
    /// are the user's own.
    /// - Parameter explained: a key about which something else is said.
    func read<Owner>(
        _ table: Members<Owner>, into owner: inout Owner, explained: String? = nil
    ) -> UnknownMembers {
        var object = self
        var (found, next): (UInt64, Int) = (0, 0)
        var others: [Int] = []
        for index in members.all.indices {
            let member = members.all[index]
            guard let position = table.index.position(of: member, from: next) else {
                others.append(index)
                continue
            }
            next = position + 1
            let bit: UInt64 = 1 << UInt64(position)
            // The first of a repeated key counts.
            guard found & bit == 0 else { continue }
            found |= bit
            if isPartial, member.kind == .null { continue }
            let key = table.rows[position].key
            object.current = (key, index)
            table.rows[position].read(&owner, object, key)
        }
        let lacking = isPartial ? 0 : table.required & ~found
        if lacking != 0 {
            for (position, key) in table.index.names.enumerated() where lacking >> UInt64(position) & 1 == 1 {
                missing(key)
            }
        }
        return others.isEmpty ? UnknownMembers() : unknown(others, besides: table.index.names, explained)
    }
}

/// The JSON Schema (draft 2020-12) of the usual values in a file.
enum Schema {
    static func text(_ description: String? = nil, pattern: String? = nil) -> JSONValue {
        [
            "type": "string", "pattern": pattern.map(JSONValue.string),
            "description": description.map(JSONValue.string),
        ]
    }

    /// A text that must not be empty.
    static func name(_ description: String? = nil) -> JSONValue {
        ["type": "string", "minLength": 1, "description": description.map(JSONValue.string)]
    }

    static func flag(_ description: String? = nil, default standard: Bool? = nil) -> JSONValue {
        [
            "type": "boolean", "description": description.map(JSONValue.string),
            "default": standard.map(JSONValue.bool),
        ]
    }

    static func integer(
        _ description: String? = nil, in range: ClosedRange<Int>, default standard: Int? = nil
    ) -> JSONValue {
        [
            "type": "integer", "minimum": .number(range.lowerBound),
            "maximum": range.upperBound == .max ? nil : .number(range.upperBound),
            "description": description.map(JSONValue.string), "default": standard.map { JSONValue.number($0) },
        ]
    }

    static func choice(_ description: String, of names: [String]) -> JSONValue {
        ["description": .string(description), "enum": .strings(names)]
    }

    static func list(_ description: String? = nil, of element: JSONValue) -> JSONValue {
        ["type": "array", "description": description.map(JSONValue.string), "items": element]
    }

    static func reference(_ name: String, _ description: String? = nil) -> JSONValue {
        ["description": description.map(JSONValue.string), "$ref": .string("#/$defs/\(name)")]
    }
}
