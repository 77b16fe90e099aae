/// Builds an object of the collection file: known members in canonical order, unknown ones at their old positions.
struct ObjectWriter {
    private var slots: [(key: String, value: JSONValue?)] = []

    /// Adds a member; nil leaves it out, but keeps its position in the order.
    mutating func add(_ key: String, _ value: JSONValue?) { slots.append((key, value)) }

    mutating func add(_ key: String, text: String?) { add(key, text.map(JSONValue.string)) }

    /// Adds a list that is left out when it is empty.
    mutating func add(_ key: String, list: [JSONValue]) { add(key, list.isEmpty ? nil : .array(list)) }

    func object(_ unknown: UnknownMembers) -> JSONValue {
        var members = slots.compactMap { slot in slot.value.map { JSONValue.Member(slot.key, $0) } }
        let written = Set(members.map(\.key))
        for entry in unknown.entries where !written.contains(entry.member.key) {
            members.insert(entry.member, at: index(of: entry, in: members, written))
        }
        return .object(members)
    }

    /// Returns the index after the key that the entry followed, or after the nearest key before that one which is written.
    private func index(of entry: UnknownMembers.Entry, in members: [JSONValue.Member], _ written: Set<String>) -> Int {
        guard let key = entry.previousKey else { return 0 }
        if let index = members.firstIndex(where: { $0.key == key }) { return index + 1 }
        let slot = slots.firstIndex { $0.key == key } ?? slots.count
        guard let previous = slots[..<slot].last(where: { $0.value != nil }),
            let index = members.firstIndex(where: { $0.key == previous.key })
        else { return members.firstIndex { written.contains($0.key) } ?? members.count }
        return members[(index + 1)...].firstIndex { written.contains($0.key) } ?? members.count
    }
}

/// Reads a file that holds one object other than a collection: settings, a theme.
package enum ObjectFile {
    /// Returns the value, and every problem with it. There is no value when the file is no JSON, or no object.
    package static func read<Value>(
        _ bytes: [UInt8], file: String, as value: (ObjectReader) -> Value
    ) -> (value: Value?, problems: [Problem]) {
        do throws(JSONSyntaxError) {
            let document = try JSONDocument(checking: Bytes(bytes))
            let log = ProblemLog(file: file, document: document)
            for key in document.duplicateKeys { log.error(at: key.error.offset, key.error.reason) }
            let found = ObjectReader(rootOf: log).map(value)
            return (found, log.problems)
        } catch {
            return (nil, [Problem(file: file, position: error.position, message: error.reason)])
        }
    }
}

/// A value that is an object in a file.
protocol JSONObjectConvertible: Sendable {
    /// Reads an object; logs its errors, and uses defaults for invalid members.
    init(reading object: ObjectReader)

    /// The object with its keys in canonical order, without defaults.
    var json: JSONValue { get }

    /// Such an object as messages suggest it; empty for one without a usual form.
    static var objectForm: String { get }
}

extension JSONObjectConvertible {
    static var objectForm: String { "" }
}

/// A value of the collection file: one table says how its members are read and written, and what their schema is.
protocol SavedObject: JSONObjectConvertible {
    static var members: Members<Self> { get }
    /// The members of the file that are not in the table: kept, with a warning.
    var unknown: UnknownMembers { get }
}

extension SavedObject {
    static var keys: [String] { members.index.names }

    var json: JSONValue { Self.members.json(self, unknown) }

    /// `{ "name": …, "value": … }`: the required members.
    static var objectForm: String {
        let required = members.rows.filter(\.isRequired).map { "\(JSONValue.quoted($0.key)): …" }
        return required.isEmpty ? "" : "{ " + required.joined(separator: ", ") + " }"
    }
}

/// A value with a name, which is the key of an object in a list of named values.
protocol NamedObject: SavedObject {
    /// The members besides the name.
    static var unnamed: Members<Self> { get }
    var name: String { get }
    var valueJSON: JSONValue { get }

    /// - Parameter name: nil for an element of an array, which has its name in itself.
    init(reading object: ObjectReader, name: String?)
}

extension NamedObject {
    init(reading object: ObjectReader) { self.init(reading: object, name: nil) }

    var valueJSON: JSONValue { Self.unnamed.json(self, unknown) }
}

extension JSONValue {
    /// An object of values by their names, or an array where a name occurs twice; nil for none.
    static func named<Value: NamedObject>(_ values: [Value]) -> JSONValue? {
        guard !values.isEmpty else { return nil }
        let areUnique = Set(values.map { Array($0.name.utf8) }).count == values.count
        return areUnique
            ? .object(values.map { JSONValue.Member($0.name, $0.valueJSON) }) : .array(values.map(\.json))
    }

    /// An array that is left out when it is empty.
    static func list(_ values: [some JSONObjectConvertible]) -> JSONValue? {
        values.isEmpty ? nil : .array(values.map(\.json))
    }

    /// A text that is left out when it is empty.
    static func optional(_ text: String) -> JSONValue? { text.isEmpty ? nil : .string(text) }
}

/// A value of a collection file, with its position for error messages.
package struct FileValue {
    let node: JSONNode
    package let kind: JSONKind
    package let log: ProblemLog

    /// Lent, as threads that read parts of one document would count its references in turn.
    private var document: JSONDocument { _read { yield log.document } }

    /// The offset of the value's first byte.
    package var offset: Int { document.range(of: node).lowerBound }

    var range: Range<Int> { document.range(of: node) }

    /// The content of a string; nil for other values.
    package var string: String? { kind == .string ? document.text(ofString: node).string : nil }

    /// A number as written; nil for other values.
    package var digits: String? { kind == .number ? document.source(of: node) : nil }

    package var elements: [FileValue] { compactMap { $0 } }

    /// Returns what `make` returns for each value in an array, in order, without nil.
    func compactMap<Element>(_ make: (FileValue) -> Element?) -> [Element] {
        document.children(of: node).compactMap { make(FileValue(node: $0, kind: document.kind(of: $0), log: log)) }
    }

    /// The value without positions.
    var value: JSONValue { document.value(of: node) }

    /// The value without positions, read when it is asked for.
    var storedValue: Stored<JSONValue> { Stored(node, in: log.shared) { $0.value(of: $1) } }

    /// The content of a string, decoded when it is asked for.
    var storedText: Stored<String> { Stored(node, in: log.shared) { $0.text(ofString: $1).string } }

    /// The type of the value as error messages name it: "a string", "null".
    package var kindName: String {
        switch kind {
        case .null, .true, .false: kind.rawValue
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
