import OmbiCore
import OmbiWorkspace

/// One row of a tab of the request pane: its content, and the actions on it.
struct FormRow: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// A name and a value that can be disabled and removed.
        case pair(name: RequestField, value: RequestField, list: FieldList, index: Int)
        /// A value under a fixed name.
        case single(RequestField)
        case choice(Choice)
        /// Set elsewhere, and changed there.
        case inherited
        case bodyLine(Int)
        case heading
    }

    /// A value that is picked from a list.
    enum Choice: Equatable, Sendable {
        case bodyKind
        case authentication
    }

    /// A list of fields that rows are added to and removed from.
    enum FieldList: Equatable, Sendable {
        case query, headers, form
    }

    var kind: Kind
    var name = ""
    var value = ""
    var note = ""
    var enabled: Bool?

    /// The field that Enter edits.
    var field: RequestField? {
        switch kind {
        case .pair(let name, let value, _, _): self.name.isEmpty ? name : value
        case .single(let field): field
        default: nil
        }
    }
}

/// The rows of each tab, from a request and its environment.
enum RequestForm {
    /// - Parameter defaults: the policy where the request sets nothing; evaluated only where it shows.
    static func rows(
        of tab: RequestTab, in request: SavedRequest, environment: Environment?,
        defaults: @autoclosure () -> RequestPolicy
    ) -> [FormRow] {
        switch tab {
        case .params: params(of: request)
        case .headers: headers(of: request, environment)
        case .body: body(of: request)
        case .auth: authentication(of: request, environment)
        case .policy: policy(of: request, defaults: defaults())
        case .about: [single(.name, "name", request), single(.description, "description", request)]
        }
    }

    private static func params(of request: SavedRequest) -> [FormRow] {
        let names = request.pathParameterNames
        let stale = request.pathParameters.map(\.name).filter { !names.contains($0) }
        let path = (names + stale).map { name in
            FormRow(
                kind: .single(.pathParameter(name)), name: ":" + name,
                value: request.text(of: .pathParameter(name)),
                note: names.contains(name) ? "in the path" : "not in the path")
        }
        return path + pairs(request.query, .query)
    }

    private static func headers(of request: SavedRequest, _ environment: Environment?) -> [FormRow] {
        pairs(request.headers, .headers) + inherited(environment)
    }

    private static func inherited(_ environment: Environment?) -> [FormRow] {
        guard let environment else { return [] }
        return environment.additionalHeaders.filter(\.enabled).map {
            FormRow(
                kind: .inherited, name: $0.name, value: Credentials.masked($0),
                note: "from environment \(environment.name)")
        }
    }

    private static func body(of request: SavedRequest) -> [FormRow] {
        let kind = FormRow(kind: .choice(.bodyKind), name: "kind", value: request.body?.kind.rawValue ?? "none")
        switch request.body {
        case nil: return [kind]
        case .form(let fields): return [kind] + pairs(fields, .form)
        case .json, .text:
            let lines = request.bodyText.split(separator: "\n", omittingEmptySubsequences: false)
            return [kind] + lines.enumerated().map { FormRow(kind: .bodyLine($0.offset), value: String($0.element)) }
        }
    }

    private static func authentication(of request: SavedRequest, _ environment: Environment?) -> [FormRow] {
        let kind = FormRow(
            kind: .choice(.authentication), name: "kind", value: request.authentication?.kind.rawValue ?? "inherit")
        let own: [FormRow] =
            switch request.authentication {
            case nil, .noAuthentication: []
            case .bearer: [single(.token, "token", request)]
            case .basic: [single(.username, "username", request), single(.password, "password", request)]
            }
        return [kind] + own + inherited(environment)
    }

    private static func policy(of request: SavedRequest, defaults: RequestPolicy) -> [FormRow] {
        let fields: [(RequestField, String)] = [
            (.retries, "retries"), (.sla, "SLA"), (.timeout, "timeout"), (.backoffFirst, "backoff first"),
            (.backoffFactor, "backoff factor"), (.backoffJitter, "backoff jitter"), (.retryOn, "retry on"),
        ]
        let rows = fields.map { field, name in
            let own = request.text(of: field)
            let row = FormRow(kind: .single(field), name: name, value: own)
            guard own.isEmpty else { return row }
            let standard = defaults.text(of: field)
            return FormRow(
                kind: .single(field), name: name, note: (standard.isEmpty ? "none" : standard) + " (default)")
        }
        return rows + [
            single(.expectStatus, "expect status", request), single(.expectWithin, "expect within", request),
        ]
    }

    private static func pairs(_ fields: [Field], _ list: FormRow.FieldList) -> [FormRow] {
        fields.enumerated().map { index, field in
            FormRow(
                kind: .pair(name: list.name(index), value: list.value(index), list: list, index: index),
                name: field.name, value: field.value, enabled: field.enabled)
        }
    }

    private static func single(_ field: RequestField, _ name: String, _ request: SavedRequest) -> FormRow {
        FormRow(kind: .single(field), name: name, value: request.text(of: field))
    }
}

extension FormRow.FieldList {
    func name(_ index: Int) -> RequestField {
        switch self {
        case .query: .queryName(index)
        case .headers: .headerName(index)
        case .form: .formName(index)
        }
    }

    func value(_ index: Int) -> RequestField {
        switch self {
        case .query: .queryValue(index)
        case .headers: .headerValue(index)
        case .form: .formValue(index)
        }
    }
}

extension SavedRequest {
    /// The names after `/:` in the path, each once, in order: letters, digits and underscores, as they are resolved.
    var pathParameterNames: [String] {
        let path = path.prefix { $0 != "?" && $0 != "#" }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let names = segments.filter { $0.hasPrefix(":") }.map {
            String($0.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        }
        var seen: Set<String> = [""]
        return names.filter { seen.insert($0).inserted }
    }

    mutating func change(_ list: FormRow.FieldList, _ change: (inout [Field]) -> Void) {
        switch list {
        case .query: change(&query)
        case .headers: change(&headers)
        case .form:
            guard case .form(var fields) = body else { return }
            change(&fields)
            body = .form(fields)
        }
    }
}

/// Hides literal credentials from the screen. Templates show: they name a secret, no more.
enum Credentials {
    private static let names: Set<String> = ["authorization", "proxy-authorization", "cookie", "x-api-key"]

    static func masked(_ field: Field) -> String {
        guard names.contains(field.name.lowercased()), !field.value.contains("{") else { return field.value }
        let scheme = field.value.split(separator: " ").first.map(String.init) ?? ""
        return scheme == field.value ? "••••••" : scheme + " ••••••"
    }
}
