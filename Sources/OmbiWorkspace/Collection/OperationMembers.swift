/// The members of a request that is based on an operation: those of the document, under those of the file.
///
/// Rows are added by their names, expectations by their keys, anything else as a whole; `null` takes a member away.
enum OperationMembers {
    // MARK: Adding

    /// Returns the members of both; of one key those of the file.
    static func merged(_ own: [JSONValue.Member], over base: [JSONValue.Member]) -> [JSONValue.Member] {
        let known = Set(base.map(\.key))
        let added = own.filter { !known.contains($0.key) && $0.value != .null }
        let changed = base.compactMap { member -> JSONValue.Member? in
            guard let mine = own.first(where: { $0.key == member.key }) else { return member }
            return merged(mine.value, over: member).map { JSONValue.Member(member.key, $0) }
        }
        return changed + added
    }

    private static func merged(_ own: JSONValue, over base: JSONValue.Member) -> JSONValue? {
        let content = MemberContent.of(base.key)
        return switch (own, base.value) {
        case (.null, _): nil
        case (.array(let mine), .array(let theirs)) where content.hasRows:
            .array(merged(rows: mine, over: theirs, base.key))
        case (.object(let mine), .object(let theirs)) where content == .values:
            .object(merged(described(mine, by: theirs), over: theirs))
        case (.object(let mine), .object(let theirs)) where content.hasMembers:
            .object(merged(mine, over: theirs))
        default: own
        }
    }

    private static func merged(rows own: [JSONValue], over base: [JSONValue], _ key: String) -> [JSONValue] {
        let theirs = names(of: base, key)
        let changed = theirs.flatMap { name -> [JSONValue] in
            let documented = base.filter { Self.name(of: $0, key) == name }
            let mine = own.filter { Self.name(of: $0, key) == name }
            return mine.isEmpty ? documented : described(mine, by: documented)
        }
        return changed + own.filter { !theirs.contains(name(of: $0, key)) }
    }

    // MARK: Taking apart

    /// Returns the members that differ from those of the document.
    static func difference(_ whole: [JSONValue.Member], from base: [JSONValue.Member]) -> [JSONValue.Member] {
        var own: [JSONValue.Member] = []
        for member in whole {
            guard let theirs = base.first(where: { $0.key == member.key })?.value else {
                own.append(member)
                continue
            }
            if let value = difference(member, from: theirs) { own.append(JSONValue.Member(member.key, value)) }
        }
        for member in base where !whole.contains(where: { $0.key == member.key }) {
            let content = MemberContent.of(member.key)
            // A path parameter that is left out is that of the document.
            guard content != .values else { continue }
            guard content.hasRows, case .array(let elements) = member.value else {
                own.append(JSONValue.Member(member.key, .null))
                continue
            }
            let left = difference(rows: [], from: elements, member.key)
            if !left.isEmpty { own.append(JSONValue.Member(member.key, .array(left))) }
        }
        return own
    }

    /// Nil for a member that says the same.
    private static func difference(_ member: JSONValue.Member, from base: JSONValue) -> JSONValue? {
        guard member.value != base else { return nil }
        let content = MemberContent.of(member.key)
        switch (member.value, base) {
        case (.array(let mine), .array(let theirs)) where content.hasRows:
            let left = difference(rows: mine, from: theirs, member.key)
            return left.isEmpty ? nil : .array(left)
        case (.object(let mine), .object(let theirs)) where content == .values:
            // Those that are left out are those of the document.
            let changed = mine.filter { member in !theirs.contains(member) }
            let left = undescribed(changed, by: theirs)
            return left.isEmpty ? nil : .object(left)
        case (.object(let mine), .object(let theirs)) where content.hasMembers:
            let left = difference(mine, from: theirs)
            return left.isEmpty ? nil : .object(left)
        default: return member.value
        }
    }

    /// All rows of the names that differ; a row that was deleted is a disabled one.
    private static func difference(rows whole: [JSONValue], from base: [JSONValue], _ key: String) -> [JSONValue] {
        let (mine, theirs) = (names(of: whole, key), names(of: base, key))
        func rows(_ list: [JSONValue], _ name: String) -> [JSONValue] { list.filter { Self.name(of: $0, key) == name } }
        let changed = mine.flatMap { name -> [JSONValue] in
            let own = rows(whole, name)
            let documented = rows(base, name)
            return own == documented ? [] : undescribed(own, by: documented)
        }
        let deleted = theirs.filter { !mine.contains($0) }.flatMap { rows(base, $0) }
        return changed + deleted.filter { $0["enabled"] != .bool(false) }.map(disabled)
    }

    private static func disabled(_ row: JSONValue) -> JSONValue {
        guard case .object(let members) = row else { return row }
        let kept = members.filter { !["enabled", "description"].contains($0.key) }
        return .object(kept + [JSONValue.Member("enabled", .bool(false))])
    }

    // MARK: Names

    /// Each name once, in the order of the rows.
    private static func names(of rows: [JSONValue], _ key: String) -> [String] {
        var seen: Set<String> = []
        return rows.map { name(of: $0, key) }.filter { seen.insert($0).inserted }
    }

    /// Names of headers are the same in either case of their letters.
    private static func name(of row: JSONValue, _ key: String) -> String {
        let name = row["name"]?.stringValue ?? ""
        return MemberContent.of(key) == .headers ? name.lowercased() : name
    }
}

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
