/// A part of a request that is edited as one line of text, or picked from a list: its label, and how it is read and
/// written.
struct RequestField: Sendable {
    /// Unique among the fields of a request.
    let id: String
    let label: String
    /// The only valid texts, to pick from; empty for free text.
    let choices: [FieldChoice]
    /// An example of its text, or a word for it, shown while it is empty.
    let example: String
    let need: @Sendable (SavedRequest) -> FieldNeed
    let read: @Sendable (SavedRequest) -> String
    /// Throws for a text that is not valid, and changes nothing.
    let write: @Sendable (inout SavedRequest, String) throws(FieldError) -> Void
    /// The field after this one, where they are edited one after the other.
    let partner: (@Sendable () -> RequestField?)?
    /// Empties the field, unless it needs a text.
    let clear: @Sendable (inout SavedRequest) -> Void
    let completes: @Sendable (SavedRequest) -> CompletionKind

    init(
        _ id: String, label: String, choices: [FieldChoice] = [], example: String = "",
        need: @escaping @Sendable (SavedRequest) -> FieldNeed = { _ in .optional },
        partner: (@Sendable () -> RequestField?)? = nil,
        completes: @escaping @Sendable (SavedRequest) -> CompletionKind = { _ in .none },
        clear: (@Sendable (inout SavedRequest) -> Void)? = nil,
        read: @escaping @Sendable (SavedRequest) -> String,
        write: @escaping @Sendable (inout SavedRequest, String) throws(FieldError) -> Void
    ) {
        self.id = id
        self.label = label
        self.choices = choices
        self.example = example
        self.need = need
        self.read = read
        self.write = write
        self.partner = partner
        self.completes = completes
        self.clear = clear ?? { try? write(&$0, "") }
    }
}

extension RequestField: Hashable {
    static func == (left: RequestField, right: RequestField) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension RequestField {
    /// The reason why a text would be refused; nil for a text that would not, or is the present one.
    func problem(with text: String, in request: SavedRequest) -> String? {
        guard text != read(request) else { return nil }
        var changed = request
        do throws(FieldError) { try write(&changed, text) } catch { return error.message }
        return nil
    }
}

extension RequestField {
    /// Reads a URL with its method before it, as documents write it: `POST /users`.
    static func methodAndURL(_ text: String) -> (method: RequestMethod, url: String)? {
        let words = text.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].first?.isLetter ?? false,
            let method = RequestMethod.allCases.first(where: { $0.rawValue == words[0].uppercased() })
                ?? (try? RequestMethod(text: String(words[0])))
        else { return nil }
        let url = String(words[1].drop { $0 == " " })
        return url.hasPrefix("/") || url.hasPrefix("{{") || RequestTarget(url).isURL ? (method, url) : nil
    }
}

extension RequestField {
    /// False for an empty field that has no effect as the request is.
    func isShown(in request: SavedRequest) -> Bool { need(request) != .unused || !read(request).isEmpty }

    /// The field to type in after this one.
    /// - Parameter toFill: the next one that has to be filled in, rather than the next one that shows.
    func next(in request: SavedRequest, toFill: Bool) -> RequestField? {
        var next = partner?()
        while let field = next {
            let isWanted =
                toFill ? field.need(request) == .required && field.read(request).isEmpty : field.isShown(in: request)
            if field.choices.isEmpty, isWanted { return field }
            next = field.partner?()
        }
        return nil
    }
}

extension RequestField {
    static let name = RequestField("name", label: "name") {
        $0.name
    } write: { request, text throws(FieldError) in
        let trimmed = String(text.trimming { $0 == " " })
        if trimmed.isEmpty { throw FieldError("a request needs a name") }
        request.name = trimmed
    }

    static let description = RequestField("description", label: "description") {
        $0.description
    } write: {
        $0.description = $1
    }

    static let subprotocols = RequestField("webSocket.subprotocols", label: "subprotocols") {
        $0.webSocket?.subprotocols.joined(separator: " ") ?? ""
    } write: { request, text in
        let names = text.split { $0 == " " || $0 == "," }.map(String.init)
        guard request.webSocket != nil || !names.isEmpty else { return }
        var socket = request.webSocket ?? SavedWebSocket()
        socket.subprotocols = names
        request.webSocket = socket
    }

    static let tags = RequestField("tags", label: "tags") {
        $0.tags.joined(separator: " ")
    } write: { request, text throws(FieldError) in
        request.tags = try Tag.list(text)
    }

