/// A name and a value that can be disabled: a header, a query item, a path parameter, a form field, a variable.
package struct Field: Sendable, Equatable {
    package var name: String
    package var value: String
    /// A disabled field stays in the file and is not sent.
    package var enabled: Bool
    /// For readers: it is never sent, and no template is filled in. Nil for none.
    @Rare package var description: String?
    /// True for a row of a query that is sent as it is written.
    package var isRaw = false
    /// True for one of `NAME.local.json`, which belongs to this machine.
    var isLocal = false
    package var unknown = UnknownMembers()

    package init(_ name: String, _ value: String, enabled: Bool = true) {
        self.name = name
        self.value = value
        self.enabled = enabled
    }
}

/// A named text that replaces `{{name}}`.
package typealias Variable = Field

extension Field: NamedObject {
    static let members = Members<Field>([
        Member("name", Schema.name(), isRequired: true, read: { $0.name = $1.name($2) }, write: { .string($0.name) }),
        Member(
            "value", Schema.text(), isRequired: true, read: { $0.value = $1.string($2) ?? "" },
            write: { .string($0.value) }),
        .text(
            "description", Schema.text("The purpose of the row, for readers; it is never sent."),
            { $0.description = $1 }, { $0.description }),
        .flag("enabled", "A disabled field is kept and not sent.", default: true, { $0.enabled = $1 }, { $0.enabled }),
        .flag(
            "raw",
            "Sends a row of the query as it is written: only what no URL may have is encoded, and a row without a value has no =.",
            default: false, { $0.isRaw = $1 }, { $0.isRaw }),
    ])
    static let unnamed = members.without("name")

    init(reading object: ObjectReader, name: String?) {
        self.init(name ?? "", "")
        unknown = object.read(name == nil ? Self.members : Self.unnamed, into: &self)
    }

    var valueJSON: JSONValue {
        enabled && !isRaw && description == nil && unknown.entries.isEmpty
            ? .string(value) : Self.unnamed.json(self, unknown)
    }
}

extension Field {
    /// The description on one line; empty for none.
    package var descriptionLine: String {
        (description ?? "").split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// Returns the row with a description; empty for none.
    func described(_ text: String) -> Field {
        guard !text.isEmpty else { return self }
        var field = self
        field.description = text
        return field
    }
}

extension Field {
    /// Throws for a name that no header can have. The value of a template in it is checked when it is filled in.
    package static func checkHeaderName(_ name: String) throws(FieldError) {
        let parts = (try? Template(name))?.parts ?? [.text(name)]
        let isName = parts.allSatisfy { if case .text(let text) = $0 { HeaderCheck.isToken(text) } else { true } }
        if !isName { throw FieldError(HeaderCheck.nameForm) }
    }

    /// Throws for a content type that is none; an empty one is that of the file.
    @Sendable static func checkContentType(_ text: String) throws(FieldError) {
        let parts = (try? Template(text))?.parts ?? [.text(text)]
        guard parts.allSatisfy({ if case .text = $0 { true } else { false } }), !text.isEmpty else { return }
        let names = text.prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, names.allSatisfy({ HeaderCheck.isToken(String($0.drop { $0 == " " })) }) else {
            throw FieldError("a content type has two words: image/jpeg")
        }
    }

    /// Throws for a name that no template can use.
    package static func checkVariableName(_ name: String) throws(FieldError) {
        guard !name.hasPrefix("$"), (try? Template("{{\(name)}}"))?.parts == [.template(.init(.variable(name)))] else {
            throw FieldError("a name has letters, digits, _, - and . only, as in {{user.name}}")
        }
    }
}

extension Field {
    /// Returns a row for each parameter of a query as a URL has it; nil if rows would send other bytes than the URL, such as
    /// `%20` for `+` or `flag=` for `flag`. Rows hold plain text: what stands between templates is decoded.
    package static func rows(ofQuery query: some StringProtocol) -> [Field]? {
        var rows: [Field] = []
        for item in query.split(separator: "&", omittingEmptySubsequences: false) {
            // A row needs a name.
            guard let equals = item.firstIndex(of: "="), equals > item.startIndex,
                let name = decoded(item[..<equals]), let value = decoded(item[item.index(after: equals)...])
            else { return nil }
            rows.append(Field(name, value))
        }
        return rows
    }

