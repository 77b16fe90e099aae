/// The user's actions on environments and on the rows of their table.
extension EnvironmentPane {
    mutating func perform(_ action: EnvironmentAction, on workbench: inout Workbench) -> [Outcome] {
        guard let collection = workbench.file(at: path)?.collection else { return [] }
        switch action {
        case .edit: return startEditing(on: &workbench)
        case .chooseList: return chooseList()
        case .addRow(let list): return addRow(to: list, workbench)
        case .deleteValue: return deleteValue(of: &workbench)
        case .deleteRow: return deleteRow(of: &workbench)
        case .renameRow: return startRenaming(workbench)
        case .renamePart(let part, let name, let withUses):
            return withUses ? renameEverywhere(part, to: name, in: &workbench) : rename(part, to: name, in: &workbench)
        case .use: return use(&workbench)
        case .showUses: return showUses(workbench)
        case .show(let index, let part):
            place(column: index)
            part.map { place(at: $0) }
        case .askForName: return [.open(.prompt(PromptOverlay(.newEnvironment)))]
        case .add(let name): return add(name, collection, to: &workbench)
        case .duplicate: return duplicate(collection, in: &workbench)
        case .askForNewName:
            guard let name = environment?.name else { return nothing }
            return [.open(.prompt(PromptOverlay(.renameEnvironment(name), text: name)))]
        case .rename(let old, let name): return rename(old, to: name, collection, in: &workbench)
        case .delete: return askToDelete(collection)
        case .deleteNamed(let name):
            workbench.edit(path: path, "delete environment \(name)") { $0.environments.removeAll { $0.name == name } }
            let file = workbench.file(at: path)
            let wasInUse = file?.environment == name && file?.missingEnvironment != nil
            let next = wasInUse ? ", E chooses another to send to" : ""
            return .notify(.info, "Deleted environment \(name); u brings it back" + next)
        case .open, .close, .goTo: break
        }
        return []
    }

    var nothing: [Outcome] { .notify(.info, "There are no environments; A adds one") }

    // MARK: Environments

    private func use(_ workbench: inout Workbench) -> [Outcome] {
        guard let environment else { return nothing }
        let name = environment.name
        if environment.isAbstract {
            return .notify(.failure, "\(name) is abstract: others inherit from it, and no request goes to it")
        }
        return workbench.perform(.switchEnvironment(name, path: path))
    }

    /// Adds an environment with the host of the one under the cursor, and edits its host: what is typed takes its place.
    private mutating func add(_ name: String, _ collection: Collection, to workbench: inout Workbench) -> [Outcome] {
        do throws(FieldError) { try collection.checkEnvironmentName(name) } catch {
            return refuse(error, .newEnvironment, name)
        }
        let host = environment?.host
        let new = Environment(name: name, host: host ?? "https://")
        let index = insert(new, "add environment \(name)", in: &workbench)
        place(column: index)
        place(row: 0)
        let outcomes = startEditing(on: &workbench)
        if host != nil { editing?.text.perform(.selectAll) }
        return outcomes
    }

    private mutating func duplicate(_ collection: Collection, in workbench: inout Workbench) -> [Outcome] {
        guard var copy = environment else { return nothing }
        let name = copy.name
        copy.name = collection.copyName(ofEnvironment: name)
        let index = insert(copy, "duplicate environment \(name)", in: &workbench)
        place(column: index)
        return .notify(.info, "Duplicated \(name) as \(copy.name); the palette (:) renames it")
    }

    /// Inserts an environment behind the one under the cursor, and returns its index.
    private mutating func insert(_ new: Environment, _ label: String, in workbench: inout Workbench) -> Int {
        let index = table.environments.isEmpty ? 0 : column + 1
        workbench.edit(path: path, label) { $0.environments.insert(new, at: min(index, $0.environments.count)) }
        follow(workbench, size: size)
        return index
    }

    private func rename(
        _ old: String, to name: String, _ collection: Collection, in workbench: inout Workbench
    ) -> [Outcome] {
        do throws(FieldError) { try collection.checkEnvironmentName(name, besides: old) } catch {
            return refuse(error, .renameEnvironment(old), name)
        }
        workbench.edit(path: path, "rename environment \(old)") { collection in
            guard let index = collection.environments.firstIndex(where: { $0.name == old }) else { return }
            collection.environments[index].name = name
            for heir in collection.environments.indices where collection.environments[heir].inherits == old {
                collection.environments[heir].inherits = name
            }
        }
        guard old != name, collection.overlay.names(environment: old), let local = PlainSecrets.localFile(of: path)
        else { return [] }
        return .notify(.warning, "\(local) still names \(old): rename it there, too, before the file is read again")
    }

