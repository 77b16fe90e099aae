/// One row of a tab of the request pane: its content, and the actions on it.
struct FormRow: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// A name and a value that can be disabled and removed.
        case pair(FieldList, index: Int)
        /// A value under a fixed name.
        case single(RequestField)
        /// A value that is picked from a list.
        case choice(RequestField)
        /// A header or a credential of another level, which is edited there.
        case inherited(Provenance)
        case bodyLine(Int)
        /// Stands in a list without rows, and adds one.
        case hint
        /// Stands below the rows of one of several lists, and adds one.
        case adder(FieldList)
    }

    var kind: Kind
    var name = ""
    var value = ""
    var note = ""
    /// The reason why the value is no good as it is; empty for none.
    var warning = ""
    var enabled: Bool?

    var field: RequestField? { name.isEmpty ? nameField ?? valueField : valueField }

    /// True for a row that only says what Enter adds.
    var isHint: Bool {
        switch kind {
        case .hint, .adder: true
        case .pair, .single, .choice, .inherited, .bodyLine: false
        }
    }

    var isInherited: Bool { if case .inherited = kind { true } else { false } }

    /// True for a row that can be disabled.
    var isToggled: Bool {
        if case .pair(let list, _) = kind { list.toggles } else { false }
    }

    var nameField: RequestField? {
        if case .pair(let list, let index) = kind { list.name(index) } else { nil }
    }

    var valueField: RequestField? {
        switch kind {
        case .pair(let list, let index): list.value(index)
        case .single(let field): field
        case .choice, .inherited, .bodyLine, .hint, .adder: nil
        }
    }

    /// Nil for a row that has no description.
    var descriptionField: RequestField? {
        switch kind {
        case .pair(let list, let index): list.isDescribed ? list.description(index) : nil
        case .single(let field): field.isPathParameter ? RequestField.descriptionOfPathParameter(parameterName) : nil
        case .choice, .inherited, .bodyLine, .hint, .adder: nil
        }
    }

    /// The name without the colon before it.
    private var parameterName: String { String(name.dropFirst()) }

    /// True for the row in which a field is edited.
    func has(_ field: RequestField) -> Bool {
        if case .choice(let own) = kind { return own == field }
        return field == nameField || field == valueField || field == descriptionField
    }
}

/// The rows of each tab, from a request and its environment.
enum RequestForm {
    /// The rows before the lines of a body.
    /// - Parameter inheritance: evaluated in the tabs that show something inherited.
    static func rows(
        of tab: RequestTab, in request: SavedRequest, ofSettings: Bool = false,
        inheritance: @autoclosure () -> Inheritance?
    ) -> [FormRow] {
        switch tab {
        case .params where ofSettings: orHint(pairs(.variables, of: request), "No variables. Enter adds one.")
        case .params: params(of: request)
        case .headers:
            orHint(
                pairs(.headers, of: request) + pairs(.cookies, of: request) + inherited(by: request, inheritance()),
                "No headers. Enter adds one.")
        case .body: body(of: request)
        case .auth: authentication(of: request, inheritance())
        case .policy where ofSettings: policy(of: request, inheritance())
        case .policy:
            policy(of: request, inheritance()) + [fallback(of: request)] + singles(RequestField.pages, request)
        case .connection: connection(of: request, inheritance())
        case .capture: captures(of: request)
        case .expect: expectations(of: request)
        case .about:
            [name(of: request), single(.description, request)]
                + (ofSettings ? [] : singles(RequestField.alone, request))
                + [tags(of: request, inheritance())]
        }
    }

    /// A field under the name of its row.
    typealias NamedField = (tab: RequestTab, name: String, field: RequestField)

    static func fields(
        of request: SavedRequest, ofSettings: Bool, _ inheritance: Inheritance?
    ) -> [NamedField] {
        RequestTab.tabs(ofSettings: ofSettings).flatMap { tab in
            fields(of: tab, rows(of: tab, in: request, ofSettings: ofSettings, inheritance: inheritance))
        }
    }

    private static func fields(of tab: RequestTab, _ rows: [FormRow]) -> [NamedField] {
        var fields: [NamedField] = []
        var list = ""
        for row in rows {
            switch row.kind {
            case .pair:
                list = row.name
                if let field = row.valueField, !row.name.isEmpty { fields.append((tab, row.name, field)) }
            case .single(let field), .choice(let field):
                // The parts of a capture stand below it.
                let name = row.name.hasPrefix(" ") ? "\(list) › \(field.label)" : field.label
                fields.append((tab, name, field))
            case .inherited, .bodyLine, .hint, .adder: break
            }
        }
        return fields
    }

