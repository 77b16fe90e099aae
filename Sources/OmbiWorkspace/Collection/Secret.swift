import OmbiDocument

/// A variable whose value is not in the file, but in a source that the file names. The value is masked.
public struct Secret: Sendable, Equatable {
    public enum Source: Sendable, Hashable {
        /// A variable of the process environment.
        case environment(String)
        /// A text file; `~/` is the home folder, other relative paths start at the folder of the collection.
        case file(String)
    }

    public var name: String
    public var source: Source
    public var unknown = UnknownMembers()

    public init(_ name: String, _ source: Source) {
        self.name = name
        self.source = source
    }
}

extension Secret: JSONObjectConvertible {
    static let keys = ["name", "env", "file"]

    init(reading object: ObjectReader) {
        self.init(reading: object, name: object.name("name"), keys: Self.keys)
    }

    /// Reads the value of a secret whose name is its key in an object.
    init(reading object: ObjectReader, name: String) {
        self.init(reading: object, name: name, keys: Array(Self.keys.dropFirst()))
    }

    private init(reading object: ObjectReader, name: String, keys: [String]) {
        self.init(name, .environment(""))
        switch (object.has("env"), object.has("file")) {
        case (true, false): source = .environment(object.name("env"))
        case (false, true): source = .file(object.name("file"))
        default:
            object.log.error(
                at: object.offset,
                "the secret \(JSONValue.quoted(name)) has one source: "
                    + "write { \"env\": \"NAME\" } or { \"file\": \"PATH\" }")
        }
        unknown = object.unknown(besides: keys)
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("name", text: name)
        return members(writer)
    }

    var valueJSON: JSONValue { members(ObjectWriter()) }

    private func members(_ writer: ObjectWriter) -> JSONValue {
        var writer = writer
        switch source {
        case .environment(let name): writer.add("env", text: name)
        case .file(let path): writer.add("file", text: path)
        }
        return writer.object(unknown)
    }
}
