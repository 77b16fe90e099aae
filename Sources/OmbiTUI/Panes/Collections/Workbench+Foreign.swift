import OmbiTerminal
import OmbiWorkspace

/// Files of other tools: they are shown, sent and edited in memory, and saved as new collections only.
extension Workbench {
    /// Asks for the path of the collection that a file becomes; nil for a file of Ombi.
    func askForNewFile(of file: OpenFile, quits: Bool) -> [Outcome]? {
        guard let format = file.foreignFormat else { return nil }
        guard saves.converting[file.path] == nil else { return .notify(.info, "\(file.fileName) is being saved") }
        let subject = PromptOverlay.Subject.newFile(of: file.path, format: format, quits: quits)
        return [.open(.prompt(PromptOverlay(subject, text: file.proposedPath, isSelected: true)))]
    }

    /// The reason why a text is not the path of a new collection; nil for one that is.
    static func problem(ofNewFile text: String, from path: String) -> String? {
        let name = text.split(separator: "/").last.map(String.init) ?? ""
        if text.hasSuffix("/") || !CollectionFinder.isCandidate(name) { return "write NAME.json" }
        return text == path ? "this is the file that is read; write another name" : nil
    }

    /// Makes a new collection of a file as it was read; the edits are saved to that after it.
    mutating func saveForeign(_ path: String, to target: String, quits: Bool) -> [Outcome] {
        guard let file = file(at: path), file.foreignFormat != nil, saves.converting[path] == nil else { return [] }
        let target = target.hasPrefix("./") ? String(target.dropFirst(2)) : target
        guard self.file(at: target) == nil else {
            return .notify(.warning, "Not saved: \(target) is open; w asks for another name")
        }
        saves.converting[path] = quits
        return [.effect(.convert(path: path, file.fingerprint, to: target))]
    }

    /// Goes on in a new collection, to which the edits are saved, and the history of the requests goes along.
    /// - Parameter new: nil where there is none.
    mutating func converted(_ path: String, to new: LoadedCollection?, _ notice: Notice) -> [Outcome] {
        let quits = saves.converting.removeValue(forKey: path) ?? false
        guard let new, let old = file(at: path)?.saved else {
            saves.edited = nil
            return [.notice(notice)]
        }
        var outcomes: [Outcome] = [.notice(notice)]
        old.forEachRequest { request, folders in
            let names = folders.map(\.name) + [request.name]
            outcomes.append(.move((ItemPath(file: path, path: names), ItemPath(file: new.path, path: names))))
        }
        let together = saves.partners(of: [path]).subtracting([path])
        goOn(in: new, from: path)
        if saves.edited == path { saves.edited = new.path }
        if quits { return outcomes + perform(.saveAllAndQuit) }
        let edited = files.filter { ($0.path == new.path || together.contains($0.path)) && $0.isDirty }
        guard edited.isEmpty else { return outcomes + (obstacle(about: edited) ?? save(edited)) }
        if saves.edited == new.path, let file = file(at: new.path) {
            saves.edited = nil
            outcomes.append(.effect(file.inEditor))
        }
        return outcomes
    }
}

extension OpenFile {
    /// `shop.json` beside `shop.postman_collection.json`, and `shop.ombi.json` beside `shop.json`.
    fileprivate var proposedPath: String {
        let stem = fileName.prefix { $0 != "." }
        let name = stem.isEmpty ? "collection.json" : "\(stem).json"
        return CollectionFinder.path(of: name == fileName ? "\(stem).ombi.json" : name, in: folder)
    }

    /// Says that the file is another tool's, and how much of it is left out; nil for a file of Ombi.
    var readOnlyNotice: Notice? {
        guard let format = foreignFormat else { return nil }
        let losses = problems.isEmpty ? "" : " · \(Count.of(problems.count, "part")) left out, listed on its page"
        if awaitsEnvironment {
            return Notice(.info, "\(fileName) is \(format), read-only: E chooses an environment to send to\(losses)")
        }
        return Notice(.info, "\(fileName) is \(format), read-only: w makes a collection of it\(losses)")
    }

    /// A clause on the key that writes a file that is gone.
    var rescue: String { foreignFormat == nil ? "w writes it again" : "w makes a collection of what it was" }
}
