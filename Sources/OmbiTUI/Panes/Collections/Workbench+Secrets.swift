import OmbiTerminal
import OmbiWorkspace

/// Secrets that stand in a collection in plain text, and the offer to move them into the local file beside it.
extension Workbench {
    /// Lists what looks like a secret in the file under the cursor.
    func chooseSecrets() -> [Outcome] {
        guard let file = shownFile, let collection = file.collection else { return Self.noCollection }
        guard !file.isScratch, let local = PlainSecrets.localFile(of: file.path) else {
            return .notify(.info, "Scratch requests have no local file; w saves them to a collection")
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
        saves.movedSecrets[path, default: []] += secrets.map(\.moved)
        return [.effect(.keepSecrets(secrets, path: path))]
    }
}
