import OmbiDocument

/// A variable whose value is not in the file, but in a source that the file names. The value is masked.
public struct Secret: Sendable, Equatable {
    public enum Source: Sendable, Hashable {
        /// A variable of the process environment.
        case environment(String)
        /// A text file; `~/` is the home folder, other relative paths start at the folder of the collection.
        case file(String)
        /// The first line that a program writes: its name and its arguments. No shell reads them. It is run again when the value is
        /// older than the maximum age; without one when a server refuses the value.
        case command([String], maximumAge: Duration? = nil)
        /// Typed when it is first needed; the words to ask with, or nothing.
        case prompt(String)
        /// A value in a `.env` file, which the environment names.
        case envFile(String, name: String)
        /// The value itself, in `NAME.local.json` alone.
        case value(String)
        /// The keyring of the desktop.
        case keyring(service: String, account: String?)
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
    static let keys = ["name", "value", "maximumAge"] + Source.keys

    init(reading object: ObjectReader) {
        self.init(reading: object, name: object.name("name"), keys: Self.keys)
    }

    /// Reads the value of a secret whose name is its key in an object.
    init(reading object: ObjectReader, name: String) {
        self.init(reading: object, name: name, keys: Array(Self.keys.dropFirst()))
    }

    private init(reading object: ObjectReader, name: String, keys: [String]) {
        self.init(name, Source(reading: object, name: name) ?? .environment(""))
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
        case .command(let words, let maximumAge):
            writer.add("command", .array(words.map(JSONValue.string)))
            writer.add("maximumAge", age: maximumAge)
        // Only ever made from files beside the collection, and never written into it.
        case .envFile, .value: break
        case .prompt(let words): writer.add("prompt", text: words)
        case .keyring(let service, let account):
            var keyring = ObjectWriter()
            keyring.add("service", text: service)
            keyring.add("account", account.map(JSONValue.string))
            writer.add("keyring", keyring.object(UnknownMembers()))
        }
        return writer.object(unknown)
    }
}
