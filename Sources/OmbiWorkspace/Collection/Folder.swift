import OmbiDocument

/// A named group of requests and folders.
public struct Folder: Sendable, Equatable {
    public var id: ItemID
    public var name: String
    public var items: [CollectionItem]
    public var unknown = UnknownMembers()

    public init(id: ItemID = ItemID(), name: String, items: [CollectionItem] = []) {
        self.id = id
        self.name = name
        self.items = items
    }
}

extension Folder: JSONObjectConvertible {
    static let keys = ["folder", "items"]

    init(reading object: ObjectReader) {
        self.init(name: object.name("folder"), items: CollectionItem.list(in: object))
        unknown = object.unknown(besides: Self.keys)
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("folder", text: name)
        writer.add("items", .array(items.map(\.json)))
        return writer.object(unknown)
    }
}
