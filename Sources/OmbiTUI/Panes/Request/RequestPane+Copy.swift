/// Copying: the row under the cursor, and the request as a whole.
extension RequestPane {
    /// Copies the row under the cursor as it shows.
    func copy(_ workbench: Workbench) -> [Outcome] {
        guard let request = workbench.subject else { return .notify(.info, "Nothing to copy here") }
        guard let index = row, let row = rows(workbench)[safe: index] else {
            if workbench.shared != nil { return [.effect(.copy(request.name, named: "the name"))] }
            return copy(workbench, as: .url)
        }
        guard let copy = row.copies.first else { return .notify(.info, "Nothing to copy in this row") }
        return [.perform(copy.action)]
    }

    /// - Parameter withRow: true where the row under the cursor shows.
    func copies(_ workbench: Workbench, withRow: Bool) -> [PickerOverlay.Item] {
        guard let request = workbench.subject else { return [] }
        let row = withRow ? self.row.flatMap { rows(workbench)[safe: $0] } : nil
        return (row?.copies ?? []) + (workbench.shared == nil ? Self.forms : []) + texts(request, workbench)
    }

    private static let forms: [PickerOverlay.Item] = [
        .init(name: "URL", note: "with templates", action: .request(.copyAs(.url))),
        .init(name: "curl", note: "with templates", action: .request(.copyAs(.curl))),
        .init(
            name: "curl, filled in", note: "secrets masked",
            action: .request(.copyAs(.resolvedCurl(revealsSecrets: false)))),
        .init(
            name: "curl, filled in with its secrets", note: "in the clear",
            action: .request(.copyAs(.resolvedCurl(revealsSecrets: true)))),
        .init(
            name: "code", note: "Python, Postman, Swift …",
            aliases: ["export"] + exporters.flatMap { [$0.name, $0.title] }, action: .request(.copyAs(.code))),
    ]

    /// All but curl, which has entries of its own.
    private static let exporters = Exporter.all.filter { $0.name != "curl" }

    private static let code = PickerOverlay(
        title: "Copy as code",
        items: Exporter.all.map {
            .init(name: $0.title, note: $0.note, aliases: [$0.name], action: .request(.copyAs(.exported($0.name))))
        })

    private func texts(_ request: SavedRequest, _ workbench: Workbench) -> [PickerOverlay.Item] {
        var items: [PickerOverlay.Item] = []
        if let address = context.address {
            items.append(.copying(address, "URL, filled in", note: "secrets masked"))
        }
        let headers = context.rows(in: workbench, .headers).compactMap(\.headerLine)
        if !headers.isEmpty {
            items.append(.copying(headers.joined(separator: "\n"), "all request headers", note: "as they show"))
        }
        if let body = request.body {
            let fields = body.rows?.filter(\.enabled).map { "\($0.name)=\($0.value)" }.joined(separator: "\n")
            items.append(.copying(fields ?? request.bodyText, "request body", note: "with templates"))
        }
        return items
    }

    func copy(_ workbench: Workbench, as form: CopyForm) -> [Outcome] {
        guard let order = workbench.order(0) else { return [] }
        return switch form {
        case .url: [.effect(.copy(order.shownURL, named: "URL"))]
        case .curl: [.effect(.copy(order.shownCurl, named: "curl"))]
        case .resolvedCurl(let revealsSecrets): [.effect(.copyCurl(order, revealingSecrets: revealsSecrets))]
        case .code: [.open(.picker(Self.code))]
        case .exported(let name): Exporter.named(name).map { copy(order, as: $0) } ?? []
        }
    }

    private func copy(_ order: RunOrder, as exporter: Exporter) -> [Outcome] {
        [.effect(.copy(Session.exported([order], as: exporter).text, named: exporter.title))]
    }
}

extension PickerOverlay.Item {
    static func copying(_ text: String, _ name: String, note: String = "") -> PickerOverlay.Item {
        PickerOverlay.Item(name: name, note: note, action: .copyText(text, named: name))
    }
}

extension FormRow {
    fileprivate var copies: [PickerOverlay.Item] {
        switch kind {
        case .bodyLine(let line): [.copying(value, "line \(line + 1) of the body")]
        case .hint, .adder: []
        case .single, .choice: value.isEmpty ? [] : [.copying(value, name)]
        case .inherited: headerLine.map { parts("header \(name)", $0) } ?? [.copying(value, name)]
        case .pair(let list, _):
            if let headerLine {
                parts("header \(name)", headerLine)
            } else {
                parts("\(Self.word(for: list)) \(name)", "\(name)=\(value)")
            }
        }
    }

    private static func word(for list: FieldList) -> String {
        switch list {
        case .query: "parameter"
        case .cookies: "cookie"
        case .variables, .ownVariables: "variable"
        default: "field"
        }
    }

    private func parts(_ whole: String, _ text: String) -> [PickerOverlay.Item] {
        [.copying(text, whole), .copying(value, "the value of \(name)")]
    }

    /// `Accept: application/json`; nil for any other row, and for one that is switched off.
    fileprivate var headerLine: String? {
        switch kind {
        case .inherited, .pair(.headers, _): enabled == false || name.isEmpty ? nil : "\(name): \(value)"
        default: nil
        }
    }
}

/// The request as a command of curl: pasted into the URL.
extension RequestPane {
    /// Returns true for a text that replaces the request rather than its URL.
    func takesCurl(_ text: String) -> Bool {
        guard case .field(.url, _) = editing else { return false }
        return CurlImport.recognizes(text)
    }

    /// Sets the request to that of a command; its name stays. A mistake in the command leaves the field open.
    mutating func replace(by command: String, in workbench: inout Workbench) -> [Outcome] {
        do throws(ImportError) {
            guard let pasted = try PastedRequests(command, in: workbench.environment), let first = pasted.requests.first
            else { return [] }
            editing = nil
            workbench.editRequest { $0.take(first) }
            let more = pasted.requests.count - 1
            return pasted.outcomes(
                "Replaced by the curl command" + (more > 0 ? ", but not by its \(Count.of(more, "other request"))" : "")
            )
        } catch {
            return .notify(.failure, "curl, \(error)")
        }
    }
}

extension SavedRequest {
    fileprivate mutating func take(_ other: SavedRequest) {
        (method, path, pathParameters, query) = (other.method, other.path, other.pathParameters, other.query)
        (headers, cookies) = (other.headers, other.cookies)
        (authentication, body) = (other.authentication, other.body)
        policy = other.policy ?? policy
        connection = other.connection ?? connection
    }
}