    private func refuse(_ error: FieldError, _ subject: PromptOverlay.Subject, _ text: String) -> [Outcome] {
        .notify(.failure, error.message.asSentence) + [.open(.prompt(PromptOverlay(subject, text: text)))]
    }

    private func askToDelete(_ collection: Collection) -> [Outcome] {
        guard let name = environment?.name else { return nothing }
        let heirs = collection.heirs(of: name)
        guard heirs.isEmpty else {
            return .notify(.failure, "Not deleted: \(heirs.joined(separator: ", ")) inherits from \(name)")
        }
        return .question(
            "Delete", ["Delete the environment \(name)?"],
            yes: .init("delete it", .environments(.deleteNamed(name))), no: .init("keep it", nil))
    }

    // MARK: Rows

    private func chooseList() -> [Outcome] {
        if let list = row?.list { return [.perform(.environments(.addRow(list)))] }
        let items = EnvironmentPart.List.allCases.map {
            PickerOverlay.Item(name: $0.noun, action: .environments(.addRow($0)))
        }
        return [.open(.picker(PickerOverlay(title: "Add", items: items)))]
    }

    private mutating func addRow(to list: EnvironmentPart.List, _ workbench: Workbench) -> [Outcome] {
        guard environment != nil else { return nothing }
        draft = .row(list, name: "")
        follow(workbench, size: size)
        draft.map { place(at: $0) }
        begin(.newRow(list, TextField()), list == .headers ? .headerName : .none, workbench)
        return []
    }

    private func deleteValue(of workbench: inout Workbench) -> [Outcome] {
        guard let part = row?.part, let name = environment?.name else { return noValue }
        return delete(part, in: [name], of: &workbench, "\(part.label) of \(name)")
    }

    private func deleteRow(of workbench: inout Workbench) -> [Outcome] {
        guard let part = row?.part, let list = part.list else { return noValue }
        return delete(part, in: table.environments.map(\.name), of: &workbench, "\(list.noun) \(part.label)")
    }

    private var noValue: [Outcome] { .notify(.info, "There is no value to delete here") }

    private func delete(
        _ part: EnvironmentPart, in names: [String], of workbench: inout Workbench, _ label: String
    ) -> [Outcome] {
        let before = workbench.file(at: path)?.collection
        workbench.edit(path: path, "delete \(label)") { collection in
            for index in collection.environments.indices where names.contains(collection.environments[index].name) {
                collection.environments[index].remove(part)
            }
        }
        let isDeleted = workbench.file(at: path)?.collection != before
        return isDeleted ? .notify(.info, "Deleted \(label); u brings it back") : noValue
    }

    private mutating func startRenaming(_ workbench: Workbench) -> [Outcome] {
        guard let part = row?.part, let list = part.list else {
            return .notify(.info, "R renames a header, a variable or a secret; the palette (:) renames the environment")
        }
        guard table.environments.contains(where: { $0.text(of: part) != nil }) else {
            return .notify(.info, "No environment has \(part.label) itself; rename it where it is set")
        }
        begin(.rowName(part, TextField(part.label)), list == .headers ? .headerName : .none, workbench)
        return []
    }

    // MARK: Uses

    /// Lists the requests and the places in environments that use the variable under the cursor.
    private func showUses(_ workbench: Workbench) -> [Outcome] {
        guard let part = row?.part, part.list == .variables || part.list == .secrets,
            let collection = workbench.file(at: path)?.collection
        else { return .notify(.info, "Choose a variable or a secret to see where it is used") }
        let requests = (table.uses.requests[part.label] ?? []).compactMap { id in
            collection.request(id).map { request in
                PickerOverlay.Item(
                    name: collection.path(to: id).joined(separator: " › "), note: request.method.rawValue,
                    action: .environments(.goTo(id)))
            }
        }
        let places = table.places(using: part.label).map { index, place in
            PickerOverlay.Item(
                name: "\(place.label) of \(table.environments[index].name)", note: "environment",
                action: .environments(.show(index, place)))
        }
        guard !(requests + places).isEmpty else { return .notify(.info, "Nothing uses \(part.label)") }
        return [.open(.picker(PickerOverlay(title: "Uses of \(part.label)", items: requests + places)))]
    }
}

