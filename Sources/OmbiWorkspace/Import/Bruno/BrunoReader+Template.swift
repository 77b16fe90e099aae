/// The templates of Bruno: `{{name}}`, `{{$guid}}`, `{{process.env.X}}`, `{{?a question}}`.
extension BrunoReader {
    /// Returns a text as a template of Ombi.
    mutating func template(_ text: String, at offset: Int) -> String {
        text.contains("{{") ? TemplateText.escaped(foreign: renamed(text, at: offset)) : text
    }

    /// Returns a text with the names and functions of Ombi, in which other braces are as they were.
    mutating func renamed(_ text: String, at offset: Int) -> String {
        TemplateText.replacing(text) { reference($0, at: offset) }
    }

    /// The template or the text for what stands between braces; nil for what is none.
    private mutating func reference(_ inner: Substring, at offset: Int) -> String? {
        let name = inner.trimmed
        guard !name.isEmpty, !name.contains(where: { $0.isNewline || $0 == "{" || $0 == "\"" }) else { return nil }
        if let constant = constants[name] {
            constantBudget -= constant.utf8.count
            if constantBudget >= 0 { return constant }
            log.loss(offset, "{{\(name)}}".excerpted, "not filled in: the variables of requests are too long")
        }
        if name.hasPrefix("$") { return function(name, at: offset) }
        if name.hasPrefix("?") {
            let secret = log.variableName(name.dropFirst().trimmed, at: offset)
            prompts.insert(secret)
            return "{{\(secret)}}"
        }
        let process = "process.env."
        guard name.hasPrefix(process), name.utf8.count > process.utf8.count else {
            return "{{\(log.variableName(name, at: offset))}}"
        }
        let variable = String(name.dropFirst(process.count))
        let secret = log.variableName(variable, at: offset)
        processSecrets[secret] = variable
        return "{{\(secret)}}"
    }

    /// Bruno has the dynamic variables of Postman.
    private mutating func function(_ name: String, at offset: Int) -> String {
        if let function = PostmanReader.functions[name] { return "{{\(function)}}" }
        let variable = log.variableName(String(name.dropFirst()), at: offset)
        if !samples.contains(where: { $0.name == variable }) {
            samples.append(Field(variable, PostmanReader.sample(of: variable)))
        }
        log.loss(offset, "{{\(name)}}".excerpted, "a fixed value of the variable \(variable), in place of a random one")
        return "{{\(variable)}}"
    }

    // MARK: Variables of a request

    /// Sets the variables of a request, which stand in the request from then on: Ombi has no variables of one request.
    mutating func setConstants(_ rows: [BrunoRow]) {
        constants = [:]
        var (names, values): ([String], [String: BrunoRow]) = ([], [:])
        for row in rows where row.isEnabled && !row.name.isEmpty {
            noteDescription(of: row)
            if values.updateValue(row, forKey: row.name) == nil { names.append(row.name) }
        }
        guard let first = names.first.flatMap({ values[$0] }) else { return }
        log.remark(
            first.offset, "variables of a request", "written into the request, as only folders have variables")
        var left = Self.maximumConstants
        // One may have others in it, and those others.
        for _ in 0..<Self.maximumNesting {
            for name in names {
                guard let old = values[name]?.value, old.contains("{{") else { continue }
                let new = TemplateText.replacing(old) { inner in
                    let other = inner.trimmed
                    guard other != name, let text = values[other]?.value, text.utf8.count <= left else { return nil }
                    left -= text.utf8.count
                    return text
                }
                values[name]?.value = new
            }
        }
        // What is left is that of other levels, and of functions.
        for name in names {
            guard let row = values[name] else { continue }
            constants[name] = renamed(row.value, at: row.offset)
        }
    }

    private static let maximumNesting = 3
    /// In bytes that the variables of one request add to each other.
    private static let maximumConstants = 64 << 10
}
