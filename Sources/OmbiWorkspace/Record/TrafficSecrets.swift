/// Replaces credentials in recorded requests with templates. What a client has sent is real: a value under the name of
/// a credential is one, whatever it looks like.
struct TrafficSecrets {
    /// The credentials, each with a new name for a variable.
    private(set) var found: [Variable] = []
    private var names: UniqueNames
    private var namesOfValues: [String: String] = [:]
    /// True in the path of a request, where the values of templates are escaped.
    private var isURL = false
    /// The rows among which a row is.
    private var grant = GrantParameters()

    /// - Parameters:
    ///   - names: those that are taken.
    ///   - known: credentials that have names already.
    init(names: Set<String> = [], known: [(name: String, value: String)] = []) {
        self.names = UniqueNames(names)
        for (name, value) in known {
            self.names.insert(name)
            if namesOfValues[value] == nil { namesOfValues[value] = name }
        }
    }

    /// Members of a request that hold no credentials.
    private static let others: Set<String> = ["request", "description", "method", "name", "contentType", "fileName"]

    /// Returns the JSON of a collection with templates in its requests.
    mutating func moved(collection: JSONValue) -> JSONValue {
        guard case .object(var members) = collection,
            let index = members.firstIndex(where: { $0.key == "items" })
        else { return collection }
        let items = members[index].value.elements ?? []
        members[index].value = .array(items.map { moved(request: $0) })
        return .object(members)
    }

    /// Returns the JSON of a request with templates.
    mutating func moved(request: JSONValue) -> JSONValue {
        guard case .object(let members) = request else { return request }
        return .object(
            members.map { member in
                guard !Self.others.contains(member.key) else { return member }
                if member.key == "body", case .object(let parts) = member.value {
                    return JSONValue.Member("body", .object(parts.map { moved(part: $0) }))
                }
                isURL = member.key == "path"
                defer { isURL = false }
                return JSONValue.Member(
                    member.key, moved(member.value, named: member.key, isStrict: member.key == "headers"))
            })
    }

    /// A member of a body. Its text may be JSON or a form, whatever its type.
    private mutating func moved(part: JSONValue.Member) -> JSONValue.Member {
        guard !Self.others.contains(part.key) else { return part }
        guard part.key == "text", case .string(let text) = part.value else {
            return JSONValue.Member(part.key, moved(part.value, named: part.key, isStrict: false))
        }
        return JSONValue.Member("text", .string(moved(body: text)))
    }

    private mutating func moved(body text: String) -> String {
        let first = text.first { !$0.isWhitespace }
        if first == "{" || first == "[", let value = try? JSONValue.parse(text) {
            let changed = moved(value, named: "", isStrict: false)
            return changed == value ? text : changed.compact
        }
        if first == "<" { return moved(xml: text) }
        guard text.contains("="), !text.contains(where: \.isWhitespace) else { return moved(lines: text) }
        let grant = GrantParameters(of: text)
        let pairs = text.split(separator: "&", omittingEmptySubsequences: false)
        return pairs.map { pair -> String in
            guard let equals = pair.firstIndex(of: "=") else {
                return moved(String(pair), named: "text", isStrict: false)
            }
            let value = String(pair[pair.index(after: equals)...])
            let name = grant.name(of: value, named: PercentEncoding.unescapeForm(String(pair[..<equals])))
            return String(pair[...equals]) + moved(value, named: name, isStrict: false)
        }.joined(separator: "&")
    }

    /// An element has the name of its content: `<wsse:Password Type="…">…</wsse:Password>`.
    private mutating func moved(xml text: String) -> String {
        var (result, end) = ("", text.startIndex)
        while let open = text[end...].firstIndex(of: "<"), let close = text[open...].firstIndex(of: ">") {
            let start = text.index(after: close)
            result += moved(String(text[end..<start]), named: "text", isStrict: false)
            let tag = text[text.index(after: open)..<close]
            let name = tag.prefix { !$0.isWhitespace && $0 != "/" }.split(separator: ":").last ?? ""
            end = text[start...].firstIndex(of: "<") ?? text.endIndex
            let content = String(text[start..<end])
            let isBlank = tag.hasSuffix("/") || content.allSatisfy(\.isWhitespace)
            result += isBlank ? content : moved(content, named: String(name), isStrict: false)
        }
        return result + moved(String(text[end...]), named: "text", isStrict: false)
    }

    /// YAML, CSV, or a text of any other form.
    private mutating func moved(lines text: String) -> String {
        var (result, end) = ("", text.startIndex)
        for (index, credential) in NamedCredential.find(in: text).enumerated() {
            result += moved(String(text[end..<credential.range.lowerBound]), named: "text", isStrict: false)
            let value = String(text[credential.range])
            result +=
                index < Self.maximumLines ? moved(value, named: credential.name, isStrict: false) : LogMask.mask
            end = credential.range.upperBound
        }
        return result + moved(String(text[end...]), named: "text", isStrict: false)
    }

