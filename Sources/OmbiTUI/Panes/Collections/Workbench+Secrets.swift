/// Secrets that stand in a collection in plain text, and the offer to move them into the local file beside it.
extension Workbench {
    /// Lists what looks like a secret in the file under the cursor.
    func chooseSecrets() -> [Outcome] {
        guard let file = shownFile, let collection = file.collection else { return Self.noCollection }
        guard !file.isScratch, let local = PlainSecrets.localFile(of: file.path) else {
            return .notify(.info, "Scratch requests have no local file; w saves them to a collection")
        }
        guard file.foreignFormat == nil else {
            return .notify(.info, "\(file.fileName) is read-only; w makes a collection of it first")
        }
        guard let found = PlainSecrets(of: collection, file: file.path)?.found, !found.isEmpty else {
            return .notify(.info, "Nothing in \(file.fileName) looks like a secret in plain text")
        }
        guard collection.defaultEnvironment != nil else {
            return .notify(.warning, "\(file.fileName) has no environment, which a secret needs; E Tab A adds one")
        }
        let each = found.map { secret in
            PickerOverlay.Item(
                name: "{{\(secret.name)}}", note: "\(secret.kind) in \(secret.place)",
                action: .files(.moveSecrets([secret], path: file.path)))
        }
        let all = PickerOverlay.Item(
            name: "All \(found.count)", note: "the values go to \(local), templates take their places",
            action: .files(.moveSecrets(found, path: file.path)))
        let items = (found.count > 1 ? [all] : []) + each
        return [.open(.picker(PickerOverlay(title: "Move secrets to \(local)", items: items)))]
    }

    /// Puts templates in the places of secrets, as one edit, and keeps their values in the local file.
    mutating func moveSecrets(_ secrets: [PlainSecret], in path: String) -> [Outcome] {
        guard let file = file(at: path), let collection = file.collection,
            let changed = PlainSecrets(of: collection, file: path)?.collection(without: secrets, of: collection)
        else { return .notify(.warning, "Not moved: the collection has changed meanwhile") }
        let label = secrets.count == 1 ? "move {{\(secrets[0].name)}} out" : "move \(secrets.count) secrets out"
        edit(path: path, label) { $0 = changed }
        let moved = secrets.map(\.moved)
        saves.movedSecrets[path, default: []] += moved
        // They are used at once: the file beside this one is read again some time after it was written.
        addToOverlay(moved, of: path)
        return [.effect(.keepSecrets(secrets, path: path))]
    }

    // MARK: Saving

    /// Asks about secrets that edits have brought into files in clear; nil where there are none.
    func questionAboutSecrets(in files: [OpenFile], quits: Bool) -> [Outcome]? {
        let found = files.map { ($0, newSecrets(in: $0)) }.filter { !$0.1.isEmpty }
        guard let first = found.first else { return nil }
        let paths = files.map(\.path)
        let asIs = QuestionOverlay.Answer("save as it is", .files(.saveAsItIs(paths, quits: quits)))
        let names = found.map(\.0.fileName).joined(separator: ", ")
        let lines = found.flatMap(\.1).map { "  {{\($0.name)}}: \($0.kind) in \($0.place)" }
        let more = lines.count > Self.maximumListed ? ["  and \(lines.count - Self.maximumListed) more"] : []
        let local = found.count == 1 ? PlainSecrets.localFile(of: first.0.path) ?? "" : "the local files"
        return [
            .open(
                .question(
                    QuestionOverlay(
                        title: "Secrets in plain text",
                        lines: ["\(names) would contain:"] + lines.prefix(Self.maximumListed) + more,
                        yes: .init("move to \(local)", .files(.saveMovingSecrets(paths, quits: quits))), no: asIs)))
        ]
    }

    private static let maximumListed = 6

    /// The secrets that a file would have in clear, and has not yet. Those without a place for their values count, too.
    private func newSecrets(in file: OpenFile) -> [PlainSecret] {
        guard !file.isScratch, file.isDirty, let collection = file.collection,
            PlainSecrets.localFile(of: file.path) != nil,
            collection.defaultEnvironment != nil
        else { return [] }
        return PlainSecrets.new(in: collection, since: file.savedVersion?.collection, file: file.path)
    }

    /// Saves files, each once its secrets are in the file beside it.
    mutating func saveMovingSecrets(_ paths: [String]) -> [Outcome] {
        paths.compactMap(file).flatMap { file in
            let secrets = newSecrets(in: file)
            guard !secrets.isEmpty else { return save([file]) }
            let outcomes = moveSecrets(secrets, in: file.path)
            // A file that waits for secrets that stayed where they are could not be saved any more.
            if case .effect(.keepSecrets)? = outcomes.first { saves.awaitingSecrets[file.path] = secrets }
            return outcomes
        }
    }

    /// Saves the file that waited for its secrets; where they could not be kept, its text comes back instead.
    mutating func kept(_ path: String, _ notice: Notice, _ isKept: Bool) -> [Outcome] {
        let outcomes: [Outcome] = [.notice(notice)]
        guard let secrets = saves.awaitingSecrets.removeValue(forKey: path) else { return outcomes }
        guard isKept, let file = file(at: path) else {
            saves.quitsAfterwards = false
            return outcomes
        }
        saves.ungranted[path] = secrets
        return outcomes + save([file])
    }
}
