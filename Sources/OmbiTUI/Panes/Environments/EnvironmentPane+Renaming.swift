import OmbiTerminal
import OmbiWorkspace

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
        let question = QuestionOverlay(
            title: "Rename", lines: ["Rename {{\(part.label)}} \(place), too?"],
            yes: .init("rename everywhere", .environments(.renamePart(part, to: name, withUses: true))),
            no: .init("rename the row only", .environments(.renamePart(part, to: name, withUses: false))))
        return [.open(.question(question))]
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