    private static func name(of request: SavedRequest) -> FormRow {
        var row = single(.name, request)
        guard let operation = request.operation else { return row }
        row.note = "operation \(operation.name) of \(operation.specification)"
        row.warning = operation.failure ?? ""
        return row
    }

    private static func fallback(of request: SavedRequest) -> FormRow {
        var row = single(.fallback, request)
        if row.value.isEmpty { row.note = "none; history, history 7d, file ./items.json" }
        return row
    }

    private static func params(of request: SavedRequest) -> [FormRow] {
        let names = request.pathParameterNames
        let stale = request.pathParameters.map(\.name).filter { !names.contains($0) }
        let path = (names + stale).map { name in
            var row = single(.pathParameter(name), request)
            row.value = Credentials.masked(Field(name, row.value))
            let text = request.pathParameters.first { $0.name == name }?.descriptionLine ?? ""
            row.note = !names.contains(name) ? "not in the path" : text.isEmpty ? "in the path" : text
            return row
        }
        return orHint(
            path + pairs(.query, of: request), "No parameters. Enter adds one; :name in the path makes one.")
    }

    private static func orHint(_ rows: [FormRow], _ hint: String) -> [FormRow] {
        rows.isEmpty ? [FormRow(kind: .hint, note: hint)] : rows
    }

    private static func inherited(by request: SavedRequest, _ inheritance: Inheritance?) -> [FormRow] {
        (inheritance?.headers(sentWith: request) ?? []).map {
            FormRow(
                kind: .inherited($0.source), name: $0.value.name, value: Credentials.masked($0.value),
                note: $0.source.description)
        }
    }

    private static func body(of request: SavedRequest) -> [FormRow] {
        if request.hasMessages {
            return [single(.subprotocols, request)] + pairs(.messages, of: request)
                + [
                    FormRow(
                        kind: .adder(.messages),
                        note: "Enter adds a message; the palette (:) sends one while the WebSocket is open.")
                ]
        }
        let kind = single(.bodyKind, request, name: "kind")
        guard let body = request.body else { return [kind] }
        let rows = pairs(.rows(of: body), of: request)
        return [kind] + RequestField.fields(of: body).map { single($0, request) }
            + (rows.isEmpty ? adder(of: body) : rows)
    }

    private static func adder(of body: SavedBody) -> [FormRow] {
        guard body.rows != nil else { return [] }
        let note = body.namesFiles ? "Enter adds a part; @ before a value names a file." : "Enter adds a field."
        return [FormRow(kind: .adder(.rows(of: body)), note: note)]
    }

    private static func authentication(of request: SavedRequest, _ inheritance: Inheritance?) -> [FormRow] {
        [single(.authenticationKind, request, name: "kind")] + credentials(of: request)
            + credentials(inheritedBy: request, inheritance) + inherited(by: request, inheritance)
    }

    private static func credentials(of request: SavedRequest) -> [FormRow] {
        guard let authentication = request.authentication else { return [] }
        let fields = zip(authentication.kind.descriptors, RequestField.fields(of: authentication))
        return fields.filter { $1.isShown(in: request) }.map { descriptor, field in
            var row = single(field, request)
            row.value = Credentials.masked(descriptor, of: authentication)
            return row
        }
    }

    private static func credentials(inheritedBy request: SavedRequest, _ inheritance: Inheritance?) -> [FormRow] {
        guard request.authentication == nil, let inherited = inheritance?.authentication(of: request) else { return [] }
        let kind = FormRow(
            kind: .inherited(inherited.source), name: "kind", value: inherited.value.kind.rawValue,
            note: inherited.source.description)
        let fields = inherited.value.kind.descriptors.filter { !$0.read(inherited.value).isEmpty }.map { field in
            FormRow(
                kind: .inherited(inherited.source), name: field.label,
                value: Credentials.masked(field, of: inherited.value))
        }
        return [kind] + fields
    }

    private static func tags(of request: SavedRequest, _ inheritance: Inheritance?) -> FormRow {
        var row = single(.tags, request)
        row.note = (inheritance?.levels ?? []).filter { !$0.settings.tags.isEmpty }.map { level in
            "\(level.settings.tags.joined(separator: " ")) (\(level.source.description))"
        }.joined(separator: ", ")
        return row
    }

    private static func policy(of request: SavedRequest, _ inheritance: Inheritance?) -> [FormRow] {
        let settings = zip(RequestPolicy.fields, RequestField.policy).map { setting, field in
            var row = single(field, request)
            guard row.value.isEmpty else { return row }
            let level = inheritance?.levels.first { !setting.read($0.settings.policy ?? RequestPolicy()).isEmpty }
            let value = setting.read(level?.settings.policy ?? .standard(for: request))
            row.note = (value.isEmpty ? "none" : value) + " (\(level?.source.description ?? "default"))"
            return row
        }
        return settings + [objective(of: request, inheritance), trace(of: request, inheritance)]
    }

