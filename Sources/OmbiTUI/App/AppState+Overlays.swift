import OmbiCore
import OmbiWorkspace

/// Overlays: opening them, and the effects of their answers.
extension AppState {
    mutating func openHelp() -> [Effect] {
        overlays.append(.help(HelpOverlay(keymap: keymap, scopes: scopes)))
        return []
    }

    /// Lists every command that has a key here, searchable by its label.
    mutating func openPalette() -> [Effect] {
        let items = paletteBindings.map { PickerOverlay.Item(name: $0.label, note: $0.keyNames) }
        overlays.append(.picker(PickerOverlay(.command, title: "Command", items: items)))
        return []
    }

    private var paletteBindings: [Binding] {
        scopes.filter { $0 != .lists }.flatMap { scope in keymap.bindings.filter { $0.scope == scope } }
    }

    mutating func answer(_ action: Action, to overlay: Overlay) -> [Effect] {
        switch (overlay, action) {
        case (_, .redraw): return [.redraw]
        case (_, .suspend): return [.suspend]
        case (_, .leave): overlays.removeLast()
        case (.help(var help), .move(let movement)):
            help.move(movement, rows: HelpOverlay.rows(in: size))
            replaceTop(.help(help))
        case (.help(var help), .wheel(_, let lines)):
            for _ in 0..<abs(lines) { help.move(lines > 0 ? .down : .up, rows: HelpOverlay.rows(in: size)) }
            replaceTop(.help(help))
        case (.picker(let picker), _): return answer(action, to: picker)
        case (.question(let question), .confirm(let yes)):
            overlays.removeLast()
            return yes ? confirm(question.subject) : decline(question.subject)
        case (.question(let question), .quit) where question.isDecision: return quit()
        case (.prompt(var prompt), .text(let edit)):
            prompt.field.perform(edit)
            replaceTop(.prompt(prompt))
        case (.prompt(let prompt), .accept), (.prompt(let prompt), .nextCell):
            overlays.removeLast()
            return answer(prompt)
        default: break
        }
        return []
    }

    private mutating func replaceTop(_ overlay: Overlay) {
        overlays[overlays.count - 1] = overlay
    }

    // MARK: Pickers

    private mutating func answer(_ action: Action, to picker: PickerOverlay) -> [Effect] {
        var picker = picker
        switch action {
        case .move(let movement): picker.move(movement)
        case .wheel(_, let lines): picker.move(lines > 0 ? .down : .up)
        case .text(let edit): picker.perform(edit)
        case .accept:
            overlays.removeLast()
            return picker.chosen.map { choose($0.name, for: picker.subject) } ?? []
        default: return []
        }
        replaceTop(.picker(picker))
        return []
    }

    private mutating func choose(_ name: String, for subject: PickerOverlay.Subject) -> [Effect] {
        switch subject {
        case .method: RequestMethod(rawValue: name).map { method in editRequest { $0.method = method } }
        case .field(let field): editRequest { try? field.write(&$0, name) }
        case .environment(let path):
            workbench.choose(environment: name, for: path)
            return tell(.success, "environment \(name)")
        case .command:
            guard let binding = paletteBindings.first(where: { $0.label == name }) else { return [] }
            return update(binding.action, at: now)
        }
        return []
    }

    // MARK: Questions

    private mutating func confirm(_ subject: QuestionOverlay.Subject) -> [Effect] {
        switch subject {
        case .quitUnsaved:
            return save(workbench.dirtyFiles) + quitWhenSaved()
        case .changedOnDisk(let path):
            return workbench.file(at: path).map { save([$0], overwriting: true) } ?? []
        case .draft(let path, let collection):
            edit { $0.edit(path: path) { $0 = collection.withIdentities(of: $0) } }
            draftsTakenBack.insert(path)
            followTree()
            return tell(.success, "edits taken back; w saves them, u undoes them")
        case .sendProtected: return startRun()
        }
    }

    private mutating func decline(_ subject: QuestionOverlay.Subject) -> [Effect] {
        switch subject {
        case .quitUnsaved: return [.quit]
        case .changedOnDisk(let path): return [.reload(path: path)]
        case .draft(let path, _): return [.discardDraft(path: path)]
        case .sendProtected: return tell(.info, "not sent")
        }
    }
}
