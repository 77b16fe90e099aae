/// Reads the members of one object of a collection file, and logs every problem with them.
package struct ObjectReader {
    package let log: ProblemLog
    private let node: JSONNode
    /// Used while `log`, which holds the document, is alive.
    let members: ObjectMembers
    /// The member that a table is about to read, which need not be looked for again.
    var current: (key: String, index: Int)?
    /// True for an object in which null takes a member away that another source has.
    var isPartial = false

    /// Nil, with an error in the log, when the value is not an object.
    package init?(_ value: FileValue) {
        guard value.kind == .object else {
            value.log.error(at: value.offset, "expected an object, found \(value.kindName)")
            return nil
        }
        self.init(object: value)
    }

    /// Nil, with an error that names the key, when the value is not an object.
    /// - Parameters:
    ///   - key: its own, or that of the list that it is in.
    ///   - isElement: true for an element of a list.
    init?<Value: JSONObjectConvertible>(_ value: FileValue, as _: Value.Type, of key: String, isElement: Bool) {
        guard value.kind == .object else {
            let form = Value.objectForm
            value.log.error(
                at: value.offset,
                "\(JSONValue.quoted(key)): expected \(isElement ? "objects" : "an object"), found \(value.kindName)"
                    + (form.isEmpty ? "" : "; write \(form)"))
            return nil
        }
        self.init(object: value)
    }

    private init(object value: FileValue) {
        log = value.log
        node = value.node
        members = value.log.members(of: value.node)
    }

    /// Reads the first value of the log's document. Nil for an empty document.
    init?(rootOf log: ProblemLog) {
        guard let root = log.document.firstRoot else { return nil }
        self.init(FileValue(node: root, kind: log.document.kind(of: root), log: log))
    }

    var offset: Int { log.document.range(of: node).lowerBound }

    package var entries: [(key: String, value: FileValue)] {
        members.all.map { ($0.key, FileValue(node: $0.value, kind: $0.kind, log: log)) }
    }

    var count: Int { members.all.count }

    /// Returns a bit for each of these keys, set for those that are there.
    func bits(of keys: JSONKeys) -> UInt64 {
        var bits: UInt64 = 0
        for member in members.all {
            if let position = keys.position(of: member, from: 0) { bits |= 1 << UInt64(position) }
        }
        return bits
    }

    private func member(_ key: String) -> JSONMember? {
        if let current, current.key == key { return members.all[current.index] }
        return members[key]
    }

    func has(_ key: String) -> Bool { member(key).map { !(isPartial && $0.kind == .null) } ?? false }

    package func value(_ key: String) -> FileValue? {
        guard let member = member(key), !(isPartial && member.kind == .null) else { return nil }
        return FileValue(node: member.value, kind: member.kind, log: log)
    }

    /// Logs an error at the value of `key`, or at the object when it has none.
    package func error(_ key: String, _ message: String) {
        log.error(at: value(key)?.offset ?? offset, "\"\(key)\": \(message)")
    }

    /// Logs an error. Returns nil, as if the key were absent.
    func refuse<Value>(_ key: String, _ message: String) -> Value? {
        error(key, message)
        return nil
    }

    func warning(_ key: String, _ message: String) {
        log.warning(at: value(key)?.offset ?? offset, "\"\(key)\": \(message)")
    }

    func missing(_ key: String) { log.error(at: offset, "missing key \"\(key)\"") }

    private func wrongType<Value>(
        _ key: String, expected: String, found: FileValue, problem: (String) -> String? = { _ in nil }
    ) -> Value? {
        refuse(key, "expected \(expected), found \(found.kindName)" + Self.quoteHint(key, expected, found, problem))
    }

    /// Suggests quotes for a number or a Boolean, the usual slip where text is meant. Repeats no value that may be a secret.
    /// - Parameters:
    ///   - key: the name of the value.
    ///   - problem: returns what would be wrong with the text in quotes; nil for nothing.
    static func quoteHint(
        _ key: String, _ expected: String, _ found: FileValue, _ problem: (String) -> String? = { _ in nil }
    ) -> String {
        guard expected == "a string", [.number, .true, .false].contains(found.kind) else { return "" }
        let text = found.digits ?? found.kindName
        let mayBeSecret = ["bearer", "value"].contains(key) || RequestHeaders.Key(key).isSensitive
        return "; " + (problem(text) ?? (mayBeSecret ? "write it in quotes" : "write \"\(text)\""))
    }

    // Each reader below returns nil when the key is absent, and also, with an error in the log, when its value is
    // wrong.

    package func string(_ key: String) -> String? { string(key) { _ in nil } }

    /// - Parameter problem: returns what would be wrong with a text that is not in quotes; nil for nothing.
    func string(_ key: String, problem: (String) -> String?) -> String? {
        value(key).flatMap { text($0, key, problem) }
    }

    private func text(_ value: FileValue, _ key: String, _ problem: (String) -> String?) -> String? {
        if let text = value.string { return text }
        return wrongType(key, expected: "a string", found: value, problem: problem)
    }

    /// - Parameter problem: returns what would be wrong with a text that is not in quotes; nil for nothing.
    func requiredString(_ key: String, problem: (String) -> String? = { _ in nil }) -> String {
        guard let value = value(key) else {
            missing(key)
            return ""
        }
        return text(value, key, problem) ?? ""
    }

    /// A text that may be long and is seldom needed.
    func storedText(_ key: String) -> Stored<String> {
        guard let value = value(key), value.kind == .string else { return Stored(wrappedValue: requiredString(key)) }
        return value.storedText
    }

    /// The path of a file that a request sends or a connection needs.
    func path(_ key: String) -> String {
        let path = requiredString(key)
        guard let value = value(key), value.kind == .string else { return path }
        // Not an error, as the file of a new body is named last.
        if path.isEmpty { log.warning(at: value.offset, "\"\(key)\": no file is named") }
        log.check(file: path, at: value.offset)
        return path
    }

    /// A name that must exist and must not be empty.
    func name(_ key: String) -> String {
        let name = requiredString(key)
        if name.isEmpty, value(key)?.kind == .string { error(key, "the name is empty") }
        return name
    }

    /// Reads one of the names of a type; logs an error, with a suggestion, for any other text.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String, of _: Choice.Type) -> Choice? {
        guard let text = text(key, of: Choice.allCases.map(\.rawValue)) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        let known = names.map(JSONValue.quoted).joined(separator: ", ")
        return refuse(
            key, "unknown value \(JSONValue.quoted(text))\(Spelling.hint(for: text, in: names)); write one of \(known)")
    }

    /// Reads a text that has to be one of some names. Quotes would not make a number one of them.
    func text(_ key: String, of names: @autoclosure () -> [String]) -> String? {
        guard let value = value(key), value.kind != .string else { return string(key) }
        let known = names().map(JSONValue.quoted).joined(separator: ", ")
        return refuse(key, "expected one of \(known), found \(value.kindName)")
    }

    package func bool(_ key: String) -> Bool? {
        guard let value = value(key) else { return nil }
        switch value.kind {
        case .true: return true
        case .false: return false
        case .null, .number, .string, .array, .object:
            return wrongType(key, expected: "true or false", found: value)
        }
    }

    func double(_ key: String, in range: ClosedRange<Double>) -> Double? {
        guard let digits = digits(key), let value = Double(digits) else { return nil }
        guard range.contains(value) else {
            let bounds = [range.lowerBound, range.upperBound].map { JSONValue.number($0).compact }
            return refuse(key, "expected a number from \(bounds[0]) to \(bounds[1]), found \(digits)")
        }
        return value
    }

    package func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
        guard let digits = digits(key) else { return nil }
        guard let value = Int(digits) ?? Double(digits).flatMap(Int.init(exactly:)), range.contains(value) else {
            return refuse(
                key, "expected a whole number from \(range.lowerBound) to \(range.upperBound), found \(digits)")
        }
        return value
    }

    func duration(_ key: String, allowsZero: Bool = false) -> Duration? {
        if let value = value(key), value.kind != .string {
            return refuse(key, "expected a duration, found \(value.kindName); \(Self.durations(value.digits))")
        }
        guard let text = string(key) else { return nil }
        guard let duration = DurationText.parse(text) else {
            return refuse(key, "\(JSONValue.quoted(text)) is not a duration; \(DurationText.form)")
        }
        if duration == .zero, !allowsZero { return refuse(key, "the duration is zero; \(DurationText.form)") }
        return duration
    }

    /// Suggests the units for a number without one.
    private static func durations(_ digits: String?) -> String {
        let texts = ["s", "ms"].compactMap { unit in digits.map { $0 + unit } }.filter {
            DurationText.parse($0) ?? .zero > .zero
        }
        return texts.isEmpty ? DurationText.form : "write " + texts.map(JSONValue.quoted).joined(separator: " or ")
    }

    /// A number as written.
    private func digits(_ key: String) -> String? {
        guard let value = value(key) else { return nil }
        return value.kind == .number ? value.digits : wrongType(key, expected: "a number", found: value)
    }

    func array(_ key: String) -> [FileValue]? { arrayValue(key)?.elements }

    private func arrayValue(_ key: String) -> FileValue? {
        guard let value = value(key) else { return nil }
        return value.kind == .array ? value : wrongType(key, expected: "an array", found: value)
    }

    package func object(_ key: String) -> ObjectReader? {
        guard let value = value(key) else { return nil }
        return value.kind == .object ? ObjectReader(value) : wrongType(key, expected: "an object", found: value)
    }

    func value<Value: JSONObjectConvertible>(_ key: String, as _: Value.Type) -> Value? {
        object(key).map(Value.init(reading:))
    }

    func list<Value: JSONObjectConvertible>(_ key: String, of _: Value.Type) -> [Value] {
        arrayValue(key)?.compactMap {
            ObjectReader($0, as: Value.self, of: key, isElement: true).map(Value.init(reading:))
        } ?? []
    }

    /// The members whose keys are not in `known`, with a warning for each. Those that begin with `x-` are the user's own.
    func unknown(besides known: JSONKeys) -> UnknownMembers {
        unknown(members.positions(besides: known), besides: known.names, nil)
    }

    /// The members at these positions, with a warning for each.
    /// - Parameter explained: a key about which something else is said.
    func unknown(_ positions: [Int], besides known: [String], _ explained: String?) -> UnknownMembers {
        var unknown = UnknownMembers()
        for index in positions {
            let member = members.all[index]
            let key = member.key
            let value = JSONValue.Member(key, log.document.value(of: member.value))
            let previous = index > 0 ? members.all[index - 1].key : nil
            unknown.entries.append(UnknownMembers.Entry(previousKey: previous, member: value))
            if key != explained { warn(of: key, at: member.keyRange.lowerBound, known) }
        }
        return unknown
    }

    /// Logs a warning for each member whose key is not in `known`.
    package func warnOfUnknown(besides known: [String]) {
        for index in members.positions(besides: JSONKeys(known)) {
            let member = members.all[index]
            let key = member.key
            log.warning(
                at: member.keyRange.lowerBound,
                "unknown key \(JSONValue.quoted(key))" + Spelling.suggestion(for: key, in: known))
        }
    }

    /// Logs a warning for each member whose key looks like a typo of one in `known`.
    func warnOfTypos(besides known: [String]) {
        for index in members.positions(besides: JSONKeys(known)) {
            let member = members.all[index]
            guard Spelling.nearest(to: member.key, in: known.filter { !has($0) }) != nil else { continue }
            warn(of: member.key, at: member.keyRange.lowerBound, known)
        }
    }

    private func warn(of key: String, at offset: Int, _ known: [String]) {
        if key.hasPrefix("x-") { return }
        let hint = Spelling.hint(for: key, in: known.filter { !has($0) })
        log.warning(
            at: offset,
            "unknown key \(JSONValue.quoted(key.excerpt(60)))" + (hint.isEmpty ? "; it has no effect" : hint))
    }
}

