import OmbiWorkspace

/// A list of names and values with rows that can be added and removed.
struct FieldList: Hashable, Sendable {
    let id: String
    let fields: WritableKeyPath<SavedRequest, [Field]> & Sendable
    /// Throws for a name that is not valid.
    private let checkName: @Sendable (String) throws(FieldError) -> Void
    private let checkValue: @Sendable (String) throws(FieldError) -> Void

    private init(
        _ id: String, _ fields: WritableKeyPath<SavedRequest, [Field]> & Sendable,
        checkValue: @escaping @Sendable (String) throws(FieldError) -> Void = { _ in },
        checkName: @escaping @Sendable (String) throws(FieldError) -> Void = { _ in }
    ) {
        self.id = id
        self.fields = fields
        self.checkName = checkName
        self.checkValue = checkValue
    }

    static func == (left: FieldList, right: FieldList) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }

    static let query = FieldList("query", \.query)
    static let bodyRows = FieldList("body.rows", \.bodyRows)
    static let headers = FieldList(
        "headers", \.headers, checkName: { name throws(FieldError) in try Field.checkHeaderName(name) })

    static let captures = FieldList(
        "capture", \.captureRows,
        checkValue: { source throws(FieldError) in _ = try Capture.Source(source) },
        checkName: { name throws(FieldError) in try Field.checkVariableName(name) })

    func name(_ row: Int) -> RequestField {
        let isHeader = self == .headers
        return field(
            row, \.name, check: checkName, partner: { value(row) }, completes: { _ in isHeader ? .headerName : .none })
    }

    func value(_ row: Int) -> RequestField {
        let isHeader = self == .headers
        return field(row, \.value, check: checkValue) { request in
            isHeader ? request.headers[safe: row].map { .headerValue(of: $0.name) } ?? .none : .none
        }
    }

    private func field(
        _ row: Int, _ part: WritableKeyPath<Field, String> & Sendable,
        check: @escaping @Sendable (String) throws(FieldError) -> Void = { _ in },
        partner: (@Sendable () -> RequestField?)? = nil,
        completes: @escaping @Sendable (SavedRequest) -> CompletionKind
    ) -> RequestField {
        let id = "\(id)[\(row)]\(partner == nil ? ".value" : ".name")"
        return RequestField(id, label: "", partner: partner, completes: completes) { request in
            request[keyPath: fields][safe: row]?[keyPath: part] ?? ""
        } write: { request, text throws(FieldError) in
            try check(text)
            request[keyPath: fields].change(row) { $0[keyPath: part] = text }
        }
    }
}
