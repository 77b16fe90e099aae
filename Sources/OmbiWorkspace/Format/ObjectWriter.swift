import OmbiCore
import OmbiDocument

/// Builds an object of the collection file: known members in canonical order, unknown ones at their old positions.
struct ObjectWriter {
    private var slots: [(key: String, value: JSONValue?)] = []

    /// Adds a member; nil leaves it out, but keeps its position in the order.
    mutating func add(_ key: String, _ value: JSONValue?) { slots.append((key, value)) }

    mutating func add(_ key: String, text: String?) { add(key, text.map(JSONValue.string)) }

    /// Adds text that is left out when it is empty.
    mutating func add(_ key: String, optional text: String) { add(key, text: text.isEmpty ? nil : text) }

    /// Adds a list that is left out when it is empty.
    mutating func add(_ key: String, list: [JSONValue]) { add(key, list.isEmpty ? nil : .array(list)) }

    mutating func add(_ key: String, duration: Duration?) { add(key, text: duration.map(DurationText.format)) }

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
            let found = document.firstRoot.flatMap {
                ObjectReader(FileValue(node: $0, kind: document.kind(of: $0), log: log))
            }.map(value)
            return (found, log.problems)
        } catch {
            return (nil, [Problem(file: file, position: error.position, message: error.reason)])
        }
    }
}

/// A value that is an object in the collection file.
protocol JSONObjectConvertible {
    /// The known keys. Others are kept, with a warning if they look misspelled.
    static var keys: [String] { get }

    /// Reads an object; logs its errors, and uses defaults for invalid members.
    init(reading object: ObjectReader)

    /// The object with its keys in canonical order, without defaults.
    var json: JSONValue { get }
}
