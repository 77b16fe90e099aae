/// Another name for a variable.
extension Collection {
    /// Returns the collection with the variable renamed wherever it is set, captured and used; nil where the new name is
    /// that of another variable, or a file beside the collection sets the old one.
    package func renaming(variable old: String, to new: String) -> Collection? {
        let isNew = (try? KnownVariables(self).check(.variable(new), in: nil)) == nil
        guard isNew, !overlay.sets(old) else { return nil }
        var renamed = self
        renamed.renameDefinitions(of: old, to: new)
        guard let text = renamed.text(renaming: old, to: new),
            var read = CollectionFile.read(text, file: "").collection
        else { return nil }
        read.renew(Dictionary(zip(read.ids, ids)) { first, _ in first })
        read.takeOverlay(from: self)
        return read
    }

    /// The number of requests that differ from those of an earlier state with the same items.
    package func requestCount(changedSince earlier: Collection) -> Int {
        zip(requests, earlier.requests).count { $0.json != $1.json }
    }

    private mutating func renameDefinitions(of old: String, to new: String) {
        variables.rename(\.name, old, to: new)
        for index in environments.indices {
            environments[index].variables.rename(\.name, old, to: new)
            environments[index].secrets.rename(\.name, old, to: new)
        }
        items = items.map { $0.renamingDefinitions(of: old, to: new) }
    }

    /// Returns the text of the file with another name in its templates.
    private func text(renaming old: String, to new: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        guard let document = try? JSONDocument(checking: Bytes(bytes)), let root = document.firstRoot else {
            return nil
        }
        var found = TemplatePlaces(document)
        found.collect(root)
        var (result, copied): ([UInt8], Int) = ([], 0)
        for place in found.places.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            let renamed = TemplateScanner.renaming(variable: old, to: new, in: place.text)
            guard renamed != place.text else { continue }
            result += bytes[copied..<place.range.lowerBound]
            result += JSONValue.quoted(renamed).utf8
            copied = place.range.upperBound
        }
        return result + bytes[copied...]
    }
}

extension CollectionItem {
    fileprivate func renamingDefinitions(of old: String, to new: String) -> CollectionItem {
        switch self {
        case .request(var request):
            request.captures.rename(\.name, old, to: new)
            request.variables.rename(\.name, old, to: new)
            return .request(request)
        case .folder(var folder):
            folder.settings.variables.rename(\.name, old, to: new)
            folder.items = folder.items.map { $0.renamingDefinitions(of: old, to: new) }
            return .folder(folder)
        }
    }
}

extension CollectionOverlay {
    /// True where a file beside the collection sets a variable or a secret of that name.
    fileprivate func sets(_ name: String) -> Bool {
        (variables + environments.flatMap(\.variables)).contains { $0.name == name }
            || (secrets + environments.flatMap(\.secrets)).contains { $0.name == name }
            || envFiles.values.joined().contains(name)
    }
}

extension Array {
    fileprivate mutating func rename(_ name: WritableKeyPath<Element, String>, _ old: String, to new: String) {
        for index in indices where self[index][keyPath: name] == old { self[index][keyPath: name] = new }
    }
}
