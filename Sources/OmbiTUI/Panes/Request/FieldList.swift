/// A list of names and values with rows that can be added and removed.
struct FieldList: Hashable, Sendable {
    let id: String
    let fields: WritableKeyPath<SavedRequest, [Field]> & Sendable
    /// Throws for a name that is not valid.
    private let checkName: @Sendable (String) throws(FieldError) -> Void
    /// Throws for a value that is not valid beside a name.
    private let checkValue: @Sendable (String, _ name: String) throws(FieldError) -> Void
    /// True for rows that can be disabled.
    let toggles: Bool
    /// The words in an empty cell under edit.
    private let placeholders: (name: String, value: String)

    private init(
        _ id: String, _ fields: WritableKeyPath<SavedRequest, [Field]> & Sendable, toggles: Bool = true,
        placeholders: (name: String, value: String) = ("name", "value"),
        checkName: @escaping @Sendable (String) throws(FieldError) -> Void = { _ in },
        checkValue: @escaping @Sendable (String, _ name: String) throws(FieldError) -> Void = { _, _ in }
    ) {
        self.id = id
        self.fields = fields
        self.checkName = checkName
        self.checkValue = checkValue
        self.toggles = toggles
        self.placeholders = placeholders
    }

    static func == (left: FieldList, right: FieldList) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }

    static let query = FieldList("query", \.query)
    static let bodyRows = FieldList("body.rows", \.bodyRows)
    /// The same rows where a value may name a file.
    static let parts = FieldList("body.rows", \.bodyRows, placeholders: ("name", "value or @file"))

    static func rows(of body: SavedBody) -> FieldList { body.namesFiles ? parts : bodyRows }
    static let variables = FieldList("variables", \.query, checkName: Field.checkVariableName)
    static let ownVariables = FieldList("request.variables", \.variables, checkName: Field.checkVariableName)
    static let headers = FieldList("headers", \.headers, checkName: Field.checkHeaderName)
    static let cookies = FieldList("cookies", \.cookies) { name throws(FieldError) in
        try Field.checkCookie(name, isName: true)
    } checkValue: { value, _ throws(FieldError) in
        try Field.checkCookie(value, isName: false)
    }
    /// The saved messages of a WebSocket.
    static let messages = FieldList("webSocket.messages", \.messageRows, toggles: false) { name throws(FieldError) in
        if name.isEmpty { throw FieldError("a message needs a name") }
    }
    static let captures = FieldList(
        "capture", \.captureRows, placeholders: ("variable", "$.path"), checkName: Field.checkVariableName
    ) { source, _ throws(FieldError) in
        _ = try Capture.Source(source)
    }
    static let expectedHeaders = FieldList(
        "expect.headers", \.expectedHeaders, toggles: false, placeholders: ("header", "condition"),
        checkName: Field.checkHeaderName
    ) { line, _ throws(FieldError) in
        try Expectation.checkConditions(line, isText: true)
    }
    static let expectedBody = FieldList(
        "expect.body", \.expectedBody, toggles: false, placeholders: ("$.path", "condition"),
        checkName: Expectation.checkBodyName
    ) { line, name throws(FieldError) in
        try Expectation.checkConditions(line, isText: name == Expectation.text)
    }

    func name(_ row: Int) -> RequestField {
        let isHeader = self == .headers || self == .expectedHeaders
        return field(
            row, \.name, placeholders.name, check: { name, _ throws(FieldError) in try checkName(name) },
            partner: { value(row) },
            completes: { _ in isHeader ? .headerName : .none })
    }

    func value(_ row: Int) -> RequestField {
        field(row, \.value, placeholders.value, check: checkValue) { [self] request in
            switch self {
            case .headers: request.headers[safe: row].map { .headerValue(of: $0.name) } ?? .none
            case .bodyRows: request.body?.kind == .multipart ? .file(after: "@") : .none
            default: .none
            }
        }
    }

    /// True for rows that have descriptions in the file.
    var isDescribed: Bool {
        ["query", "headers", "cookies", "body.rows", "variables", "request.variables"].contains(id)
    }

    func description(_ row: Int) -> RequestField {
        RequestField("\(id)[\(row)].description", label: "", example: "description") { request in
            request[keyPath: fields][safe: row]?.description ?? ""
        } write: { request, text in
            request[keyPath: fields].change(row) { $0.description = text.isEmpty ? nil : text }
        }
    }

    private func field(
        _ row: Int, _ part: WritableKeyPath<Field, String> & Sendable, _ placeholder: String,
        check: @escaping @Sendable (String, _ name: String) throws(FieldError) -> Void,
        partner: (@Sendable () -> RequestField?)? = nil,
        completes: @escaping @Sendable (SavedRequest) -> CompletionKind
    ) -> RequestField {
        let id = "\(id)[\(row)]\(partner == nil ? ".value" : ".name")"
        return RequestField(
            id, label: "", example: placeholder, need: { _ in .required }, partner: partner, completes: completes
        ) { request in
            request[keyPath: fields][safe: row]?[keyPath: part] ?? ""
        } write: { request, text throws(FieldError) in
            try check(text, request[keyPath: fields][safe: row]?.name ?? "")
            request[keyPath: fields].change(row) { $0[keyPath: part] = text }
        }
    }
}

/// The rows of a tab. The lines of a body, which may be many, become rows when they are read.
struct PaneRows: RandomAccessCollection {
    /// The rows before the lines of the body.
    let head: [FormRow]
    private let body: TextBuffer?

    init(_ head: [FormRow], body: TextBuffer? = nil) {
        self.head = head
        self.body = body
    }

    var startIndex: Int { 0 }
    var endIndex: Int { head.count + (body?.lineCount ?? 0) }

    subscript(position: Int) -> FormRow {
        if position < head.count { return head[position] }
        let line = position - head.count
        return FormRow(kind: .bodyLine(line), value: body.map { $0.text($0.range(ofLine: line)) } ?? "")
    }
}
