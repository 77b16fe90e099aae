import OmbiDocument

/// The formats of other tools that are taken for collections now and then.
enum ForeignFormat: String, CaseIterable {
    case postman = "a Postman collection"
    case postmanEnvironment = "a Postman environment"
    case openAPI = "an OpenAPI document"
    case har = "a HAR recording"
    case insomnia = "an Insomnia export"

    /// Returns the format of an object that is no collection of Ombi; nil for any other object.
    init?(_ object: ObjectReader) {
        guard !object.has("version") || object.value("version")?.kind == .string else { return nil }
        let found = Self.allCases.first { format in
            switch format {
            case .postman: object.has("info") && object.has("item")
            case .postmanEnvironment: object.has("_postman_variable_scope")
            case .openAPI: object.has("openapi") || object.has("swagger")
            case .har: object.value("log")?.kind == .object
            case .insomnia: object.has("_type") && object.has("resources")
            }
        }
        guard let found else { return nil }
        self = found
    }

    /// Returns the format of a text that is no JSON; nil for any other.
    init?(yaml text: Bytes) {
        let start = String(decoding: text.array(0..<min(text.count, 4096)), as: UTF8.self)
        let lines = start.split(whereSeparator: \.isNewline)
        guard lines.contains(where: { $0.hasPrefix("openapi:") || $0.hasPrefix("swagger:") }) else { return nil }
        self = .openAPI
    }

    /// The problem of a file of this format.
    func sentence(_ file: String) -> String {
        "this is \(rawValue), which `ombi import \(ShellQuotes.word(file)) --to NAME.json` turns into one of Ombi"
    }
}
