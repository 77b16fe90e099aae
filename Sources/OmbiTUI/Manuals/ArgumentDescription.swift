import OmbiDocument

/// An argument of a command as the parser of the command line describes it.
struct ArgumentDescription: Equatable, Sendable {
    /// With one hyphen or two, the short ones first; empty for a positional argument.
    let names: [String]
    /// The name that the usage shows.
    let preferredName: String?
    /// The name of the value; nil for a flag, which has none.
    let value: String?
    let isOptional: Bool
    let isRepeating: Bool
    /// The text of the help, with the possible values and the default.
    let text: String

    /// - Returns: nil for what the help hides.
    init?(_ json: JSONValue) {
        guard let kind = json["kind"]?.stringValue, json["shouldDisplay"] != .bool(false) else { return nil }
        let names = json["names"]?.list.compactMap(Self.name) ?? []
        self.names = names.filter { !$0.hasPrefix("--") } + names.filter { $0.hasPrefix("--") }
        preferredName = json["preferredName"].flatMap(Self.name)
        value = kind == "flag" ? nil : json["valueName"]?.stringValue ?? "value"
        isOptional = json["isOptional"] == .bool(true)
        isRepeating = json["isRepeating"] == .bool(true)
        let values = json["allValues"]?.list.compactMap(\.stringValue) ?? []
        var notes: [String] = []
        if !values.isEmpty { notes.append("values: " + values.joined(separator: ", ")) }
        if let standard = json["defaultValue"]?.stringValue { notes.append("default: " + standard) }
        let abstract = json["abstract"]?.stringValue ?? ""
        text = notes.isEmpty ? abstract : "\(abstract) (\(notes.joined(separator: "; ")))"
    }

    private static func name(_ json: JSONValue) -> String? {
        guard let name = json["name"]?.stringValue else { return nil }
        return (json["kind"]?.stringValue == "long" ? "--" : "-") + name
    }
}
