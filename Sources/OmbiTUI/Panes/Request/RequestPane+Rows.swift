import OmbiTerminal
import OmbiWorkspace

/// Rows of kinds of their own: of a query as it is written, and of cookies.
extension RequestPane {
    func toggleRaw(of workbench: inout Workbench) -> [Outcome] {
        guard case .pair(.query, let item)? = row.flatMap({ rows(workbench)[safe: $0]?.kind }) else {
            return .notify(.info, "Only a row of the query can be sent as it is written; select one first")
        }
        workbench.editSubject { $0.query.change(item) { $0.isRaw.toggle() } }
        return []
    }

    mutating func addCookie(to workbench: inout Workbench) -> [Outcome] {
        guard !isSettings else { return .notify(.info, "Only a request has cookies; select one first") }
        show(.headers, of: workbench)
        return addRow(to: .cookies, of: &workbench)
    }
}
