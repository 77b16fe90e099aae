/// A place in one of the open collections.
struct TreeDestination: Equatable, Sendable {
    var path: String
    var place: Collection.Place
    /// The name of a folder that is added at the end of the collection, to take the items.
    var newFolder: String?
}

/// Items moved and copied, in a collection and from one to another.
extension Workbench {
    /// The items with these IDs in all files, without those that are in a folder among them.
    func items(_ ids: Set<ItemID>) -> [CollectionItem] { files.flatMap { $0.collection?.outermost(ids) ?? [] } }

    /// The place that a node stands for: the end of a folder or a file, or after a request. Nil where nothing can be put.
    func destination(_ node: TreeNode) -> TreeDestination? {
        guard let file = file(of: node), file.collection != nil, !file.isScratch else { return nil }
        return switch node {
        case .file: TreeDestination(path: file.path, place: .root)
        case .folder(let id): TreeDestination(path: file.path, place: .into(id))
        case .request(let id): TreeDestination(path: file.path, place: .after(id))
        }
    }

    /// The file of a node, or the file that it is.
    func file(of node: TreeNode) -> OpenFile? {
        switch node {
        case .file(let path): file(at: path)
        case .folder(let id), .request(let id): file(of: id)
        }
    }

    /// Moves or copies items, as one edit of all collections that it changes.
    mutating func put(_ ids: Set<ItemID>, at destination: TreeDestination, _ transfer: Transfer) -> [Outcome] {
        let taken = items(ids)
        guard let target = file(at: destination.path), let first = taken.first else { return [] }
        let sources = Set(transfer == .copy ? [] : taken.compactMap { file(of: $0.id)?.path })
        let moved = taken.map { item in transfer == .copy ? item.withNewIDs() : adapted(item, to: target) }
        var isDone = false
        let label = "\(transfer == .copy ? "copy" : "move") \(Self.name(of: taken))"
        editAll(sources.union([target.path]), label, item: moved[0].id) { collections in
            let folder = destination.newFolder.flatMap { collections[target.path]?.addFolder($0) }
            isDone = collections[target.path]?.put(moved, folder.map { .into($0) } ?? destination.place) ?? false
            guard isDone else { return }
            for path in sources.subtracting([target.path]) { collections[path]?.remove(ids) }
        }
        guard isDone else { return .notify(.warning, "\(first.name) cannot be put into itself") }
        return report(moved, from: sources, to: target, transfer)
            + [.perform(.tree(.select(node(moved[0].id) ?? .file(target.path))))]
    }

    /// The path of a scratch request below the host of the collection that it comes to.
    private func adapted(_ item: CollectionItem, to file: OpenFile) -> CollectionItem {
        guard case .request(let request) = item, self.file(of: item.id)?.isScratch ?? false else { return item }
        return .request(file.chosenEnvironment.flatMap(request.relative) ?? request)
    }

    private func report(
        _ moved: [CollectionItem], from sources: Set<String>, to target: OpenFile, _ transfer: Transfer
    ) -> [Outcome] {
        let verb =
            switch transfer {
            case .move: "Moved"
            case .copy: "Copied"
            case .save: "Saving"
            }
        let id = moved[0].id
        let folders = file(at: target.path)?.collection?.path(to: id).dropLast() ?? []
        let place = ([target.name] + folders).joined(separator: " › ")
        var text = "\(verb) \(Self.name(of: moved)) to \(place)"
        let renamed = moved.filter { item($0.id)?.name != $0.name }
        if let item = renamed.first.flatMap({ self.item($0.id) }) {
            text += renamed.count == 1 ? " as \(item.name)" : ", \(renamed.count) of them with a number"
        }
        guard !sources.isSubset(of: [target.path]) || transfer == .copy else { return .notify(.success, text) }
        if let names = undefinedNames(in: moved, of: file(at: target.path) ?? target) {
            return .notify(.warning, "\(text); \(names) has no value there")
        }
        return .notify(.success, text)
    }

    /// The variables of items without a value in the environment of a file, for a message.
    private func undefinedNames(in items: [CollectionItem], of file: OpenFile) -> String? {
        guard var collection = file.collection else { return nil }
        let environment = file.chosenEnvironment ?? Environment(name: "", host: "")
        collection.environments = [environment]
        collection.items = []
        let known = uses(in: collection).undefined[environment.name] ?? []
        collection.items = items
        let names = (uses(in: collection).undefined[environment.name] ?? []).filter { !known.contains($0) }
        guard let first = names.first else { return nil }
        return "{{\(first)}}" + (names.count > 1 ? " and \(Count.of(names.count - 1, "other variable"))" : "")
    }

