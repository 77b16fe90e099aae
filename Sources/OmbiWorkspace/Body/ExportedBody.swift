import OmbiDocument

/// The content of a body apart from its kind, as it is exported: with its templates, or with them filled in.
enum ExportedBody: Sendable, Equatable {
    case json(JSONValue)
    case text(String, contentType: String)
    /// Sent as `application/x-www-form-urlencoded`.
    case form([Field])
    case multipart([MultipartPart])
    case file(String, contentType: String)
}
