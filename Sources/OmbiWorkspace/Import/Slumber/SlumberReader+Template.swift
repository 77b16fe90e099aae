/// The templates of slumber: variables, and functions that become captures, secrets or fixed values.
extension SlumberReader {
    mutating func template(_ text: String, at offset: Int) -> String {
        guard text.contains("{{") || text.contains("{_") else { return text }
        // An underscore keeps braces from being a template.
        return TemplateText.escaped(foreign: renamed(text, at: offset)).replacing("{_{", with: "\\{{")
    }

    /// Returns a text with the names of Ombi, in which other braces are as they were.
    mutating func renamed(_ text: String, at offset: Int) -> String {
        TemplateText.replacing(text) { inner in
            guard let expression = SlumberExpression(String(inner)) else {
                // With a space, JSON has braces of its own.
                return inner.contains("\"") && inner.contains(":") ? nil : sample(inner, at: offset)
            }
            return value(of: expression, at: offset) ?? sample(inner, at: offset)
        }
    }

    private mutating func sample(_ inner: Substring, at offset: Int) -> String {
        let written = inner.trimmed
        return log.sample(of: written, "{{ \(written) }}", taken: taken, among: &samples, at: offset)
    }

    /// The expression of a text that is a single template; nil for another text.
    static func expression(_ text: String) -> SlumberExpression? {
        guard text.hasPrefix("{{"), text.hasSuffix("}}"), text.count > 4 else { return nil }
        let inner = String(text.dropFirst(2).dropLast(2))
        return inner.contains("}}") ? nil : SlumberExpression(inner)
    }

    /// A text in JSON: one that is a single template has the kind of what it gives.
    mutating func json(_ text: String, at offset: Int) -> JSONValue {
        guard let expression = Self.expression(text) else { return .string(template(text, at: offset)) }
        switch expression {
        case .number(let digits): return (try? JSONValue.parse(digits)) ?? .string(digits)
        case .bool(let value): return .bool(value)
        case .null: return .null
        case .name(let name):
            if let kind = kinds[name] { return .string("{{\(log.variableName(name, at: offset)):\(kind)}}") }
        case .call("response", _, _, _), .call("jsonpath", _, _, _):
            log.remark(offset, "response()", "a text in JSON; slumber sends a number as a number")
        default: break
        }
        let written = template(text, at: offset)
        guard let kind = Self.kind(of: expression) else { return .string(written) }
        // A literal, as in `integer('5')`.
        switch try? JSONValue.parse(written) {
        case .number(let digits)? where kind == "number": return .number(digits)
        case .bool(let value)? where kind == "boolean": return .bool(value)
        default: break
        }
        guard written.hasPrefix("{{"), written.hasSuffix("}}"),
            !written.dropFirst(2).dropLast(2).contains(where: { "{}:(".contains($0) })
        else { return .string(written) }
        return .string("\(written.dropLast(2)):\(kind)}}")
    }

    /// The path of a text that is only the content of a file; nil for another one.
    func file(_ text: String) -> String? {
        guard let expression = Self.expression(text.trimmed) else { return nil }
        guard case .call("file", let input, let arguments, _) = resolved(expression) else { return nil }
        // A path that is typed in has its default.
        let path = input ?? arguments.first
        guard case .call("prompt", _, _, let options)? = path else { return path?.literal }
        return options["default"]?.literal
    }

    /// The kind of what a function gives; nil for a text.
    static func kind(of expression: SlumberExpression) -> String? {
        guard case .call(let function, _, _, _) = expression else { return nil }
        let known = ["integer": "number", "float": "number", "boolean": "boolean"]
        return known[function]
    }

    // MARK: Values

    /// The text that an expression becomes; nil for one without a counterpart.
    private mutating func value(of expression: SlumberExpression, at offset: Int) -> String? {
        switch resolved(expression) {
        case .list: return nil
        case .name(let name):
            if composites.contains(name) {
                log.remark(offset, "{{ \(name) }}".excerpted, "JSON in a text, which slumber writes in its own way")
            }
            return "{{\(log.variableName(name, at: offset))}}"
        case .call(let name, let input, let arguments, let options):
            return call(name, input, arguments, options, at: offset)
        case let literal: return literal.literal
        }
    }

