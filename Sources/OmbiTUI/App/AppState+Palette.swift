import OmbiTerminal
import OmbiWorkspace

/// The palette: commands, requests, environments and the fields of the request in one list.
extension AppState {
    /// - Parameter recent: the names chosen last, which come first.
    func palette(recent: [String]) -> PickerOverlay {
        let report = PickerOverlay.Item(
            name: "Write the report of an incident", note: "what was recorded in a time", action: .app(.askForIncident))
        let items = commands + [report] + requests + environments + fields
        let known = recent.compactMap { name in items.first { $0.name == name } }
        let others = items.filter { !recent.contains($0.name) }
        var picker = PickerOverlay(title: "Commands, requests, environments", items: known + others)
        picker.isPalette = true
        return picker
    }

    /// Every command that has a key here. The note of one that can do nothing now says why.
    private var commands: [PickerOverlay.Item] {
        scopes.filter { $0 != .lists }.flatMap { scope in keymap.bindings.filter { $0.scope == scope } }.map {
            binding in
            let reason = obstacle(to: binding.action).map { "\($0) · " } ?? ""
            return .init(
                name: binding.label, note: reason + binding.keyNames, aliases: binding.action.aliases,
                action: binding.action)
        }
    }

    private var requests: [PickerOverlay.Item] {
        var items: [PickerOverlay.Item] = []
        for file in workbench.files {
            file.collection?.forEachRequest { request, folders in
                let tags = file.collection?.tags(of: request, in: folders) ?? []
                items.append(
                    .init(
                        name: (folders.map(\.name) + [request.name]).joined(separator: " › "),
                        note: "\(request.method.rawValue) \(file.name)\(Tag.text(tags))", aliases: [request.name],
                        action: .tree(.select(.request(request.id)))))
            }
        }
        return items
    }

    private var environments: [PickerOverlay.Item] {
        guard let file = workbench.shownContext, !file.isScratch else { return [] }
        let editor = PickerOverlay.Item(name: "Edit the environments", note: "E Tab", action: .environments(.open))
        return [editor]
            + (file.collection?.choosableEnvironments ?? []).map { environment in
                .init(
                    name: "Environment \(environment.name)", note: environment.host, aliases: [environment.name],
                    action: .files(.switchEnvironment(environment.name, path: file.path)))
            }
    }

    /// The fields of the request or of the settings that the request pane shows, whose tabs are not all in view.
    private var fields: [PickerOverlay.Item] {
        guard let subject = workbench.subject else { return [] }
        let isSettings = workbench.shared != nil
        return RequestForm.fields(of: subject, ofSettings: isSettings, workbench.inheritance).map { tab, field in
            let name = "\(tab.name(of: subject, ofSettings: isSettings)) › \(field.label)"
            return .init(name: name, note: "field", action: .request(.goTo(field: field.id)))
        }
    }

    /// The reason why an action can do nothing now; nil when it can.
    private func obstacle(to action: Action) -> String? {
        switch action {
        case .run(.cancel), .run(.retryNow), .run(.addAttempt): runs.active.isEmpty ? "nothing runs" : nil
        case .run(.preview): workbench.request == nil ? "no request selected" : nil
        case .batch(.show): runs.batch == nil ? "no folder was run" : nil
        case .run(.send): workbench.request == nil && folder == nil ? "no request selected" : nil
        case .files(.save):
            workbench.dirtyFiles.isEmpty && workbench.shownFile?.isScratch != true ? "nothing to save" : nil
        case .files(.undo): workbench.undoCount == 0 ? "nothing to undo" : nil
        case .files(.redo): workbench.redoCount == 0 ? "nothing to redo" : nil
        default: nil
        }
    }
}

extension Action {
    /// The words by which other programs call the command, for the palette.
    fileprivate var aliases: [String] {
        switch self {
        case .view(.compare), .response(.compareRecorded), .batch(.chooseReplay): ["diff"]
        case .chooseCopy: ["curl", "clipboard", "yank"]
        case .copy: ["yank"]
        case .tree(.delete), .request(.deleteRow): ["remove"]
        case .tree(.askForRequest), .tree(.askForCollection), .request(.addRow): ["new", "create"]
        case .files(.signOut): ["log out"]
        case .files(.chooseEnvironment): ["env"]
        case .run(.preview): ["dry run"]
        case .run(.askToWatch): ["poll", "repeat"]
        case .app(.log): ["messages"]
        case .app(.manual): ["documentation"]
        case .app(.quit): ["exit"]
        default: []
        }
    }
}