    static let url = RequestField("path", label: "URL", completes: { _ in .path }) {
        $0.path
    } write: { request, text throws(FieldError) in
        try request.setURL(text)
    }

    static func pathParameter(_ name: String) -> RequestField {
        RequestField("pathParameters.\(name)", label: ":" + name, clear: { $0.clearPathParameter(name) }) { request in
            request.pathParameters.first { $0.name == name }?.value ?? ""
        } write: { request, text in
            if let row = request.pathParameters.firstIndex(where: { $0.name == name }) {
                request.pathParameters[row].value = text
            } else {
                request.pathParameters.append(Field(name, text))
            }
        }
    }
}

extension RequestField {
    private static let pathParameters = "pathParameters."

    var isPathParameter: Bool { id.hasPrefix(Self.pathParameters) }

    static func descriptionOfPathParameter(_ name: String) -> RequestField {
        RequestField("\(pathParameters)\(name).description", label: ":" + name, example: "description") { request in
            request.pathParameters.first { $0.name == name }?.description ?? ""
        } write: { request, text in
            if let row = request.pathParameters.firstIndex(where: { $0.name == name }) {
                request.pathParameters[row].description = text.isEmpty ? nil : text
            } else if !text.isEmpty {
                var field = Field(name, "")
                field.description = text
                request.pathParameters.append(field)
            }
        }
    }
}

extension SavedRequest {
    /// Splits a query into rows that send the same; the path keeps its templates and parameters.
    fileprivate mutating func setURL(_ text: String) throws(FieldError) {
        // The field of a new request begins with a slash, or with a scheme.
        let typed = RequestField.methodAndURL(path == "/" && text.hasPrefix("/") ? String(text.dropFirst()) : text)
        let written = typed?.url ?? text
        let target = RequestTarget(
            path == "/" ? Self.typedAfterSlash(written) : RequestTarget.withoutDoubledScheme(written))
        if let problem = target.problem { throw FieldError(problem) }
        if let typed { method = typed.method }
        let text = target.text
        let address = text.prefix { $0 != "#" }
        guard let mark = address.firstIndex(of: "?"),
            let rows = Field.rows(ofQuery: address[address.index(after: mark)...])
        else { return path = text }
        path = String(address[..<mark])
        query += rows
    }

    /// Drops the first slash before a second one and before a URL, which would otherwise go to the host of the
    /// environment, with its credentials. A name with a single dot and without a port may be the name of a file: it
    /// stays a path.
    private static func typedAfterSlash(_ text: String) -> String {
        guard text.hasPrefix("/") else { return text }
        let typed = String(text.dropFirst())
        let server = typed.prefix { !"/?#".contains($0) }
        let isHost = server.contains(":") || server.count { $0 == "." } > 1 || server.lowercased() == "localhost"
        let target = RequestTarget(typed)
        let isURL = target.problem != nil || (target.isURL && isHost)
        return typed.hasPrefix("/") || isURL ? typed : text
    }

    /// Begins a path with the slash that it is sent with.
    mutating func completePath() {
        guard let first = path.utf8.first, !"/{?#".utf8.contains(first), !isAbsolute else { return }
        path = "/" + path
    }

    /// Empties a path parameter, or removes it if the path does not name it.
    fileprivate mutating func clearPathParameter(_ name: String) {
        let isNamed = pathParameterNames.contains(name)
        guard let row = pathParameters.firstIndex(where: { $0.name == name }) else { return }
        if isNamed { pathParameters[row].value = "" } else { pathParameters.removeAll { $0.name == name } }
    }
}

extension Array {
    mutating func change(_ index: Int, _ change: (inout Element) -> Void) {
        if indices.contains(index) { change(&self[index]) }
    }
}

/// The kind of body and its fields, as the kinds describe them.
extension RequestField {
    static let bodyKind = RequestField(
        "body.kind", label: "Body",
        choices: [FieldChoice("none", note: "no body")]
            + SavedBody.Kind.allCases.map { FieldChoice($0.rawValue, note: $0.note) }
    ) {
        $0.body?.kind.rawValue ?? "none"
    } write: { request, name in
        request.changeBody(to: SavedBody.Kind(rawValue: name))
    }

    static func fields(of body: SavedBody) -> [RequestField] {
        fields(body.descriptors, of: \.body, "body.\(body.kind.rawValue)")
    }

    static let authenticationKind = RequestField(
        "authentication.kind", label: "Authentication",
        choices: SavedAuthentication.choices
    ) {
        $0.authentication?.kind.rawValue ?? "inherit"
    } write: { request, name in
        request.changeAuthentication(to: SavedAuthentication.Kind(rawValue: name))
    }

