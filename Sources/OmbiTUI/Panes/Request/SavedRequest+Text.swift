/// The parts of a request that are edited as text of several lines.
extension SavedRequest {
    var bodyText: String { body?.text ?? "" }

    /// Replaces the body by an edited text.
    /// - Returns: the problem with it, for the status line.
    mutating func setBodyText(_ text: String) -> String? {
        let (body, warning) = SavedBody.replacingText(text, in: body)
        self.body = body
        return warning
    }

    /// The rows of a body that has some; those of another body cannot be set.
    var bodyRows: [Field] {
        get { body?.rows ?? [] }
        set { body?.rows = newValue }
    }

    /// The captures as rows of a name and a source; what else is set stays with its row.
    var captureRows: [Field] {
        get { captures.map { Field($0.name, $0.source.text, enabled: $0.enabled) } }
        set {
            var old = captures[...]
            let isShorter = newValue.count < captures.count
            captures = newValue.map { field in
                while isShorter, let first = old.first, first.name != field.name || first.source.text != field.value {
                    old.removeFirst()
                }
                var capture = old.popFirst() ?? Capture("", .path(""))
                if capture.source.text != field.value {
                    capture.source = (try? Capture.Source(field.value)) ?? .path(field.value)
                }
                (capture.name, capture.enabled) = (field.name, field.enabled)
                return capture
            }
        }
    }

    /// The saved messages of a WebSocket as rows of a name and a text.
    var messageRows: [Field] {
        get { (webSocket?.messages ?? []).map { Field($0.name, $0.text) } }
        set {
            guard webSocket != nil || !newValue.isEmpty else { return }
            var socket = webSocket ?? SavedWebSocket()
            var old = socket.messages[...]
            let isShorter = newValue.count < old.count
            socket.messages = newValue.map { field in
                while isShorter, let first = old.first, first.name != field.name || first.text != field.value {
                    old.removeFirst()
                }
                var message = old.popFirst() ?? SavedMessage(name: "", text: "")
                (message.name, message.text) = (field.name, field.value)
                return message
            }
            webSocket = socket
        }
    }

    /// Captures a value of the body in a variable, in place of what it captured before.
    mutating func capture(_ name: String, at path: String) {
        if let index = captures.firstIndex(where: { $0.name == name }) { return captures[index].source = .path(path) }
        let words = name.lowercased()
        let isSecret = ["token", "secret", "password", "apikey", "api_key"].contains(where: words.contains)
        captures.append(Capture(name, .path(path), isSecret: isSecret))
    }

    /// Headers as `Name: value` lines, for an external editor; a `#` in front disables a line.
    var headersText: String {
        headers.map { ($0.enabled ? "" : "# ") + "\($0.name): \($0.value)\n" }.joined()
    }

    /// Sets the headers from such lines.
    mutating func setHeadersText(_ text: String) throws(FieldError) {
        var (fields, old): ([Field], [Field]) = ([], headers)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let enabled = !line.hasPrefix("#")
            let content = line.drop { $0 == "#" || $0 == " " }
            guard !content.isEmpty else { continue }
            guard let colon = content.firstIndex(of: ":"), colon > content.startIndex else {
                throw FieldError("line \(index + 1) is not of the form \"Name: value\"; the headers stay as they were")
            }
            let value = content[content.index(after: colon)...].drop { $0 == " " }
            var field = Field(String(content[..<colon]), String(value), enabled: enabled)
            // Parts that no line shows stay with the name.
            if let known = old.firstIndex(where: { $0.name.lowercased() == field.name.lowercased() }) {
                (field.description, field.unknown) = (old[known].description, old[known].unknown)
                old.remove(at: known)
            }
            fields.append(field)
        }
        headers = fields
    }
}

/// The titles of tabs, and the tabs of each kind of request.
extension RequestTab {
    /// The names of the tabs, each with a summary of its contents.
    static func titles(of subject: SavedRequest, _ inheritance: Inheritance?, ofSettings: Bool) -> [String] {
        tabs(ofSettings: ofSettings).map { $0.title(for: subject, inheritance, ofSettings: ofSettings) }
    }

    func name(of request: SavedRequest, ofSettings: Bool) -> String {
        name(isWebSocket: request.hasMessages, ofSettings: ofSettings)
    }

    /// The name of the tab, with a summary of its contents.
    private func title(for request: SavedRequest, _ inheritance: Inheritance?, ofSettings: Bool) -> String {
        let name = name(of: request, ofSettings: ofSettings)
        switch self {
        case .params: return Self.count(name, request.pathParameters.count + request.query.count)
        case .headers: return Self.count(name, request.headers.count + request.cookies.count)
        case .body where request.hasMessages: return Self.count(name, request.webSocket?.messages.count ?? 0)
        case .body: return name + (request.body == nil ? "" : " " + (request.body?.kind.rawValue ?? ""))
        case .auth: return name + Self.auth(request, inheritance)
        case .policy: return name + (request.policy?.retries.map { " \($0)×" } ?? "")
        case .expect: return Self.count(name, request.expect?.count ?? 0)
        case .capture: return Self.count(name, request.captures.count)
        case .connection, .about: return name
        }
    }

    private static func count(_ name: String, _ count: Int) -> String {
        count == 0 ? name : "\(name) \(count)"
    }

    private static func auth(_ request: SavedRequest, _ inheritance: Inheritance?) -> String {
        if let authentication = request.authentication { return " " + authentication.kind.rawValue }
        guard let sent = inheritance?.sent(with: request) else { return "" }
        if let inherited = sent.authentication { return " ↑" + inherited.value.kind.rawValue }
        let hasHeaders = sent.headers.contains { if case .environment = $0.source { true } else { false } }
        return hasHeaders ? " ↑env" : ""
    }
}

extension SavedRequest {
    /// True for a WebSocket: it has saved messages in the place of a body.
    var hasMessages: Bool { isWebSocket && body == nil }
}