    /// The credentials of a table that become variables. A longer one is data, and is not kept.
    private static let maximumLines = 100

    /// - Parameters:
    ///   - name: The name of the member or row with the value.
    ///   - isStrict: True if the name alone marks a value as a credential.
    private mutating func moved(_ value: JSONValue, named name: String, isStrict: Bool) -> JSONValue {
        switch value {
        case .string(let text): return .string(moved(text, named: name, isStrict: isStrict))
        case .number(let digits):
            // A PIN, and not a number of tokens.
            let isSecret = Self.isSensitive(name) && !name.lowercased().hasSuffix("count")
            guard digits.utf8.count >= 4, isSecret else { return value }
            return .string(moved(digits, named: name, isStrict: true))
        case .array(let elements):
            let outer = grant
            grant = GrantParameters(named: elements.compactMap { $0["name"]?.stringValue })
            defer { grant = outer }
            return .array(elements.map { moved($0, named: name, isStrict: isStrict) })
        case .object(let members):
            let own = value["name"]?.stringValue.map { grant.name(of: value["value"]?.stringValue ?? "", named: $0) }
            let row = GrantParameters(named: members.map(\.key))
            return .object(
                members.map { member in
                    // `{ "secret": { "value": … } }`
                    let isOfParent = member.key == "value" && Self.isSensitive(name)
                    let isOfRow = own != nil && member.key == "value"
                    let key = row.name(of: member.value.stringValue ?? "", named: member.key)
                    let inner = isOfRow ? own ?? name : isOfParent ? name : key
                    return JSONValue.Member(member.key, moved(member.value, named: inner, isStrict: isStrict))
                })
        case .null, .bool: return value
        }
    }

    /// Returns a text with templates in the places of its credentials.
    private mutating func moved(_ text: String, named name: String, isStrict: Bool) -> String {
        guard !text.isEmpty else { return text }
        // Escaped braces: such a value cannot be moved, and is not kept.
        if text.contains("{{") { return Self.isSensitive(name) ? LogMask.mask : text }
        var findings = SecretDetector.find(in: text, named: name)
        if findings.isEmpty { findings = Self.encoded(in: text, named: name) }
        if findings.isEmpty, isStrict || Self.isCredential(text, name), Self.isSensitive(name) {
            findings = [
                SecretDetector.Finding(kind: "a secret", name: name, range: text.startIndex..<text.endIndex)
            ]
        }
        if findings.isEmpty, !isURL { findings = SecretBody.find(in: text) }
        var (result, end) = ("", text.startIndex)
        for finding in findings where finding.range.lowerBound >= end {
            result += text[end..<finding.range.lowerBound]
            // A backslash would escape the template.
            result += String(repeating: "\\", count: result.reversed().prefix { $0 == "\\" }.count)
            let value = PlainSecrets.value(finding.range, of: text, isURL ? .url : .none)
            result += "{{\(variable(for: finding.name, value))}}"
            end = finding.range.upperBound
        }
        return result + text[end...]
    }

    /// The credentials in a percent-encoded text, such as a URL in the query of another one.
    private static func encoded(in text: String, named name: String) -> [SecretDetector.Finding] {
        guard text.contains("%") else { return [] }
        let plain = PercentEncoding.unescapeForm(text)
        let query = plain.lastIndex(of: "?").map { String(plain[$0...]) } ?? ""
        for (part, name) in [(plain, name), (query, "path")] {
            let findings = SecretDetector.find(in: part, named: name).compactMap { finding in
                text.firstRange(of: part[finding.range]).map { range in
                    SecretDetector.Finding(kind: finding.kind, name: finding.name, range: range)
                }
            }
            if !findings.isEmpty { return findings }
        }
        return []
    }

    /// True for names of credentials, and for headers in which applications of their own make send them.
    private static func isSensitive(_ name: String) -> Bool {
        SecretDetector.isSensitive(name) || ["x-auth", "x-session"].contains(name.lowercased())
    }

    /// False for addresses of credentials, and for what may be the key of anything.
    private static func isCredential(_ text: String, _ name: String) -> Bool {
        let name = name.lowercased()
        return name != "key" && !name.hasSuffix("url") && !name.hasSuffix("uri") && !text.contains("://")
    }

    /// Returns an unused name, or the name of the same credential elsewhere.
    private mutating func variable(for name: String, _ value: String) -> String {
        if let known = namesOfValues[value] { return known }
        let letters = String(name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        let isNoName = letters.first?.isLetter != true || letters.utf8.count > 60
        let saysNothing = ["authorization", "bearer", "value", "path", "text"].contains(letters.lowercased())
        let base = isNoName || saysNothing ? "token" : letters
        let unique = names.take(base)
        namesOfValues[value] = unique
        found.append(Variable(unique, value))
        return unique
    }
}
