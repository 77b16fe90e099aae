import OmbiDocument

/// A command as the parser of the command line describes it: the source of its help and of its manual page.
struct CommandDescription: Equatable, Sendable {
    let name: String
    let abstract: String
    /// Paragraphs, one a line.
    let discussion: String
    let defaultSubcommand: String?
    /// The options, then the positional arguments.
    let arguments: [ArgumentDescription]
    let subcommands: [CommandDescription]

    /// - Parameter dump: what `ombi --experimental-dump-help` prints.
    init?(dump: String) {
        guard let command = (try? JSONValue.parse(dump))?["command"] else { return nil }
        self.init(command)
    }

    /// - Returns: nil for what the help hides.
    private init?(_ json: JSONValue) {
        guard let name = json["commandName"]?.stringValue, json["shouldDisplay"] != .bool(false) else { return nil }
        self.name = name
        abstract = json["abstract"]?.stringValue ?? ""
        discussion = json["discussion"]?.stringValue ?? ""
        defaultSubcommand = json["defaultSubcommand"]?.stringValue
        let arguments = json["arguments"]?.list.compactMap(ArgumentDescription.init) ?? []
        self.arguments = arguments.filter { !$0.names.isEmpty } + arguments.filter(\.names.isEmpty)
        subcommands = json["subcommands"]?.list.compactMap { CommandDescription($0) } ?? []
    }
}
