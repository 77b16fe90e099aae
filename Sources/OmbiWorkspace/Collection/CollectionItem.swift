import OmbiDocument

/// A node in the tree of a collection. It is indirect, so that moving and copying trees is cheap.
public indirect enum CollectionItem: Sendable, Equatable {
    case folder(Folder)
    case request(SavedRequest)

    public var id: ItemID {
        switch self {
        case .folder(let folder): folder.id
        case .request(let request): request.id
        }
    }

    public var name: String {
        get {
            switch self {
            case .folder(let folder): folder.name
            case .request(let request): request.name
            }
        }
        set {
            switch self {
            case .folder(var folder):
                folder.name = newValue
                self = .folder(folder)
            case .request(var request):
                request.name = newValue
                self = .request(request)
            }
        }
    }

    /// The items of a folder; none for a request.
    public var items: [CollectionItem] {
        if case .folder(let folder) = self { folder.items } else { [] }
    }

    /// Returns a copy with new identities, all the way down.
    public func withNewIDs() -> CollectionItem {
        switch self {
        case .folder(var folder):
            folder.id = ItemID()
            folder.items = folder.items.map { $0.withNewIDs() }
            return .folder(folder)
        case .request(var request):
            request.id = ItemID()
            return .request(request)
        }
    }
}

extension CollectionItem {
    static func list(in object: ObjectReader) -> [CollectionItem] {
        if !object.has("items") { object.missing("items") }
        return (object.array("items") ?? []).compactMap { value in
            ObjectReader(value).flatMap(CollectionItem.init(reading:))
        }
    }

    private init?(reading object: ObjectReader) {
        switch (object.has("folder"), object.has("request")) {
        case (true, false): self = .folder(Folder(reading: object))
        case (false, true): self = .request(SavedRequest(reading: object))
        case (false, false):
            object.log.error(at: object.offset, "missing key \"request\" or \"folder\", which gives an item its name")
            _ = object.unknown(besides: ["request", "folder"])
            return nil
        case (true, true):
            object.log.error(at: object.offset, "an item is a \"request\" or a \"folder\", not both")
            return nil
        }
    }

    var json: JSONValue {
        switch self {
        case .folder(let folder): folder.json
        case .request(let request): request.json
        }
    }
}
