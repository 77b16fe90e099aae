import OmbiDocument

/// The templates of Postman: `{{name}}`, `{{$guid}}`, `{{vault:name}}`.
extension PostmanReader {
    /// Returns a text as a template of Ombi: with the names and functions of Ombi, and with other braces escaped.
    mutating func template(_ text: String, at offset: Int) -> String {
        text.contains("{{") ? Self.escaped(renamed(text, at: offset)) : text
    }

    /// Returns a renamed text as a template. Functions that Postman does not have, such as `$file`, stay text.
    static func escaped(_ text: String) -> String { TemplateText.escaped(text, functions: calls) }

    static func escaped(_ value: JSONValue) -> JSONValue { TemplateText.escaped(value, functions: calls) }

    /// Returns a text with the names and functions of Ombi, in which other braces are as they were.
    mutating func renamed(_ text: String, at offset: Int) -> String {
        TemplateText.replacing(text) { reference($0, at: offset) }
    }

    /// The template for what stands between braces; nil for what is none.
    private mutating func reference(_ inner: Substring, at offset: Int) -> String? {
        let name = inner.trimmed
        guard !name.isEmpty, !name.contains(where: { $0.isNewline || $0 == "{" || $0 == "\"" }) else { return nil }
        if name.hasPrefix("$") { return function(name, at: offset) }
        if name.hasPrefix("vault:") {
            let secret = variableName(String(name.dropFirst("vault:".count)), at: offset)
            prompts.insert(secret)
            return "{{\(secret)}}"
        }
        return "{{\(variableName(name, at: offset))}}"
    }

    /// Returns a name that templates can have.
    mutating func variableName(_ name: String, at offset: Int) -> String { log.variableName(name, at: offset) }

    // MARK: Functions

    private static let functions = [
        "$guid": "$uuid", "$randomUUID": "$uuid", "$timestamp": "$timestamp", "$isoTimestamp": "$isoTimestamp",
        "$randomInt": "$randomInt(0, 1000)", "$randomAlphaNumeric": "$randomString(1)",
        "$randomPassword": "$randomString(15)",
    ]

    /// The names of the functions that take the place of Postman's.
    private static let calls = Set(functions.values.map { function in String(function.prefix { $0 != "(" }) })

    /// Fixed values, by the ends of the names of random ones.
    private static let samplesByEnd = [
        ("Email", "ada@example.com"), ("FirstName", "Ada"), ("LastName", "Lovelace"), ("FullName", "Ada Lovelace"),
        ("UserName", "ada"), ("Name", "Ada"), ("Boolean", "true"), ("Url", "https://example.com"),
        ("DomainName", "example.com"), ("IP", "192.0.2.1"), ("IPV6", "2001:db8::1"), ("Number", "555-0100"),
        ("Price", "9.99"), ("Country", "Norway"), ("City", "Oslo"), ("CountryCode", "NO"), ("Color", "blue"),
        ("Latitude", "59.91"), ("Longitude", "10.75"), ("DateFuture", "2030-01-01T00:00:00Z"),
        ("DatePast", "2020-01-01T00:00:00Z"), ("DateRecent", "2025-01-01T00:00:00Z"),
    ]

    private mutating func function(_ name: String, at offset: Int) -> String {
        if let function = Self.functions[name] { return "{{\(function)}}" }
        let variable = variableName(String(name.dropFirst()), at: offset)
        let sample = Self.samplesByEnd.filter { variable.hasSuffix($0.0) }.max { $0.0.count < $1.0.count }
        if !samples.contains(where: { $0.name == variable }) {
            samples.append(Field(variable, sample?.1 ?? "sample"))
        }
        log.loss(offset, "{{\(name)}}".excerpted, "a fixed value of the variable \(variable), in place of a random one")
        return "{{\(variable)}}"
    }
}