    private static func decoded(_ text: some StringProtocol) -> String? {
        let bytes = Array(text.utf8)[...]
        var (result, next) = ("", 0)
        func decode(upTo end: Int) -> Bool {
            let written = String(decoding: bytes[next..<end], as: UTF8.self)
            let plain = PercentEncoding.unescapeForm(written)
            result += plain
            return PercentEncoding.escapeParameter(plain) == PercentEncoding.escapeWrittenQuery(written)
        }
        for (range, _) in TemplateScanner.templates(in: bytes) {
            guard decode(upTo: range.lowerBound) else { return nil }
            result += String(decoding: bytes[range], as: UTF8.self)
            next = range.upperBound
        }
        return decode(upTo: bytes.endIndex) ? result : nil
    }
}

/// Rows of a query that are sent as they are written.
extension Field {
    /// Returns a row of a query in which only what no URL may have is encoded.
    package static func raw(_ name: String, _ value: String, enabled: Bool = true) -> Field {
        var field = Field(name, value, enabled: enabled)
        field.isRaw = true
        return field
    }

    /// `name=value`; without a value the name alone.
    var rawText: String { value.isEmpty ? name : name + "=" + value }

    /// Returns a row for each parameter of a query as a URL has it, raw ones where others would send other bytes. Nil for
    /// a query with a parameter that has no name.
    static func rows(writtenAs query: some StringProtocol) -> [Field]? {
        var rows: [Field] = []
        for item in query.split(separator: "&", omittingEmptySubsequences: false) {
            if let plain = Field.rows(ofQuery: item) {
                rows += plain
                continue
            }
            guard let row = raw(writtenAs: item) else { return nil }
            rows.append(row)
        }
        return rows
    }

    /// Returns a raw row for each parameter of a query. Nil for a query with a parameter that has no name.
    static func rawRows(ofQuery query: some StringProtocol) -> [Field]? {
        let items = query.split(separator: "&", omittingEmptySubsequences: false)
        let rows = items.compactMap { raw(writtenAs: $0) }
        return rows.count == items.count ? rows : nil
    }

    /// Nil for a parameter without a name.
    private static func raw(writtenAs item: some StringProtocol) -> Field? {
        let name = item.prefix { $0 != "=" }
        guard !name.isEmpty else { return nil }
        let value = String(item[name.endIndex...].dropFirst())
        // A row without a value has no `=` but in its name.
        return raw(value.isEmpty ? String(item) : String(name), value)
    }
}

/// Lists of names and values that are objects in the file: variables, environment headers, path parameters, secrets.
///
/// `{ "name": "value" }` is an ordered list. A value with more than a text is an object itself:
/// `{ "name": { "value": "…", "enabled": false } }`. A list with a duplicate name is an array.
extension ObjectReader {
    func fields(_ key: String) -> [Field] {
        named(key) { value, name in
            if let text = value.string { return Field(name, text) }
            guard value.kind == .object, let object = ObjectReader(value) else {
                log.error(
                    at: value.offset,
                    "\(JSONValue.quoted(name)): expected a string, found \(value.kindName)"
                        + Self.quoteHint(name, "a string", value))
                return nil
            }
            return Field(reading: object, name: name)
        }
    }

    func named<Value: NamedObject>(_ key: String, of _: Value.Type) -> [Value] {
        named(key) { value, name in
            ObjectReader(value, as: Value.self, of: name, isElement: false).map { Value(reading: $0, name: name) }
        }
    }

    private func named<Value: NamedObject>(_ key: String, read: (FileValue, String) -> Value?) -> [Value] {
        guard let value = value(key) else { return [] }
        switch value.kind {
        case .object: return ObjectReader(value)?.entries.compactMap { read($0.value, $0.key) } ?? []
        case .array: return list(key, of: Value.self)
        case .null, .true, .false, .number, .string:
            error(key, "expected an object, found \(value.kindName)")
            return []
        }
    }
}