    static func fields(of authentication: SavedAuthentication) -> [RequestField] {
        let kind = authentication.kind
        return fields(kind.descriptors, of: \.authentication, "authentication.\(kind.rawValue)")
    }

    private static func fields<Part>(
        _ descriptors: [FieldDescriptor<Part>], of part: WritableKeyPath<SavedRequest, Part?> & Sendable, _ id: String
    ) -> [RequestField] {
        descriptors.indices.compactMap { first(of: descriptors[$0...], part, id) }
    }

    /// The first of these fields; the next one follows it.
    private static func first<Part>(
        of descriptors: ArraySlice<FieldDescriptor<Part>>, _ part: WritableKeyPath<SavedRequest, Part?> & Sendable,
        _ id: String
    ) -> RequestField? {
        guard let descriptor = descriptors.first else { return nil }
        let rest = descriptors.dropFirst()
        let partner: (@Sendable () -> RequestField?)? = rest.isEmpty ? nil : { @Sendable in first(of: rest, part, id) }
        return RequestField(
            "\(id).\(descriptor.label)", label: descriptor.label, choices: descriptor.choices,
            example: descriptor.example, need: { $0[keyPath: part].map(descriptor.need) ?? .unused }, partner: partner,
            completes: { request in
                if descriptor.isPath { return .file(after: "") }
                let words = request[keyPath: part].map(descriptor.suggestions) ?? []
                return words.isEmpty ? .none : .words(words)
            },
            read: { $0[keyPath: part].map(descriptor.read) ?? "" },
            write: { request, text throws(FieldError) in
                guard var changed = request[keyPath: part] else { return }
                try descriptor.write(&changed, text)
                request[keyPath: part] = changed
            })
    }
}

/// The parts of a request whose types describe their fields.
extension RequestField {
    /// The parts of a capture beside its name and its source.
    static func capture(_ row: Int) -> [RequestField] {
        fields(Capture.fields, "capture[\(row)]") {
            $0.captures[safe: row]
        } set: { request, changed in
            request.captures.change(row) { $0 = changed }
        }
    }

    /// - Parameter get: returns nil for a part that is not there, which stays so.
    private static func fields<Part: Sendable>(
        _ descriptors: [FieldDescriptor<Part>], _ id: String, get: @escaping @Sendable (SavedRequest) -> Part?,
        set: @escaping @Sendable (inout SavedRequest, Part) -> Void
    ) -> [RequestField] {
        descriptors.map { field in
            RequestField(
                "\(id).\(field.label)", label: field.label, choices: field.choices, example: field.example,
                completes: { _ in field.isPath ? .file(after: "") : .none }
            ) {
                get($0).map(field.read) ?? ""
            } write: { request, text throws(FieldError) in
                guard var changed = get(request) else { return }
                try field.write(&changed, text)
                set(&request, changed)
            }
        }
    }

    static let alone = fields(SavedRequest.fields, "request") {
        $0
    } set: {
        $0 = $1
    }

    static let policy = fields(RequestPolicy.fields, "policy") {
        $0.policy ?? RequestPolicy()
    } set: {
        $0.policy = $1 == RequestPolicy() ? nil : $1
    }

    static let objective = RequestField("objective", label: "objective", example: Objective.example) {
        $0.objective?.text ?? ""
    } write: { request, text throws(FieldError) in
        try Objective.write(text, to: &request.objective)
    }

    static let trace = RequestField("trace", label: "trace", example: SavedTrace.example) {
        $0.trace?.text ?? ""
    } write: { request, text throws(FieldError) in
        try SavedTrace.write(text, to: &request.trace)
    }

    static let pages = fields(SavedPages.fields, "pages") {
        $0.pages
    } set: {
        $0.pages = $1
    }

    static let fallback = RequestField(
        "fallbackResponse", label: "fallback", completes: { _ in .file(after: "file ") }
    ) {
        $0.fallbackText
    } write: { request, text throws(FieldError) in
        try request.setFallback(text)
    }

    static let connection = fields(SavedConnection.fields, "connection") {
        $0.connection ?? SavedConnection()
    } set: {
        $0.connection = $1 == SavedConnection() ? nil : $1
    }

    static let expectations = fields(Expectation.fields, "expect") {
        $0.expect ?? Expectation()
    } set: {
        $0.expect = $1 == Expectation() ? nil : $1
    }
}
