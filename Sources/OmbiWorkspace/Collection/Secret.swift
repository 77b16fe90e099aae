/// A variable whose value is not in the file, but in a source that the file names. The value is masked.
package struct Secret: Sendable, Equatable {
    package enum Source: Sendable, Hashable {
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

    package var name: String
    package var source: Source
    package var unknown = UnknownMembers()

    package init(_ name: String, _ source: Source) {
        self.name = name
        self.source = source
    }
}

extension Secret: NamedObject {
    static let members = Members<Secret>([
        .name("name", nil, isRequired: true, { $0.name = $1 }, { $0.name }),
        // Values, and those of `.env` files, are only ever made from files beside the collection, and never written into it.
        .alternative("value", Schema.name("The value itself, which stands in this file alone.")) { _ in nil },
        .alternative(
            "env", Schema.name("A variable of the process environment."),
            write: { if case .environment(let name) = $0.source { .string(name) } else { nil } }),
        .alternative(
            "file",
            Schema.name("A text file; a relative path starts at the folder of this file, ~/ at the home folder."),
            write: { if case .file(let path) = $0.source { .string(path) } else { nil } }),
        .alternative(
            "command",
            Schema.list(
                "A program and its arguments, which no shell reads. The value is the first line that it writes.",
                of: Schema.text()),
            write: { if case .command(let words, _) = $0.source { .strings(words) } else { nil } }),
        .apart(
            "maximumAge",
            Schema.reference(
                "age",
                "The age of a command's value at which the command is run again; none by default. A 401 runs it again, too."
            ), write: { if case .command(_, let age?) = $0.source { .string(AgeText.format(age)) } else { nil } }),
        .alternative(
            "prompt", Schema.text("Typed when it is first needed; the words to ask with."),
            write: { if case .prompt(let words) = $0.source { .string(words) } else { nil } }),
        .alternative("keyring", keyringSchema) {
            guard case .keyring(let service, let account) = $0.source else { return nil }
            return ["service": .string(service), "account": account.map(JSONValue.string)]
        },
    ])
    static let unnamed = members.without("name")
    static let objectForm = "{ \"env\": \"NAME\" }, or in NAME.local.json { \"value\": \"…\" }"

    private static var keyringSchema: JSONValue {
        [
            "type": "object", "required": ["service"],
            "description": "An entry of the keyring of the desktop: secret-tool on Linux, security on macOS.",
            "properties": ["service": Schema.name(), "account": Schema.text()],
        ]
    }

    /// The JSON Schema of a secret by its name.
    /// - Parameter isLocal: true for `NAME.local.json`, which may hold the value.
    static func schema(isLocal: Bool) -> JSONValue {
        let members = isLocal ? unnamed : unnamed.without("value")
        let sources: [String] = (isLocal ? ["value"] : []) + Source.keys
        return members.schema(
            isLocal ? "The value, or its source." : "The source of the value.",
            rules: ["oneOf": .array(sources.map { ["required": .strings([$0])] })])
    }

    init(reading object: ObjectReader, name: String?) {
        self.init(name ?? "", .environment(""))
        unknown = object.read(name == nil ? Self.members : Self.unnamed, into: &self)
        if let read = Source(reading: object, name: self.name) { source = read }
    }
}

extension Secret.Source {
    static let keys = ["env", "file", "command", "prompt", "keyring"]

    /// Nil, with an error in the log, where an object names no source or several.
    init?(reading object: ObjectReader, name: String) {
        if object.has("value") {
            guard object.log.allowsValues else {
                object.error(
                    "value", "a value does not stand in this file; put the secret into NAME.local.json beside it")
                return nil
            }
            self = .value(object.name("value"))
            return
        }
        let present = Self.keys.filter(object.has)
        if object.has("maximumAge"), present != ["command"] {
            object.error("maximumAge", "only the value of a command has an age")
        }
        switch present.count == 1 ? present[0] : "" {
        case "env": self = .environment(object.name("env"))
        case "file": self = .file(object.name("file"))
        case "command":
            self = .command(Self.command(in: object), maximumAge: object.age("maximumAge"))
        case "prompt": self = .prompt(object.string("prompt") ?? "")
        case "keyring":
            guard let keyring = object.object("keyring") else { return nil }
            keyring.warnOfUnknown(besides: ["service", "account"])
            self = .keyring(service: keyring.name("service"), account: keyring.string("account"))
        default:
            object.log.error(
                at: object.offset,
                "the secret \(JSONValue.quoted(name)) has one source: write { \"env\": \"NAME\" }, "
                    + "{ \"file\": \"PATH\" }, { \"command\": [\"pass\", \"show\", \"NAME\"] }, { \"prompt\": \"TEXT\" } "
                    + "or { \"keyring\": { \"service\": \"NAME\" } }")
            return nil
        }
    }

    private static func command(in object: ObjectReader) -> [String] {
        if let line = object.value("command")?.string, let words = CommandWords.words(of: line), !words.isEmpty {
            object.error(
                "command",
                "expected an array of words, found a string; no shell reads it, write "
                    + "[" + words.map(JSONValue.quoted).joined(separator: ", ") + "]")
            return []
        }
        let elements = object.array("command") ?? []
        for element in elements where element.string == nil {
            object.log.error(at: element.offset, "\"command\": expected a string, found \(element.kindName)")
        }
        let words = elements.compactMap(\.string)
        let isNamed = !(words.first ?? "").isEmpty
        if object.value("command")?.kind == .array, !isNamed, words.count == elements.count {
            object.error("command", "the first word is the program to run; write [\"pass\", \"show\", \"NAME\"]")
        }
        return words
    }

    /// `env NAME`, `file PATH`, `command WORDS` or `command every DURATION WORDS`, `prompt TEXT` or `keyring SERVICE ACCOUNT`.
    package var text: String {
        switch self {
        case .environment(let name): "env \(name)"
        case .file(let path): "file \(path)"
        case .command(let words, let maximumAge):
            "command " + (maximumAge.map { "every \(AgeText.format($0)) " } ?? "") + CommandWords.text(words)
        case .envFile(let path, _): "in \(path)"
        case .value: "value in the local file"
        case .prompt(let words): words.isEmpty ? "prompt" : "prompt \(words)"
        case .keyring(let service, let account):
            "keyring " + CommandWords.text([service] + (account.map { [$0] } ?? []))
        }
    }

    /// Reads a source from that form.
    package init(_ text: String) throws(FieldError) {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        let place = parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
        let words = CommandWords.words(of: place)
        switch parts.first {
        case "env" where !place.isEmpty && !place.contains(where: { " =".contains($0) }): self = .environment(place)
        case "file" where !place.isEmpty: self = .file(place)
        case "prompt": self = .prompt(place)
        case "command" where words == nil, "keyring" where words == nil: throw FieldError("a quote is not closed")
        case "command":
            guard let words, let program = words.first, !program.isEmpty else { throw Self.form }
            let age = words.count > 2 && program == "every" ? AgeText.parse(words[1]) : nil
            self = age.map { .command(Array(words.dropFirst(2)), maximumAge: $0) } ?? .command(words)
        case "keyring":
            guard let words, (1...2).contains(words.count), !words[0].isEmpty else { throw Self.form }
            self = .keyring(service: words[0], account: words.count == 2 ? words[1] : nil)
        default: throw Self.form
        }
    }

    /// The texts of all sources, for a field without one.
    package static let forms = "env NAME, file PATH, command WORDS, prompt TEXT or keyring SERVICE ACCOUNT"

    private static let form = FieldError("a secret has a source: " + forms)

    /// The program that asks the keyring of the desktop, with its arguments.
    static func keyringCommand(service: String, account: String?) -> [String] {
        #if canImport(Darwin)
        ["security", "find-generic-password", "-s", service] + (account.map { ["-a", $0] } ?? []) + ["-w"]
        #else
        ["secret-tool", "lookup", "service", service] + (account.map { ["account", $0] } ?? [])
        #endif
    }
}
