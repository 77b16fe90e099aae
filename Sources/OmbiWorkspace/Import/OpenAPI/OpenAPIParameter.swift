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

    /// The way in which a list or an object is sent.
    var style: ParameterStyle {
        if let format = value["collectionFormat"]?.string { return ParameterStyle(collectionFormat: format) }
        // That of OpenAPI 2.0 is a schema itself.
        if value["schema"] == nil, value["type"] != nil { return ParameterStyle(collectionFormat: "csv") }
        let usual = ["query", "cookie", "formData"].contains(location) ? "form" : "simple"
        return ParameterStyle(value["style"]?.string ?? usual, explode: value["explode"]?.bool)
    }

    /// True for one in which characters with a meaning in URLs are not encoded.
    var allowsReserved: Bool { location == "query" && value["allowReserved"]?.bool ?? false }
}
