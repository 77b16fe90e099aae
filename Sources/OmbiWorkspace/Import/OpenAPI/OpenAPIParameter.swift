import OmbiDocument

/// A parameter of an operation.
struct OpenAPIParameter {
    let name: String
    /// `path`, `query`, `header`, `cookie`, and in 2.0 `body` and `formData`.
    let location: String
    let value: ForeignValue

    var isRequired: Bool { location == "path" || value["required"]?.bool ?? false }
    /// The schema; in 2.0 the parameter is one itself.
    var schema: JSONValue { (value["schema"] ?? value).json }
    /// The text for the rows that are made of it; empty for none.
    var description: String { value["description"]?.string?.trimmed ?? "" }
    var media: (key: String, value: ForeignValue)? { value["content"]?.members.first }

    /// True for lists whose elements are repeated, and objects whose members are parameters.
    var isExploded: Bool {
        if let format = value["collectionFormat"]?.string { return format == "multi" }
        if value["schema"] == nil, value["type"] != nil { return false }
        return value["explode"]?.bool ?? (style == "form")
    }

    /// True for one in which characters with a meaning in URLs are not encoded.
    var allowsReserved: Bool { location == "query" && value["allowReserved"]?.bool ?? false }

    /// True for one that may be sent several times.
    var isRepeatable: Bool { location == "query" || location == "formData" }

    var style: String { value["style"]?.string ?? (location == "query" || location == "cookie" ? "form" : "simple") }

    /// The text between the elements of a list.
    var separator: String {
        switch value["collectionFormat"]?.string ?? style {
        case "ssv", "spaceDelimited": " "
        case "tsv": "\t"
        case "pipes", "pipeDelimited": "|"
        default: ","
        }
    }
}