    private static func objective(of request: SavedRequest, _ inheritance: Inheritance?) -> FormRow {
        var row = single(.objective, request)
        guard let level = inheritance?.levels.first(where: { $0.settings.objective != nil }) else { return row }
        row.note = "\(inheritance?.objective.text ?? "") (\(level.source.description))"
        return row
    }

    private static func trace(of request: SavedRequest, _ inheritance: Inheritance?) -> FormRow {
        var row = single(.trace, request)
        guard let level = inheritance?.levels.first(where: { $0.settings.trace != nil }) else { return row }
        var plain = request
        plain.trace = nil
        row.note = "\(inheritance?.trace(of: plain).text ?? "") (\(level.source.description))"
        return row
    }

    private static func connection(of request: SavedRequest, _ inheritance: Inheritance?) -> [FormRow] {
        zip(SavedConnection.fields, RequestField.connection).map { setting, field in
            var row = single(field, request)
            row.value = SavedConnection.text(of: setting, in: request.connection) ?? ""
            guard row.value.isEmpty else {
                row.value = SavedConnection.shown(setting, row.value)
                return row
            }
            let inherited = inheritance?.connection(setting, of: request)
            let value = inherited.map { SavedConnection.shown(setting, $0.value) } ?? setting.standard
            row.note = value + " (\(inherited?.source.description ?? "default"))"
            return row
        }
    }

    private static func expectations(of request: SavedRequest) -> [FormRow] {
        singles(RequestField.expectations, request) + pairs(.expectedHeaders, of: request)
            + [FormRow(kind: .adder(.expectedHeaders), note: "Enter expects a header.")]
            + pairs(.expectedBody, of: request)
            + [FormRow(kind: .adder(.expectedBody), note: "Enter expects a value of the body: $.id, type integer.")]
    }

    /// The list of the Expect tab that a row belongs to: that of the body, but for the rows of headers.
    static func expectationList(at row: Int, of request: SavedRequest) -> FieldList {
        switch expectations(of: request)[safe: row]?.kind {
        case .pair(.expectedHeaders, _), .adder(.expectedHeaders): .expectedHeaders
        default: .expectedBody
        }
    }

    /// For each capture its name and source, then what else can be set.
    private static func captures(of request: SavedRequest) -> [FormRow] {
        let rows = zip(request.captures.indices, pairs(.captures, of: request)).flatMap { index, row in
            [row]
                + RequestField.capture(index).map { field in
                    var row = single(field, request)
                    row.name = "  " + field.label
                    if row.value.isEmpty { row.note = "none: the value stays until Ombi ends" }
                    return row
                }
        }
        return orHint(rows, "No captures. Enter adds one; c on a value of the response, too.")
            + pairs(.ownVariables, of: request)
            + [FormRow(kind: .adder(.ownVariables), note: "Enter adds a variable of this request.")]
    }

    static func captureList(at row: Int, of request: SavedRequest) -> FieldList {
        switch captures(of: request)[safe: row]?.kind {
        case .pair(.ownVariables, _), .adder(.ownVariables): .ownVariables
        default: .captures
        }
    }

    /// The description, after the word for a row of a kind of its own.
    private static func note(of field: Field, in list: FieldList) -> String {
        let word = list == .cookies ? "cookie" : list == .query && field.isRaw ? "raw" : ""
        return [word, field.descriptionLine].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    private static func pairs(_ list: FieldList, of request: SavedRequest) -> [FormRow] {
        request[keyPath: list.fields].enumerated().map { index, field in
            FormRow(
                kind: .pair(list, index: index), name: field.name,
                value: list == .cookies ? Credentials.masked(cookie: field) : Credentials.masked(field),
                note: note(of: field, in: list),
                enabled: list.toggles ? field.enabled : nil)
        }
    }

    private static func singles(_ fields: [RequestField], _ request: SavedRequest) -> [FormRow] {
        fields.map { single($0, request) }
    }

    private static func single(_ field: RequestField, _ request: SavedRequest, name: String? = nil) -> FormRow {
        var row = FormRow(
            kind: field.choices.isEmpty ? .single(field) : .choice(field), name: name ?? field.label,
            value: field.read(request))
        let example = field.example.isEmpty ? "" : "for example \(field.example)"
        switch field.need(request) {
        case .required where row.value.isEmpty: row.warning = "empty; " + example
        case .optional where row.value.isEmpty: row.note = example
        case .unused: row.note = "not used as it is"
        case .required, .optional: break
        }
        return row
    }
}
