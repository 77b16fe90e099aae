import OmbiTerminal
import OmbiWorkspace

/// New collections, and further ones that are opened.
extension Workbench {
    /// Asks for what a new collection needs: for that of a file that does not exist its host alone.
    func askForCollection() -> [Outcome] {
        guard let file = currentFile, file.isMissing else { return [.open(.prompt(PromptOverlay(.newCollection)))] }
        return [.perform(.tree(.askForHost(name: file.stem, path: file.path)))]
    }

    /// Offers to create a file of the command line that does not exist.
    func offerToBegin() -> [Outcome] {
        guard let file = files.first(where: \.isMissing) else { return [] }
        let question = QuestionOverlay(
            title: "New collection", lines: ["There is no \(file.path)."],
            yes: .init("create it as a new collection", .tree(.askForHost(name: file.stem, path: file.path))),
            no: .init("leave it", nil))
        return [.open(.question(question))]
    }

    static func begin(_ name: String, host: String, path: String?) -> [Outcome] {
        [.effect(.begin(newCollection(name, host: host), path: path))]
    }

    /// A collection with an environment for its host, unless that is empty.
    static func newCollection(_ name: String, host: String) -> Collection {
        let host = Environment.host(from: host)
        let environments = host.isEmpty ? [] : [Environment(name: "default", host: host)]
        return Collection(schema: nil, name: name, environments: environments)
    }

    /// The reason why a text is not the host of a new collection; nil for one that is, and for none.
    static func problem(ofHost text: String) -> String? {
        if text.hasPrefix("/") { return "it needs a host: https://example.com" }
        let host = Environment.host(from: text)
        if host.isEmpty { return nil }
        do throws(FieldError) { try Environment.checkHost(host) } catch { return error.message }
        return nil
    }

    /// Takes in the file of a new collection, and asks for the name of its first request.
    mutating func begun(_ loaded: LoadedCollection) -> [Outcome] {
        if file(at: loaded.path) == nil { add(OpenFile(loaded)) } else { reload(loaded) }
        let created = [Outcome.notice(Notice(.success, "Created \(loaded.path)"))]
        if let id = saves.scratch, item(id) != nil {
            saves.scratch = nil
            return created
                + [.perform(.tree(.select(.request(id)))), .perform(.tree(.put(.file(loaded.path), .save)))]
        }
        if let first = file(at: loaded.path)?.collection?.requests.first {
            return created + [.perform(.tree(.select(.request(first.id))))]
        }
        let node = TreeNode.file(loaded.path)
        return created
            + [.perform(.tree(.select(node))), .open(.prompt(PromptOverlay(.firstRequest(after: node))))]
    }

    mutating func added(_ loaded: [LoadedCollection], at path: String) -> [Outcome] {
        let new = loaded.filter { file(at: $0.path) == nil && !$0.isMissing }
        for file in new { add(OpenFile(file)) }
        guard let first = new.first else {
            return .notify(.warning, loaded.first?.isMissing ?? true ? "No collections in \(path)" : "\(path) is open")
        }
        return .notify(.success, new.count == 1 ? "Opened \(first.path)" : "Opened \(new.count) collections")
            + [.perform(.tree(.select(.file(first.path))))] + unsavedEdits(of: new)
    }
}

extension OpenFile {
    /// True for a path of the command line without a file.
    var isMissing: Bool { !hasCollection && disk == .removed && fileName.hasSuffix(".json") }

    /// The name of the file without its extension.
    fileprivate var stem: String { fileName.hasSuffix(".json") ? String(fileName.dropLast(5)) : fileName }
}