/// Members of an object in a file that Ombi does not know: kept, and written back in their old positions.
package struct UnknownMembers: Sendable, Equatable {
    /// A member, and the key that stood before it; nil when it was the first.
    struct Entry: Sendable, Equatable {
        var previousKey: String?
        var member: JSONValue.Member
    }

    var entries: [Entry] = []
}

/// Reads parts of a large file at the same time.
enum Parts {
    /// In bytes. Less is read before another thread has begun.
    private static let size = 100_000

    /// The number of parts to read that many bytes in: many for each processor, of which some begin late.
    static func count(bytes: Int) -> Int {
        let wanted = bytes / size
        // The processors are counted by reading a file, which a small collection need not wait for.
        return wanted > 1 && Processors.count > 1 ? min(wanted, 8 * Processors.count) : 1
    }

    /// Returns what `read` makes of each part, in order.
    static func map<Result: Sendable>(_ count: Int, _ read: @Sendable (_ part: Int) -> Result) -> [Result] {
        if count == 1 { return [read(0)] }
        let results = Lock<[Int: Result]>([:])
        DispatchQueue.concurrentPerform(iterations: count) { part in
            let result = read(part)
            results.withLock { $0[part] = result }
        }
        let all = results.withLock { $0 }
        return (0..<count).compactMap { all[$0] }
    }
}