    private mutating func call(
        _ name: String, _ input: SlumberExpression?, _ arguments: [SlumberExpression],
        _ options: [String: SlumberExpression], at offset: Int
    ) -> String? {
        let first = input ?? arguments.first
        switch name {
        case "trim":
            guard let first, let text = value(of: first, at: offset) else { return nil }
            if !text.contains("{{") { return text.trimmed }
            // The line of a program has no space around it.
            guard case .call("command", _, _, _) = resolved(first) else {
                log.remark(offset, "trim()", "spaces around the value are kept")
                return text
            }
            return text
        case "debug", "string", "integer", "float", "boolean":
            return first.flatMap { value(of: $0, at: offset) }
        case "sensitive":
            guard let text = first.flatMap({ value(of: $0, at: offset) }) else { return nil }
            secretNames.formUnion(TemplateText.names(in: text))
            return text
        case "concat":
            guard case .list(let parts)? = first else { return nil }
            let texts = parts.compactMap { value(of: $0, at: offset) }
            return texts.count == parts.count ? texts.joined() : nil
        case "env": return environment(first, options, at: offset)
        case "prompt": return prompt(first ?? options["message"], options, at: offset)
        case "command": return command(first, options, at: offset)
        case "select": return choice(first, at: offset)
        case "response", "response_header", "jsonpath": return response(name, input, arguments, options, at: offset)
        default: return nil
        }
    }

    private mutating func environment(
        _ name: SlumberExpression?, _ options: [String: SlumberExpression], at offset: Int
    ) -> String? {
        guard let name = name?.literal, !name.isEmpty else { return nil }
        if let standard = options["default"], let value = self.value(of: standard, at: offset) {
            log.loss(
                offset, "env('\(name)')".excerpted, "its default stands in for the variable of the process environment")
            return value
        }
        let variable = free(log.variableName(name, at: offset))
        sources[variable] = .environment(name)
        return "{{\(variable)}}"
    }

    private mutating func prompt(
        _ message: SlumberExpression?, _ options: [String: SlumberExpression], at offset: Int
    ) -> String? {
        let word = ForeignText.word((message?.literal ?? "prompt").excerpt(40))
        var name = free(word.isEmpty ? "prompt" : word)
        if let standard = options["default"], options["sensitive"] != .bool(true),
            let value = self.value(of: standard, at: offset)
        {
            name = promptName(name, for: value)
            log.loss(
                offset, "prompt(\(word))".excerpted, "its default is the value of the variable \(name), not typed in")
            return "{{\(name)}}"
        }
        prompts.insert(name)
        return "{{\(name)}}"
    }

    /// Keeps the value of a prompt, and returns its name: that of the prompt, with a number where it has other values.
    private mutating func promptName(_ name: String, for value: String) -> String {
        if let known = promptNames[name]?[value] { return known }
        var (unique, number) = (name, max(1, promptNames[name]?.count ?? 0))
        while taken.contains(unique) || samples.contains(where: { $0.name == unique }) {
            number += 1
            unique = "\(name)\(number)"
        }
        promptNames[name, default: [:]][value] = unique
        samples.append(Field(unique, value))
        return unique
    }

    private mutating func command(
        _ words: SlumberExpression?, _ options: [String: SlumberExpression], at offset: Int
    ) -> String? {
        guard let words = words?.literals, let program = words.first, !program.isEmpty, options.isEmpty,
            !words.contains(where: { $0.contains("{{") })
        else { return nil }
        let source = Secret.Source.command(words)
        let written = ForeignText.word(words.joined(separator: "_").excerpt(40))
        let name = ForeignText.unused(free(written.isEmpty ? "command" : written)) { name in
            sources[name].map { $0 != source } ?? false
        }
        sources[name] = source
        log.remark(offset, "command", "the first line of what the program writes, once it is allowed to run")
        return "{{\(name)}}"
    }

