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
