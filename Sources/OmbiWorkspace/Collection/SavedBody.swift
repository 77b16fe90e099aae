import OmbiDocument

/// The body of a saved request.
public enum SavedBody: Sendable, Equatable {
    /// Sent as `application/json`. Its strings may hold templates, and a string stays a string.
    case json(JSONValue)
    /// Sent as is; without a content type as `text/plain; charset=utf-8`.
    case text(String, contentType: String?)
    /// Sent as `application/x-www-form-urlencoded`.
    case form([Field])
}

extension SavedBody {
    static let keys = ["json", "text", "contentType", "form"]

    init?(reading object: ObjectReader) {
        let kinds = ["json", "text", "form"].filter(object.has)
        guard kinds.count == 1 else {
            let found = kinds.isEmpty ? "none of them" : kinds.map { "\"\($0)\"" }.joined(separator: " and ")
            object.log.error(
                at: object.offset, "a body has one of \"json\", \"text\" and \"form\", found \(found)")
            return nil
        }
        if object.has("contentType"), kinds != ["text"] {
            object.error("contentType", "goes with \"text\" only; set a Content-Type header instead")
        }
        switch kinds[0] {
        case "json": self = .json(object.value("json")?.value ?? .null)
        case "text": self = .text(object.requiredString("text"), contentType: object.string("contentType"))
        default: self = .form(object.list("form", of: Field.self))
        }
    }

    func json(_ unknown: UnknownMembers) -> JSONValue {
        var writer = ObjectWriter()
        switch self {
        case .json(let value): writer.add("json", value)
        case .text(let text, let contentType):
            writer.add("text", text: text)
            writer.add("contentType", text: contentType)
        case .form(let fields): writer.add("form", .array(fields.map(\.json)))
        }
        return writer.object(unknown)
    }
}
