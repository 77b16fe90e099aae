extension Imported {
    /// Replaces the credentials that the rest of the collection repeats: in another header, in an example, in a
    /// description.
    mutating func replaceRepeatedCredentials() throws(ImportError) {
        var replacement = RepeatedCredentials(secrets)
        guard !replacement.isEmpty else { return }
        let json = collection.json
        let replaced = replacement.replaced(in: json)
        guard replaced != json else { return }
        let read = CollectionFile.read(Array(replaced.compact.utf8), file: "")
        guard var result = read.collection else {
            let reason = read.problems.first { $0.severity == .error }?.message ?? "it repeats a credential"
            throw ImportLog([]).error(0, "no collection can hold this file: \(reason)")
        }
        result.renew(Dictionary(zip(result.ids, collection.ids)) { first, _ in first })
        collection = result
        guard replacement.expectations > 0 else { return }
        let count = replacement.expectations
        let parts = count == 1 ? "expectation" : "expectations"
        notes.append(.loss("expect", "\(count) \(parts) left out, which repeat a credential"))
    }
}

/// Puts templates in the places of credentials in the JSON of a collection.
struct RepeatedCredentials {
    private let finder: CredentialFinder
    /// The number of expectations that are left out, as no template can be in one.
    private(set) var expectations = 0

    /// True where there is nothing to look for.
    var isEmpty: Bool { finder.isEmpty }

    init(_ secrets: [ImportedSecret]) { finder = CredentialFinder(secrets) }

    /// Members with words of the format, or with names only.
    private static let words: Set<String> = [
        "$schema", "version", "method", "inherits", "secrets", "grant", "secretIn",
    ]
    /// Members in which a template means nothing.
    private static let prose: Set<String> = ["description", "tags", "capture", "examples"]

    /// Members below which names are those of the sender's own data.
    private static let data: Set<String> = ["body", "query", "pathParameters"]

    mutating func replaced(in collection: JSONValue) -> JSONValue {
        isEmpty ? collection : replaced(collection, in: "", of: "", isData: false)
    }

    /// - Parameters:
    ///   - list: the name of the member that has the value.
    ///   - variable: the name of the variable that has the value, which cannot name itself.
    ///   - isData: true for a value whose names are those of the sender's own data.
    private mutating func replaced(
        _ value: JSONValue, in list: String, of variable: String, isData: Bool
    ) -> JSONValue {
        switch value {
        case .string(let text): return .string(finder.template(text, for: variable))
        case .array(let elements):
            let list = list == "variables" ? "variable" : list
            return .array(elements.map { replaced($0, in: list, of: variable, isData: isData) })
        case .object(let members) where isData:
            return .object(
                members.map {
                    JSONValue.Member(
                        finder.template($0.key), replaced($0.value, in: $0.key, of: "", isData: true))
                })
        case .object(let members): return .object(members.compactMap { replaced($0, among: members, in: list) })
        case .null, .bool, .number: return value
        }
    }

    /// A member of the settings; nil for one that is left out.
    private mutating func replaced(
        _ member: JSONValue.Member, among members: [JSONValue.Member], in list: String
    ) -> JSONValue.Member? {
        let key = member.key
        if list == "variables" { return JSONValue.Member(key, variable(member.value, named: key)) }
        if list == "variable" {
            if Self.prose.contains(key) { return JSONValue.Member(key, masked(member.value)) }
            guard key == "value" else { return member }
            let name = members.first { $0.key == "name" }?.value.stringValue
            return JSONValue.Member(key, replaced(member.value, in: key, of: name ?? "", isData: false))
        }
        if Self.words.contains(key) || key == "name" && !list.isEmpty { return member }
        if Self.prose.contains(key) { return JSONValue.Member(key, masked(member.value)) }
        if key == "expect" { return kept(member.value).map { JSONValue.Member(key, $0) } }
        return JSONValue.Member(key, replaced(member.value, in: key, of: "", isData: Self.data.contains(key)))
    }

    /// The value of a variable, which may be an object with a description.
    private mutating func variable(_ value: JSONValue, named name: String) -> JSONValue {
        guard case .object(let members) = value else { return replaced(value, in: name, of: name, isData: false) }
        return .object(
            members.map { member in
                let isValue = member.key == "value"
                return JSONValue.Member(
                    member.key,
                    isValue ? replaced(member.value, in: name, of: name, isData: false) : masked(member.value))
            })
    }

    private func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(finder.masked(text))
        case .array(let elements): .array(elements.map(masked))
        case .object(let members): .object(members.map { JSONValue.Member($0.key, masked($0.value)) })
        case .null, .bool, .number: value
        }
    }

    // MARK: Expectations

    /// The expectations without those that repeat a credential; nil for none.
    private mutating func kept(_ value: JSONValue) -> JSONValue? {
        guard repeats(value), case .object(let members) = value else { return value }
        var kept: [JSONValue.Member] = []
        for member in members {
            guard repeats(member.value) else {
                kept.append(member)
                continue
            }
            let elements = member.value.elements ?? []
            let rest = elements.filter { !repeats($0) }
            expectations += max(1, elements.count - rest.count)
            if !rest.isEmpty { kept.append(JSONValue.Member(member.key, .array(rest))) }
        }
        return kept.isEmpty ? nil : .object(kept)
    }

    private func repeats(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): finder.masked(text) != text
        case .array(let elements): elements.contains(where: repeats)
        case .object(let members): members.contains { finder.masked($0.key) != $0.key || repeats($0.value) }
        case .null, .bool, .number: false
        }
    }
}