    /// `list users`, or `3 items`
    static func name(of items: [CollectionItem]) -> String { items.count == 1 ? items[0].name : "\(items.count) items" }

    // MARK: One step

    /// Moves items among their siblings, all to the other side of the next one.
    mutating func step(_ ids: Set<ItemID>, by distance: Int) -> [Outcome] {
        guard let first = items(ids).first, let file = file(of: first.id), let collection = file.collection else {
            return []
        }
        guard items(ids).allSatisfy({ collection.contains($0.id) }), let neighbors = collection.neighbors(of: ids)
        else {
            return .notify(.info, "The selected items are in several folders; m moves them to one")
        }
        let end = distance > 0 ? "last" : "first"
        guard let other = distance > 0 ? neighbors.after : neighbors.before else {
            let folder = collection.path(to: first.id).dropLast().last
            let remedy = folder == nil ? "" : "; the palette (:) moves it out"
            return .notify(.info, "The \(end) in \(folder ?? file.name)\(remedy)")
        }
        edit(path: file.path, "move \(Self.name(of: items(ids)))", item: first.id) {
            $0.put($0.outermost(ids), distance > 0 ? .after(other) : .before(other))
        }
        return []
    }

    mutating func moveOut(_ ids: Set<ItemID>) -> [Outcome] {
        guard let first = items(ids).first, let file = file(of: first.id) else { return [] }
        guard let folder = file.collection?.ancestors(of: first.id).last else {
            return .notify(.info, "\(first.name) is in no folder; m moves it to another collection")
        }
        return put(ids, at: TreeDestination(path: file.path, place: .after(folder)), .move)
    }

    /// Moves items into the folder before them, or else into the one after them.
    mutating func moveIn(_ ids: Set<ItemID>) -> [Outcome] {
        guard let first = items(ids).first, let file = file(of: first.id), let collection = file.collection else {
            return []
        }
        let siblings = collection.siblings(in: collection.ancestors(of: first.id).last)
        let index = siblings.firstIndex { $0.id == first.id } ?? 0
        let isFolder = { (item: CollectionItem) in
            if case .folder = item { !ids.contains(item.id) } else { false }
        }
        guard let folder = siblings[..<index].last(where: isFolder) ?? siblings[index...].first(where: isFolder) else {
            return .notify(.info, "There is no folder beside \(first.name); A adds one")
        }
        return put(ids, at: TreeDestination(path: file.path, place: .into(folder.id)), .move)
    }

    // MARK: The picker

    /// A new folder of the name that is typed, in each collection; that of the request comes first.
    func newFolders(_ transfer: Transfer) -> [PickerOverlay.TypedChoice] {
        let first = context?.path
        return (collections.filter { $0.path == first } + collections.filter { $0.path != first }).map {
            .newFolder(in: $0.name, path: $0.path, transfer)
        }
    }

    func targets(for items: [CollectionItem], _ transfer: Transfer) -> [PickerOverlay.Item] {
        collections.flatMap { file in
            [target(file.name, .file(file.path), file.collection?.items ?? [], transfer)]
                + targets(in: file.collection?.items ?? [], below: [file.name], besides: Set(items.map(\.id)), transfer)
        }
    }

    private func targets(
        in items: [CollectionItem], below path: [String], besides moved: Set<ItemID>, _ transfer: Transfer
    ) -> [PickerOverlay.Item] {
        items.flatMap { item -> [PickerOverlay.Item] in
            // A folder does not go into itself, but a copy of it may.
            guard case .folder(let folder) = item, transfer == .copy || !moved.contains(item.id) else { return [] }
            let path = path + [folder.name]
            return [target(path.joined(separator: " › "), .folder(folder.id), folder.items, transfer)]
                + targets(in: folder.items, below: path, besides: moved, transfer)
        }
    }

    private func target(
        _ name: String, _ node: TreeNode, _ items: [CollectionItem], _ transfer: Transfer
    ) -> PickerOverlay.Item {
        .init(name: name, note: Count.of(items.count, "item"), action: .tree(.put(node, transfer)))
    }
}

extension Collection {
    /// Adds an empty folder at the end, and returns its ID.
    fileprivate mutating func addFolder(_ name: String) -> ItemID {
        let folder = Folder(name: Self.freeName(for: name, among: items))
        items.append(.folder(folder))
        return folder.id
    }
}