    private mutating func choice(_ list: SlumberExpression?, at offset: Int) -> String? {
        if case .call("jsonpath", let input, let arguments, var options)? = list {
            let first = { (query: SlumberExpression) -> SlumberExpression in
                guard case .text(let path) = query else { return query }
                return .text(path.contains("[*]") ? path.replacing("[*]", with: "[0]") : path + "[0]")
            }
            options["mode"] = nil
            options["query"] = options["query"].map(first)
            guard let value = response("jsonpath", input, arguments.map(first), options, at: offset) else { return nil }
            log.loss(offset, "select", "the first value of the response stands in for the one that is chosen")
            return value
        }
        guard case .list(let elements)? = list, let first = elements.first,
            let value = self.value(of: first, at: offset)
        else { return nil }
        log.loss(offset, "select", "the first of \(elements.count) values stands in for the one that is chosen")
        return value
    }

    // MARK: Responses

    /// A capture of the request that a function names.
    private mutating func response(
        _ name: String, _ input: SlumberExpression?, _ arguments: [SlumberExpression],
        _ options: [String: SlumberExpression], at offset: Int
    ) -> String? {
        if name == "jsonpath" {
            let all = (input.map { [$0] } ?? []) + arguments
            let query = options["query"]?.literal ?? all.lazy.compactMap(\.literal).first
            let called = all.first { $0.literal == nil }.map { resolved($0) }
            // A capture is one value.
            guard options["mode"]?.literal != "array", let query,
                case .call("response", nil, let inner, let settings)? = called
            else { return nil }
            return capture(.path(query), of: inner.first, query, settings, at: offset)
        }
        guard input == nil else { return nil }
        if name == "response" { return capture(.path("$"), of: arguments.first, "body", options, at: offset) }
        guard arguments.count > 1, let header = arguments[1].literal, !header.isEmpty else { return nil }
        return capture(.header(header), of: arguments.first, header, options, at: offset)
    }

    private mutating func capture(
        _ source: Capture.Source, of request: SlumberExpression?, _ part: String,
        _ options: [String: SlumberExpression], at offset: Int
    ) -> String? {
        guard let id = request?.literal, !id.isEmpty, (try? source.check()) != nil else { return nil }
        let age = maximumAge(options["trigger"], of: id, at: offset)
        if let known = captures.template(for: source, of: id, maximumAge: age) { return known }
        let name = free(captures.unusedName("\(id)_\(part)"))
        let isSecret = ForeignText.namesSecret(part)
        captures[id, default: []].append(Capture(name, source, isSecret: isSecret, maximumAge: age))
        return "{{\(name)}}"
    }

    /// The age from which on a trigger sends a request again; nil for none.
    private mutating func maximumAge(
        _ trigger: SlumberExpression?, of request: String, at offset: Int
    ) -> Duration? {
        let word = trigger.map { $0.literal ?? "" } ?? "never"
        switch word {
        case "always": return .zero
        case "no_history": return nil
        case "never":
            log.remark(
                offset, "response('\(request)')".excerpted,
                "a missing value sends the request, which slumber leaves to you")
            return nil
        default:
            if let age = Self.age(word) { return age }
            let written = word.isEmpty ? "trigger" : "trigger='\(word)'"
            log.loss(offset, written.excerpted, "no age; the value of \(request) is kept".excerpted)
            return nil
        }
    }

    /// The sum of `1d12h`.
    private static func age(_ text: String) -> Duration? {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        var (seconds, digits) = (0, "")
        for character in text {
            if let unit = units[character] {
                guard let number = Int(digits), (0...31_536_000).contains(number) else { return nil }
                (seconds, digits) = (min(seconds + number * unit, 31_536_000), "")
            } else {
                digits.append(character)
            }
        }
        return digits.isEmpty && !text.isEmpty ? .seconds(seconds) : nil
    }

    /// A name for a variable that no profile has.
    private func free(_ name: String) -> String {
        var name = name
        while taken.contains(name) { name += "2" }
        return name
    }

