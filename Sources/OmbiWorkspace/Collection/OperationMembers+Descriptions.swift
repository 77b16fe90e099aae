import OmbiDocument

/// The descriptions of rows: those of the document are not repeated in the file, and an empty one takes one away.
extension OperationMembers {
    private static let key = "description"

    /// Returns rows of the file with the descriptions that the document has for them.
    /// - Parameter base: the rows of the same name in the document.
    static func described(_ rows: [JSONValue], by base: [JSONValue]) -> [JSONValue] {
        rows.indices.map { base.indices.contains($0) ? described(rows[$0], by: base[$0]) : rows[$0] }
    }

    /// Returns rows without the descriptions that the document has for them.
    static func undescribed(_ rows: [JSONValue], by base: [JSONValue]) -> [JSONValue] {
        rows.indices.map { base.indices.contains($0) ? undescribed(rows[$0], by: base[$0]) : rows[$0] }
    }

    /// Returns named values of the file with the descriptions that the document has for them.
    static func described(_ members: [JSONValue.Member], by base: [JSONValue.Member]) -> [JSONValue.Member] {
        members.map { member in
            guard let documented = base.first(where: { $0.key == member.key })?.value else { return member }
            return JSONValue.Member(member.key, described(member.value, by: documented))
        }
    }

    /// Returns named values without the descriptions that the document has for them; one with nothing but a value is a
    /// text.
    static func undescribed(_ members: [JSONValue.Member], by base: [JSONValue.Member]) -> [JSONValue.Member] {
        members.map { member in
            guard let documented = base.first(where: { $0.key == member.key })?.value else { return member }
            let value = undescribed(member.value, by: documented)
            guard case .object(let parts) = value, parts.count == 1, parts[0].key == "value" else {
                return JSONValue.Member(member.key, value)
            }
            return JSONValue.Member(member.key, parts[0].value)
        }
    }

    private static func described(_ row: JSONValue, by base: JSONValue) -> JSONValue {
        guard let text = base[key] else { return row }
        switch row {
        case .string: return .object([JSONValue.Member("value", row), JSONValue.Member(key, text)])
        case .object(let members) where row[key] == nil: return .object(members + [JSONValue.Member(key, text)])
        default: return row
        }
    }

    private static func undescribed(_ row: JSONValue, by base: JSONValue) -> JSONValue {
        guard let text = base[key] else { return row }
        switch row {
        case .object(let members) where row[key] == text: return .object(members.filter { $0.key != key })
        case .object(let members) where row[key] == nil:
            return .object(members + [JSONValue.Member(key, .string(""))])
        case .string: return .object([JSONValue.Member("value", row), JSONValue.Member(key, .string(""))])
        default: return row
        }
    }
}
