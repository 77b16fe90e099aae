import OmbiDocument

/// A named group of requests and folders, and the settings that they share.
public struct Folder: Sendable, Equatable {
    public var id: ItemID
    public var name: String
    public var settings: SharedSettings
    public var items: [CollectionItem]
    public var unknown = UnknownMembers()

    public init(
        id: ItemID = ItemID(), name: String, settings: SharedSettings = SharedSettings(), items: [CollectionItem] = []
    ) {
        self.id = id
        self.name = name
        self.settings = settings
        self.items = items
    }
}

extension Folder: JSONObjectConvertible {
    static let keys = ["folder"] + SharedSettings.keys + ["items"]

    init(reading object: ObjectReader) {
        self.init(
            name: object.name("folder"), settings: SharedSettings(reading: object),
            items: CollectionItem.list(in: object))
        unknown = object.unknown(besides: Self.keys)
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("folder", text: name)
        settings.write(to: &writer)
        writer.add("items", .array(items.map(\.json)))
        return writer.object(unknown)
    }
}
