import OmbiCore
import OmbiDocument
import OmbiWorkspace

/// The kinds of body that the request pane offers.
enum BodyKind: String, CaseIterable, Sendable {
    case none, json, text, form

    var note: String {
        switch self {
        case .none: "no body"
        case .json: "application/json"
        case .text: "as it is"
        case .form: "application/x-www-form-urlencoded"
        }
    }
}

/// The kinds of authentication that the request pane offers.
enum AuthenticationKind: String, CaseIterable, Sendable {
    case inherit, bearer, basic, none

    var note: String {
        switch self {
        case .inherit: "the headers of the environment"
        case .bearer: "a token"
        case .basic: "user name and password"
        case .none: "no credentials at all"
        }
    }
}

extension SavedBody {
    var kind: BodyKind {
        switch self {
        case .json: .json
        case .text: .text
        case .form: .form
        }
    }

    var form: [Field] {
        if case .form(let fields) = self { fields } else { [] }
    }
}

extension SavedAuthentication {
    var kind: AuthenticationKind {
        switch self {
        case .bearer: .bearer
        case .basic: .basic
        case .noAuthentication: .none
        }
    }
}

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

    mutating func setBodyKind(_ kind: BodyKind) {
        guard kind != body?.kind ?? .none else { return }
        switch kind {
        case .none: body = nil
        case .json: body = (try? JSONValue.parse(bodyText)).map { .json($0) } ?? .json(.object([]))
        case .text: body = .text(bodyText, contentType: nil)
        case .form: body = .form([])
        }
    }

    mutating func setAuthenticationKind(_ kind: AuthenticationKind) {
        guard kind != authentication?.kind ?? .inherit else { return }
        switch kind {
        case .inherit: authentication = nil
        case .none: authentication = .noAuthentication
        case .bearer: authentication = .bearer(BearerAuthentication(token: ""))
        case .basic: authentication = .basic(BasicAuthentication(username: "", password: ""))
        }
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

    /// True for an absolute URL, which ignores the host of the environment.
    var isAbsolute: Bool { path.hasPrefix("http://") || path.hasPrefix("https://") }
}
