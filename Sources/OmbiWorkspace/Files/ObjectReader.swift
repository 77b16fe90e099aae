/// Reads the members of one object of a collection file, and logs every problem with them.
struct ObjectReader {
    let offset: Int
    let members: [JSONNode.Member]
    let log: ProblemLog

    /// Nil, with an error in the log, when the node is not an object.
    init?(_ node: JSONNode, _ log: ProblemLog) {
        guard case .object(let members) = node.content else {
            log.error(at: node.offset, "expected an object, found \(node.kind)")
            return nil
        }
        offset = node.offset
        self.members = members
        self.log = log
    }

    func has(_ key: String) -> Bool { node(key) != nil }

    func node(_ key: String) -> JSONNode? { members.first { $0.key == key }?.value }

    /// Logs an error at the value of `key`, or at the object when it has none.
    func error(_ key: String, _ message: String) {
        log.error(at: node(key)?.offset ?? offset, "\"\(key)\": \(message)")
    }

    func missing(_ key: String) { log.error(at: offset, "missing key \"\(key)\"") }

    private func wrongType(_ key: String, expected: String, found: JSONNode) {
        error(key, "expected \(expected), found \(found.kind)" + Self.quoteHint(expected, found))
    }

    /// Suggests quotes for a number or a Boolean, the usual slip where text is meant.
    static func quoteHint(_ expected: String, _ found: JSONNode) -> String {
        guard expected == "a string" else { return "" }
        return switch found.content {
        case .scalar(.number(let digits)): "; write \"\(digits)\""
        case .scalar(.bool(let value)): "; write \"\(value)\""
        default: ""
        }
    }

    // Each reader below returns nil when the key is absent, and also, with an error in the log, when its value is
    // wrong.

    func string(_ key: String) -> String? {
        guard let node = node(key) else { return nil }
        guard case .scalar(.string(let text)) = node.content else {
            wrongType(key, expected: "a string", found: node)
            return nil
        }
        return text
    }

    func requiredString(_ key: String) -> String {
        if !has(key) { missing(key) }
        return string(key) ?? ""
    }

    /// A name that must exist and must not be empty.
    func name(_ key: String) -> String {
        let name = requiredString(key)
        if name.isEmpty, case .scalar(.string)? = node(key)?.content { error(key, "the name is empty") }
        return name
    }

    func bool(_ key: String) -> Bool? {
        guard let node = node(key) else { return nil }
        guard case .scalar(.bool(let value)) = node.content else {
            wrongType(key, expected: "true or false", found: node)
            return nil
        }
        return value
    }

    func double(_ key: String, in range: ClosedRange<Double>) -> Double? {
        guard let node = node(key) else { return nil }
        guard case .scalar(.number(let digits)) = node.content, let value = Double(digits) else {
            wrongType(key, expected: "a number", found: node)
            return nil
        }
        guard range.contains(value) else {
            let bounds = [range.lowerBound, range.upperBound].map { JSONWriter.compact(.number($0)) }
            error(key, "expected a number from \(bounds[0]) to \(bounds[1]), found \(digits)")
            return nil
        }
        return value
    }

    func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
        guard let node = node(key) else { return nil }
        guard case .scalar(.number(let digits)) = node.content else {
            wrongType(key, expected: "a number", found: node)
            return nil
        }
        guard let value = Int(digits) ?? Double(digits).flatMap(Int.init(exactly:)), range.contains(value) else {
            error(key, "expected a whole number from \(range.lowerBound) to \(range.upperBound), found \(digits)")
            return nil
        }
        return value
    }

    func duration(_ key: String, allowsZero: Bool = false) -> Duration? {
        guard let text = string(key) else { return nil }
        guard let duration = DurationText.parse(text) else {
            error(key, "\(JSONWriter.quoted(text)) is not a duration; \(DurationText.form)")
            return nil
        }
        if duration == .zero, !allowsZero {
            error(key, "a duration of nothing; \(DurationText.form)")
            return nil
        }
        return duration
    }

    func array(_ key: String) -> [JSONNode]? {
        guard let node = node(key) else { return nil }
        guard case .array(let elements) = node.content else {
            wrongType(key, expected: "an array", found: node)
            return nil
        }
        return elements
    }

    func object(_ key: String) -> ObjectReader? {
        guard let node = node(key) else { return nil }
        guard case .object = node.content else {
            wrongType(key, expected: "an object", found: node)
            return nil
        }
        return ObjectReader(node, log)
    }

    func value<Value: JSONObjectConvertible>(_ key: String, as _: Value.Type) -> Value? {
        object(key).map(Value.init(reading:))
    }

    func list<Value: JSONObjectConvertible>(_ key: String, of _: Value.Type) -> [Value] {
        (array(key) ?? []).compactMap { ObjectReader($0, log).map(Value.init(reading:)) }
    }

    /// The members whose keys are not in `known`, with a warning for each that looks like a typo.
    func unknown(besides known: [String]) -> UnknownMembers {
        var unknown = UnknownMembers()
        var previous: String?
        for member in members {
            if !known.contains(member.key) {
                let value = JSONValue.Member(member.key, member.value.value)
                unknown.entries.append(UnknownMembers.Entry(previousKey: previous, member: value))
                warn(of: member, known)
            }
            previous = member.key
        }
        return unknown
    }

    private func warn(of member: JSONNode.Member, _ known: [String]) {
        let absent = known.filter { !has($0) }
        guard Spelling.nearest(to: member.key, in: absent) != nil else { return }
        let hint = Spelling.hint(for: member.key, in: absent)
        log.warning(at: member.keyOffset, "unknown key \(JSONWriter.quoted(member.key))\(hint)")
    }
}
