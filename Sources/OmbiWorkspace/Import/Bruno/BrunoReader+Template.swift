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
        if let constant = constants[name] { return constant }
        if name.hasPrefix("$") { return log.dynamicVariable(name, among: &samples, at: offset) }
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

    // MARK: Variables of a request

    /// Fills in the variable of the request that its URL begins with: the hosts of environments are found there.
    mutating func setConstant(of source: BrunoRequest) {
        constants = [:]
        let url = source.url.trimmed
        guard url.hasPrefix("{{"), let end = url.firstRange(of: "}}") else { return }
        let name = url[..<end.lowerBound].dropFirst(2).trimmed
        guard let row = source.scope.variables.last(where: { $0.isEnabled && $0.name == name }) else { return }
        constants[name] = renamed(row.value, at: row.offset)
    }
}