/// Another name for a row, and for the uses of a variable.
extension EnvironmentPane {
    /// Asks about the uses of a variable; a row without any is renamed at once.
    mutating func askToRename(_ part: EnvironmentPart, to name: String, in workbench: inout Workbench) -> [Outcome] {
        guard var changed = workbench.file(at: path)?.collection else { return [] }
        do throws(FieldError) { try changed.rename(part, to: name) } catch {
            return .notify(.failure, error.message.asSentence)
        }
        let everywhere = renamed(part, to: name, in: workbench)
        guard let whole = everywhere[path], everywhere.count > 1 || whole.text != changed.text else {
            return rename(part, to: name, in: &workbench)
        }
        let count = requestCount(everywhere, in: workbench)
        let place = count > 0 ? "in \(Count.of(count, "request"))" : "in the other settings"
        return .question(
            "Rename", ["Rename {{\(part.label)}} \(place), too?"],
            yes: .init("rename everywhere", .environments(.renamePart(part, to: name, withUses: true))),
            no: .init("rename the row only", .environments(.renamePart(part, to: name, withUses: false))))
    }

    mutating func rename(_ part: EnvironmentPart, to name: String, in workbench: inout Workbench) -> [Outcome] {
        guard let collection = workbench.file(at: path)?.collection else { return [] }
        var changed = collection
        try? changed.rename(part, to: name)
        stopEditing()
        guard changed != collection else { return [] }
        workbench.edit(path: path, "rename \(part.label)") { $0 = changed }
        return Self.notes(on: part, renamed: name, in: collection, uses: table.uses)
    }

    /// Renames a variable wherever it is set, captured and used, as one edit.
    mutating func renameEverywhere(
        _ part: EnvironmentPart, to name: String, in workbench: inout Workbench
    ) -> [Outcome] {
        let everywhere = renamed(part, to: name, in: workbench)
        let count = requestCount(everywhere, in: workbench)
        stopEditing()
        workbench.editAll(Set(everywhere.keys), "rename \(part.label)", item: nil) { $0.merge(everywhere) { $1 } }
        let place = count > 0 ? " in \(Count.of(count, "request"))" : ""
        return .notify(.success, "Renamed {{\(part.label)}} to {{\(name)}}\(place); u undoes it")
    }

    /// The collections with another name of a variable or a secret, and of its uses: this one, and the scratch requests
    /// that are sent in its environments. None where it cannot be renamed so.
    private func renamed(
        _ part: EnvironmentPart, to name: String, in workbench: Workbench
    ) -> [String: Collection] {
        guard part.list == .variables || part.list == .secrets,
            let whole = workbench.file(at: path)?.collection?.renaming(variable: part.label, to: name)
        else { return [:] }
        var all = [path: whole]
        if workbench.scratchContext?.path == path, let scratch = workbench.scratch?.collection,
            let changed = scratch.renaming(variable: part.label, to: name),
            changed.requestCount(changedSince: scratch) > 0
        {
            all[OpenFile.scratchPath] = changed
        }
        return all
    }

    private func requestCount(_ renamed: [String: Collection], in workbench: Workbench) -> Int {
        renamed.map { path, collection in
            workbench.file(at: path)?.collection.map { collection.requestCount(changedSince: $0) } ?? 0
        }.reduce(0, +)
    }

    /// Says what goes on using the old name of a variable, and what the new one takes the place of.
    private static func notes(
        on part: EnvironmentPart, renamed name: String, in collection: Collection, uses: VariableUses
    ) -> [Outcome] {
        guard part.list == .variables || part.list == .secrets else { return [] }
        let users = uses.requests[part.label]?.count ?? 0
        let notes = [
            users > 0 ? "{{\(part.label)}} is still used by \(Count.of(users, "request"))" : nil,
            collection.variables.contains { $0.name == name } ? "\(name) takes the place of the collection's" : nil,
        ].compactMap { $0 }
        return notes.isEmpty ? [] : .notify(.warning, notes.joined(separator: "; "))
    }
}