    // MARK: Slumber 3

    /// Returns what a chain or a variable of the process environment is in slumber 4; other expressions as they are.
    private func resolved(_ expression: SlumberExpression) -> SlumberExpression {
        guard case .name(let name) = expression else { return expression }
        if name.hasPrefix("env."), !taken.contains("env") {
            let variable = SlumberExpression.text(String(name.dropFirst("env.".count)))
            return .call("env", input: nil, arguments: [variable], options: [:])
        }
        guard name.hasPrefix("chains."), let chain = chains[String(name.dropFirst("chains.".count))],
            var value = source(of: chain, named: String(name.dropFirst("chains.".count)))
        else { return expression }
        if let selector = chain["selector"]?.string {
            value = .call("jsonpath", input: value, arguments: [.text(selector)], options: [:])
        }
        if chain["sensitive"]?.bool == true, case .call(let function, _, _, _) = value, function != "prompt" {
            value = .call("sensitive", input: value, arguments: [], options: [:])
        }
        return value
    }

    /// The expression of a text with templates in it; nil for one that names chains, which could name it again.
    private static func filled(_ text: String) -> SlumberExpression? {
        guard text.contains("{{") else { return .text(text) }
        guard !text.contains("chains.") else { return nil }
        if let expression = expression(text) { return expression }
        var (parts, rest): ([SlumberExpression], Substring) = ([], text[...])
        while let open = rest.firstRange(of: "{{"), let end = rest[open.upperBound...].firstRange(of: "}}") {
            guard let inner = SlumberExpression(String(rest[open.upperBound..<end.lowerBound])) else { return nil }
            parts += [.text(String(rest[..<open.lowerBound])), inner]
            rest = rest[end.upperBound...]
        }
        return .call("concat", input: nil, arguments: [.list(parts + [.text(String(rest))])], options: [:])
    }

    private func source(of chain: ForeignValue, named name: String) -> SlumberExpression? {
        guard let (tag, source) = chain["source"]?.members.first else { return nil }
        func text(_ key: String) -> SlumberExpression? {
            source[key].flatMap { $0.text.contains("{{") ? nil : SlumberExpression.text($0.text) }
        }
        switch tag {
        case "!command":
            let words = (source["command"]?.elements ?? []).map { SlumberExpression.text($0.text) }
            let options = source["stdin"].map { ["stdin": SlumberExpression.text($0.text)] } ?? [:]
            return .call("command", input: nil, arguments: [.list(words)], options: options)
        case "!prompt":
            var options: [String: SlumberExpression] = [:]
            options["default"] = source["default"].flatMap { Self.filled($0.text) }
            if chain["sensitive"]?.bool == true { options["sensitive"] = .bool(true) }
            return .call("prompt", input: nil, arguments: [text("message") ?? .text(name)], options: options)
        case "!file": return .call("file", input: nil, arguments: [text("path") ?? .null], options: [:])
        case "!env": return .call("env", input: nil, arguments: [text("variable") ?? .null], options: [:])
        case "!select":
            let values = (source["options"]?.elements ?? []).map { SlumberExpression.text($0.text) }
            return .call("select", input: nil, arguments: [.list(values)], options: [:])
        case "!request":
            var options: [String: SlumberExpression] = [:]
            if let (trigger, age) = source["trigger"]?.members.first {
                options["trigger"] = .text(trigger == "!expire" ? age.text : String(trigger.dropFirst()))
            } else if let trigger = source["trigger"]?.string {
                let expire = "expire "
                options["trigger"] = .text(
                    trigger.hasPrefix(expire) ? String(trigger.dropFirst(expire.count)) : trigger)
            }
            let recipe = SlumberExpression.text(source["recipe"]?.text ?? "")
            guard let header = source["section"]?["!header"] else {
                return .call("response", input: nil, arguments: [recipe], options: options)
            }
            return .call("response_header", input: nil, arguments: [recipe, .text(header.text)], options: options)
        default: return nil
        }
    }
}