/// Finds credentials in texts, all in one pass: as they are, percent-encoded, and with the escapes of JSON.
struct CredentialFinder {
    /// - Parameter names: those of the secrets that have the value.
    private typealias Form = (bytes: [UInt8], names: [String])

    /// By their first eight bytes, the longest first.
    private var forms: [UInt64: [Form]] = [:]
    private var mayStart = [Bool](repeating: false, count: 256)

    /// In bytes. Shorter values are in texts that have nothing to do with them.
    private static let minimumLength = 12

    var isEmpty: Bool { forms.isEmpty }

    init(_ secrets: [ImportedSecret]) {
        var names: [String: [String]] = [:]
        // A secret of all environments is known wherever its value is.
        for secret in secrets.filter({ $0.environment == nil }) + secrets.filter({ $0.environment != nil })
        where secret.value.utf8.count >= Self.minimumLength {
            names[secret.value, default: []].append(secret.name)
        }
        for (value, names) in names {
            for form in Self.forms(of: value) {
                let bytes = Array(form.utf8)
                mayStart[Int(bytes[0])] = true
                forms[Self.window(bytes), default: []].append((bytes, names))
            }
        }
        for key in Array(forms.keys) { forms[key]?.sort { $0.bytes.count > $1.bytes.count } }
    }

    /// The value as it is, and as the parts of a URL, a form and a string of JSON have it.
    private static func forms(of value: String) -> Set<String> {
        let escaped = PercentEncoding.escape(value)
        // JavaScript's encodeURIComponent leaves these as they are.
        let others = ["%21": "!", "%27": "'", "%28": "(", "%29": ")", "%2A": "*"]
        let component = others.reduce(escaped) { $0.replacing($1.key, with: $1.value) }
        let json = String(JSONValue.string(value).compact.dropFirst().dropLast())
        return [value, escaped, component, PercentEncoding.escapeForm(value), json]
    }

    /// The first eight bytes, the first of all in the lowest place.
    private static func window(_ bytes: [UInt8]) -> UInt64 {
        bytes.prefix(8).reduce(UInt64(0)) { $0 >> 8 | UInt64($1) << 56 }
    }

    /// Returns a text with the mask in the places of credentials.
    func masked(_ text: String) -> String {
        replaced(text, in: { [$0.indices] }) { _, result in result += LogMask.mask.utf8 }
    }

    /// Returns a template with the names of credentials in their places. What is a template already stays.
    /// - Parameter variable: the name of the variable that has the text, which cannot name itself.
    func template(_ text: String, for variable: String = "") -> String {
        replaced(text, in: Self.plainRanges) { names, result in
            if let name = names.first(where: { $0 != variable }) {
                Self.append(name, to: &result)
            } else {
                result += LogMask.mask.utf8
            }
        }
    }

    /// Returns a text with what is put in the places of credentials.
    /// - Parameters:
    ///   - ranges: returns the parts of the text in which they are replaced.
    ///   - put: adds what takes the place of a credential of these names.
    private func replaced(
        _ text: String, in ranges: ([UInt8]) -> [Range<Int>],
        _ put: (_ names: [String], _ result: inout [UInt8]) -> Void
    ) -> String {
        let bytes = Array(text.utf8)
        guard !occurrences(in: bytes[...]).isEmpty else { return text }
        var (result, end): ([UInt8], Int) = ([], 0)
        for (range, names) in ranges(bytes).flatMap({ occurrences(in: bytes[$0]) }) {
            result += bytes[end..<range.lowerBound]
            put(names, &result)
            end = range.upperBound
        }
        return String(decoding: result + bytes[end...], as: UTF8.self)
    }

    /// The ranges between the templates of a text.
    private static func plainRanges(of bytes: [UInt8]) -> [Range<Int>] {
        var (ranges, start): ([Range<Int>], Int) = ([], 0)
        var scanner = TemplateScanner(bytes[...])
        while let token = scanner.next() {
            guard case .template(let range) = token else { continue }
            ranges.append(start..<range.lowerBound)
            start = range.upperBound
        }
        return ranges + [start..<bytes.count]
    }

    /// Backslashes in front of a template, and of a brace in front of it, are doubled: one would escape the template.
    private static func append(_ name: String, to result: inout [UInt8]) {
        let open = UInt8(ascii: "{")
        let hasBrace = result.last == open && result.dropLast().last != open
        if hasBrace { result.removeLast() }
        let backslashes = result.reversed().prefix { $0 == UInt8(ascii: "\\") }.count
        result += [UInt8](repeating: UInt8(ascii: "\\"), count: backslashes)
        if hasBrace { result.append(open) }
        result += Array("{{\(name)}}".utf8)
    }

    /// Those that do not overlap, from the start.
    private func occurrences(in bytes: ArraySlice<UInt8>) -> [(range: Range<Int>, names: [String])] {
        var found: [(range: Range<Int>, names: [String])] = []
        var (window, end) = (UInt64(0), bytes.startIndex)
        for index in bytes.indices {
            window = window >> 8 | UInt64(bytes[index]) << 56
            let start = index - 7
            guard start >= end, mayStart[Int(window & 0xFF)], let candidates = forms[window],
                let form = candidates.first(where: { bytes[start...].starts(with: $0.bytes) })
            else { continue }
            end = start + form.bytes.count
            found.append((start..<end, form.names))
        }
        return found
    }
}
