extension Collection {
    /// Returns this collection with the IDs of another one's items, matched by kind, name and folder, in order. State that
    /// belongs to an ID (runs, folding) stays with its item.
    public func withIdentities(of other: Collection) -> Collection {
        var result = self
        result.items = CollectionItem.identify(items, by: other.items)
        return result
    }
}

extension CollectionItem {
    private enum Label: Hashable {
        case folder(String)
        case request(String)
    }

    private var label: Label {
        switch self {
        case .folder(let folder): .folder(folder.name)
        case .request(let request): .request(request.name)
        }
    }

    fileprivate static func identify(_ items: [CollectionItem], by others: [CollectionItem]) -> [CollectionItem] {
        // Reversed, for popLast.
        var known = Dictionary(grouping: others.reversed(), by: \.label)
        return items.map { item in
            guard let twin = known[item.label]?.popLast() else { return item }
            switch item {
            case .folder(var folder):
                folder.id = twin.id
                folder.items = identify(folder.items, by: twin.items)
                return .folder(folder)
            case .request(var request):
                request.id = twin.id
                return .request(request)
            }
        }
    }
}
