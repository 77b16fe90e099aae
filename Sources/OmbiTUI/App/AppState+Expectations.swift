import OmbiDocument
import OmbiViewer
import OmbiWorkspace

/// Expectations that are made of a value of the response.
extension AppState {
    /// Lists what can be expected of the value under the cursor; the chosen one goes into the request.
    func chooseExpectation() -> [Outcome] {
        guard workbench.request != nil, let page = shownViewer?.page, let path = page.shortPath,
            let (document, node) = page.jsonNode
        else { return .notify(.info, "Expectations are made of a value of JSON; go to one in Body") }
        let items = ExpectationChoices.conditions(on: node, in: document).map { condition in
            let rows = Expectation(body: [BodyExpectation(path, [condition])]).bodyRows
            return PickerOverlay.Item(
                name: rows.first?.value ?? "", note: "", action: .request(.expect(condition, path: path)))
        }
        return [.open(.picker(PickerOverlay(title: "Expect \(path)", items: items)))]
    }
}

/// The expectations that a value of a response suggests.
enum ExpectationChoices {
    /// Longer values are not offered to be expected as they are.
    private static let maximumValue = 4096

    static func conditions(on node: JSONNode, in document: JSONDocument) -> [ValueCondition] {
        var conditions: [ValueCondition] = []
        let kind = document.kind(of: node)
        if !document.isUnfinished(node), document.range(of: node).count <= maximumValue {
            conditions.append(.equals(document.value(of: node)))
        }
        conditions.append(.type([type(of: node, kind, document)]))
        if kind.isContainer, let count = document.length(of: node) {
            if count > 0 { conditions.append(.count(NumberComparison(.greater, 0))) }
            conditions.append(.count(NumberComparison(.equal, count)))
        }
        return conditions + [.exists(true)]
    }

    private static func type(of node: JSONNode, _ kind: JSONKind, _ document: JSONDocument) -> ValueType {
        switch kind {
        case .object: .object
        case .array: .array
        case .string: .string
        case .number: document.isInteger(node) ? .integer : .number
        case .true, .false: .boolean
        case .null: .null
        }
    }
}
