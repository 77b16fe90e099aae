/// The templates of Insomnia: `{{ _.name }}`, and tags such as `{% uuid 'v4' %}`.
extension InsomniaReader {
    mutating func template(_ text: String, at offset: Int) -> String {
        ["{{", "{%", "{#"].contains { text.contains($0) }
            ? TemplateText.escaped(foreign: renamed(text, at: offset)) : text
    }

    /// Returns a text with the names and functions of Ombi, in which other braces are as they were.
    mutating func renamed(_ text: String, at offset: Int) -> String {
        let withoutComments = Self.replacing(text, from: "{#", to: "#}") { _ in "" }
        let text = withoutRaw(withoutComments, at: offset)
        let named = TemplateText.replacing(text) { reference($0, at: offset) }
        return Self.replacing(named, from: "{%", to: "%}") { tag(Self.content(ofTag: $0), at: offset) }
    }

    /// Returns a text with what is between two marks changed, and the marks with it.
    private static func replacing(
        _ text: String, from open: String, to close: String, _ change: (_ inner: Substring) -> String
    ) -> String {
        var (result, rest) = ("", text[...])
        while let start = rest.firstRange(of: open), let end = rest[start.upperBound...].firstRange(of: close) {
            result += rest[..<start.lowerBound] + change(rest[start.upperBound..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    /// The text of a tag, in which a dash takes the spaces around the tag away.
    private static func content(ofTag text: Substring) -> String {
        let inner = text.drop { $0 == "-" }
        return (inner.last == "-" ? inner.dropLast() : inner).trimmed
    }

    /// Returns a text with variables in place of its parts without templates: `{% raw %}{{ a }}{% endraw %}`.
    private mutating func withoutRaw(_ text: String, at offset: Int) -> String {
        var (result, rest) = ("", text[...])
        while let start = Self.tag("raw", in: rest), let end = Self.tag("endraw", in: rest[start.upperBound...]) {
            result += rest[..<start.lowerBound]
            let plain = String(rest[start.upperBound..<end.lowerBound])
            result += plain.contains("{") ? "{{\(rawVariable(plain, at: offset))}}" : plain
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    private static func tag(_ name: String, in text: Substring) -> Range<String.Index>? {
        var rest = text
        while let start = rest.firstRange(of: "{%"), let end = rest[start.upperBound...].firstRange(of: "%}") {
            if content(ofTag: rest[start.upperBound..<end.lowerBound]) == name {
                return start.lowerBound..<end.upperBound
            }
            rest = rest[end.upperBound...]
        }
        return nil
    }

    /// Returns the name of the variable with a text.
    private mutating func rawVariable(_ text: String, at offset: Int) -> String {
        let key = "{% raw %}" + text
        if let known = log.sampleNames[key] { return known }
        let name = ForeignText.unused("raw") { name in samples.contains { $0.name == name } }
        samples.append(Field(name, TemplateText.literal(text)))
        log.sampleNames[key] = name
        log.remark(offset, "{% raw %}", "its text is the value of the variable \(name)")
        return name
    }

    private mutating func reference(_ inner: Substring, at offset: Int) -> String? {
        let written = inner.trimmed
        guard !written.isEmpty, !written.contains(where: { $0.isNewline || $0 == "{" }) else { return nil }
        var name = written.hasPrefix("_.") ? String(written.dropFirst(2)) : written
        if name.hasPrefix("_[") { name = String(name.dropFirst()) }
        for (old, new) in [("['", "."), ("[\"", "."), ("']", ""), ("\"]", ""), ("[", "."), ("]", "")] {
            name = name.replacing(old, with: new)
        }
        if name.hasPrefix(".") { name.removeFirst() }
        if name.hasPrefix(Self.vault) { prompts.insert(log.variableName(name, at: offset)) }
        used.insert(name)
        // A name in brackets may have any characters.
        let isQuoted = ["['", "[\""].contains { written.contains($0) } && !written.contains { "|()+*".contains($0) }
        let isName = isQuoted || name.allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) }
        return isName && !name.isEmpty
            ? "{{\(log.variableName(name, at: offset))}}"
            : log.sample(of: written, "{{ \(written) }}", among: &samples, at: offset)
    }

    // MARK: Tags

    private mutating func tag(_ text: String, at offset: Int) -> String {
        let name = String(text.prefix { !$0.isWhitespace })
        let written = String(text.dropFirst(name.count))
        let arguments = Self.arguments(written)
        let first = arguments.first ?? ""
        switch name {
        case "uuid" where first == "v4" || first.isEmpty: return "{{$uuid}}"
        case "timestamp": return "{{$timestamp}}"
        case "now" where first == "iso-8601" || first.isEmpty: return log.isoTimestamp("now", at: offset)
        case "now" where first == "unix": return "{{$timestamp}}"
        case "now" where first == "custom" && arguments.count > 1:
            guard let format = ForeignText.format(ofTokens: arguments[1][...], isDateFns: true) else { break }
            log.remark(offset, "now", "the time in UTC; Insomnia takes that of the machine")
            return "{{$now('\(format)')}}"
        case "base64" where arguments.count == 3 && first == "encode" && arguments[1] == "normal":
            if let operand = operand(arguments[2], in: written) { return "{{$base64(\(operand))}}" }
        case "hash" where arguments.count == 3 && first == "sha256" && arguments[1] == "hex":
            if let operand = operand(arguments[2], in: written) { return "{{$sha256(\(operand))}}" }
        case "response":
            if let capture = response(arguments, at: offset) { return capture }
        case "faker" where first.hasPrefix("random") || ["guid", "timestamp", "isoTimestamp"].contains(first):
            // They have the names of Postman.
            return log.dynamicVariable("$" + first, among: &samples, at: offset)
        case "prompt" where !first.isEmpty:
            let variable = log.variableName(first, at: offset)
            prompts.insert(variable)
            return "{{\(variable)}}"
        default: break
        }
        return log.sample(of: text, "{% \(name) %}", among: &samples, at: offset)
    }

    /// The name of the variable that is the last argument of a tag; nil for a text, which may be a credential, and for
    /// another expression.
    private mutating func operand(_ argument: String, in written: String) -> String? {
        if let last = written.trimmed.last, "'\"".contains(last) { return nil }
        let name = argument.hasPrefix("_.") ? String(argument.dropFirst(2)) : argument
        let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
        guard isName, name.first?.isLetter ?? false, !["true", "false", "null", "none"].contains(name) else {
            return nil
        }
        used.insert(name)
        return name
    }

    /// The texts in quotes, and the words between them.
    private static func arguments(_ text: String) -> [String] {
        var arguments: [String] = []
        var rest = text[...]
        while let character = rest.first {
            if character == "'" || character == "\"" {
                rest = rest.dropFirst()
                let argument = rest.prefix { $0 != character }
                arguments.append(String(argument))
                rest = rest[argument.endIndex...].dropFirst()
            } else if character.isWhitespace || character == "," {
                rest = rest.dropFirst()
            } else {
                let argument = rest.prefix { !$0.isWhitespace && $0 != "," }
                arguments.append(String(argument))
                rest = rest[argument.endIndex...]
            }
        }
        return arguments
    }

    /// `response 'body', 'req_1', 'b64::JC5h::46b', 'always', 60`: a capture of that request; nil for what none can be.
    private mutating func response(_ arguments: [String], at offset: Int) -> String? {
        guard arguments.count >= 3, !arguments[2].isEmpty else { return nil }
        let (id, part) = (arguments[1], Self.decoded(arguments[2]))
        let source: Capture.Source
        switch arguments[0] {
        case "body" where part.hasPrefix("$"): source = .path(part)
        case "header": source = .header(part)
        default: return nil
        }
        do throws(FieldError) { try source.check() } catch { return nil }
        let trigger = arguments.count > 3 ? arguments[3] : "never"
        var age: Duration? = trigger == "always" ? .zero : nil
        if arguments.count > 4, trigger == "when-expired", let seconds = Int(arguments[4]), seconds > 0 {
            age = .seconds(min(seconds, 31_536_000))
        }
        if trigger == "never" {
            log.remark(offset, "{% response %}", "a missing value sends the request, which Insomnia leaves to you")
        }
        if let known = captures.template(for: source, of: id, maximumAge: age) { return known }
        let unique = captures.unusedName("response_" + part)
        let isSecret = ForeignText.namesSecret(part)
        responses[unique] = offset
        captures[id, default: []].append(Capture(unique, source, isSecret: isSecret, maximumAge: age))
        log.remark(offset, "{% response %}", "a capture of the request that it names")
        return "{{\(unique)}}"
    }

    /// `$.a` for `b64::JC5h::46b`.
    private static func decoded(_ text: String) -> String {
        guard text.hasPrefix("b64::"), text.hasSuffix("::46b"), text.count > 10 else { return text }
        let data = Data(base64Encoded: String(text.dropFirst(5).dropLast(5)))
        return data.flatMap { String(validating: $0, as: UTF8.self) } ?? text
    }
}
