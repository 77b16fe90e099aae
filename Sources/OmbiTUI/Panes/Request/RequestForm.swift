import OmbiCore
import OmbiWorkspace

/// One row of a tab of the request pane: its content, and the actions on it.
struct FormRow: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// A name and a value that can be disabled and removed.
        case pair(FieldList, index: Int)
        /// A value under a fixed name.
        case single(RequestField)
        /// A value that is picked from a list.
        case choice(RequestField)
        /// A header of the environment, which is edited there.
        case inherited
        case bodyLine(Int)
        /// Stands in a list without rows, and adds one.
        case hint
    }

    var kind: Kind
    var name = ""
    var value = ""
    var note = ""
    var enabled: Bool?

    /// The field that Enter edits.
    var field: RequestField? { name.isEmpty ? nameField ?? valueField : valueField }

    /// True for a row that can be disabled.
    var isToggled: Bool {
        if case .pair = kind { true } else { false }
    }

    var nameField: RequestField? {
        if case .pair(let list, let index) = kind { list.name(index) } else { nil }
    }

    var valueField: RequestField? {
        switch kind {
        case .pair(let list, let index): list.value(index)
        case .single(let field): field
        case .choice, .inherited, .bodyLine, .hint: nil
        }
    }
}

/// The rows of each tab, from a request and its environment.
enum RequestForm {
    /// The rows before the lines of a body.
    /// - Parameter defaults: the inherited policy; evaluated in the Policy tab only.
    static func rows(
        of tab: RequestTab, in request: SavedRequest, environment: Environment?,
        defaults: @autoclosure () -> RequestPolicy
    ) -> [FormRow] {
        switch tab {
        case .params: params(of: request)
        case .headers:
            orHint(pairs(.headers, of: request) + inherited(by: request, environment), "No headers. Enter adds one.")
        case .body: body(of: request)
        case .auth: authentication(of: request, environment)
        case .policy: policy(of: request, defaults: defaults())
        case .capture: captures(of: request)
        case .about: [single(.name, request), single(.description, request)]
        }
    }

    static func rows(of tab: RequestTab, in workbench: Workbench) -> [FormRow] {
        workbench.request.map {
            rows(of: tab, in: $0, environment: workbench.environment, defaults: workbench.defaults)
        } ?? []
    }

    private static func params(of request: SavedRequest) -> [FormRow] {
        let names = request.pathParameterNames
        let stale = request.pathParameters.map(\.name).filter { !names.contains($0) }
        let path = (names + stale).map { name in
            var row = single(.pathParameter(name), request)
            row.note = names.contains(name) ? "in the path" : "not in the path"
            return row
        }
        return orHint(
            path + pairs(.query, of: request), "No parameters. Enter adds one; :name in the path makes one.")
    }

    private static func orHint(_ rows: [FormRow], _ hint: String) -> [FormRow] {
        rows.isEmpty ? [FormRow(kind: .hint, note: hint)] : rows
    }

    private static func inherited(by request: SavedRequest, _ environment: Environment?) -> [FormRow] {
        guard let environment else { return [] }
        return environment.headers(sentWith: request).map {
            FormRow(
                kind: .inherited, name: $0.name, value: Credentials.masked($0),
                note: "from environment \(environment.name)")
        }
    }

    private static func body(of request: SavedRequest) -> [FormRow] {
        let kind = single(.bodyKind, request, name: "kind")
        guard let body = request.body else { return [kind] }
        return [kind] + RequestField.fields(of: body).map { single($0, request) } + pairs(.bodyRows, of: request)
    }

    private static func authentication(of request: SavedRequest, _ environment: Environment?) -> [FormRow] {
        let fields = request.authentication.map(RequestField.fields) ?? []
        return [single(.authenticationKind, request, name: "kind")] + fields.map { single($0, request) }
            + inherited(by: request, environment)
    }

    private static func policy(of request: SavedRequest, defaults: RequestPolicy) -> [FormRow] {
        let settings = zip(RequestPolicy.fields, RequestField.policy).map { setting, field in
            var row = single(field, request)
            guard row.value.isEmpty else { return row }
            let standard = setting.read(defaults)
            row.note = (standard.isEmpty ? "none" : standard) + " (default)"
            return row
        }
        return settings + RequestField.expectations.map { single($0, request) }
    }

    /// For each capture its name and source, then what else can be set.
    private static func captures(of request: SavedRequest) -> [FormRow] {
        let rows = zip(request.captures.indices, pairs(.captures, of: request)).flatMap { index, row in
            [row]
                + RequestField.capture(index).map { field in
                    var row = single(field, request)
                    row.name = "  " + field.label
                    if row.value.isEmpty { row.note = "none: the value stays until ombi ends" }
                    return row
                }
        }
        return orHint(rows, "No captures. Enter adds one; c on a value of the response, too.")
    }

    private static func pairs(_ list: FieldList, of request: SavedRequest) -> [FormRow] {
        request[keyPath: list.fields].enumerated().map { index, field in
            FormRow(
                kind: .pair(list, index: index), name: field.name,
                value: list == .headers ? Credentials.masked(field) : field.value, enabled: field.enabled)
        }
    }

    private static func single(_ field: RequestField, _ request: SavedRequest, name: String? = nil) -> FormRow {
        FormRow(
            kind: field.choices.isEmpty ? .single(field) : .choice(field), name: name ?? field.label,
            value: field.read(request))
    }
}
