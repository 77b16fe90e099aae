import OmbiTerminal
import OmbiWorkspace

/// Rows of kinds of their own: of a query as it is written, and of cookies.
extension RequestPane {
    func toggleRaw(of workbench: inout Workbench) -> [Outcome] {
        guard case .pair(.query, let item)? = row.flatMap({ rows(workbench)[safe: $0]?.kind }) else {
            return .notify(.info, "Rows of the query can be sent as they are written")
        }
        workbench.editSubject { $0.query.change(item) { $0.isRaw.toggle() } }
        return []
    }

    mutating func addCookie(to workbench: inout Workbench) -> [Outcome] {
        guard !isSettings else { return .notify(.info, "A request has cookies, not what it inherits from") }
        show(.headers, of: workbench)
        return addRow(to: .cookies, of: &workbench)
    }
}
