import OmbiCore
import OmbiDocument
import OmbiWorkspace

/// The parts of a request that are edited as text of several lines.
extension SavedRequest {
    /// The body as text, for editing.
    var bodyText: String {
        switch body {
        case .json(let value): String(value.text.dropLast())
        case .text(let text, _): text
        case .form, nil: ""
        }
    }

    /// Sets the body to an edited text. Text that is not JSON is kept as text, so that nothing typed is lost.
    /// - Returns: the error in it, for the status line.
    mutating func setBodyText(_ text: String) -> String? {
        switch body {
        case .text(_, let contentType) where contentType?.contains("json") ?? false:
            return setJSON(text)
        case .text(_, let contentType): body = .text(text, contentType: contentType)
        case .json, .form, nil: return setJSON(text)
        }
        return nil
    }

    private mutating func setJSON(_ text: String) -> String? {
        do throws(JSONSyntaxError) {
            var warning: String?
            body = .json(try JSONValue.parse(text) { warning = warning ?? "kept as it is: \($0)" })
            return warning
        } catch {
            body = .text(text, contentType: "application/json")
            return "kept as text, not JSON yet: \(error)"
        }
    }

    mutating func setBodyKind(_ kind: RequestBodyKind) {
        guard kind != RequestBodyKind(body) else { return }
        switch kind {
        case .none: body = nil
        case .json: body = (try? JSONValue.parse(bodyText)).map { .json($0) } ?? .json(.object([]))
        case .text: body = .text(bodyText, contentType: nil)
        case .form: body = .form([])
        }
    }

    /// The fields of a form; nothing else can be set to a request with another body.
    var form: [Field] {
        get { if case .form(let fields) = body { fields } else { [] } }
        set { if case .form = body { body = .form(newValue) } }
    }

    /// Headers as `Name: value` lines, for an external editor; a `#` in front disables a line.
    var headersText: String {
        headers.map { ($0.enabled ? "" : "# ") + "\($0.name): \($0.value)\n" }.joined()
    }

    /// Sets the headers from such lines.
    mutating func setHeadersText(_ text: String) throws(FieldError) {
        var fields: [Field] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let enabled = !line.hasPrefix("#")
            let content = line.drop { $0 == "#" || $0 == " " }
            guard !content.isEmpty else { continue }
            guard let colon = content.firstIndex(of: ":"), colon > content.startIndex else {
                throw FieldError("line \(index + 1) is not of the form \"Name: value\"; the headers stay as they were")
            }
            let value = content[content.index(after: colon)...].drop { $0 == " " }
            fields.append(Field(String(content[..<colon]), String(value), enabled: enabled))
        }
        headers = fields
    }
}
