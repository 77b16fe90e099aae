/// Reads the command lines of curl, as bash, zsh, cmd.exe and PowerShell take them.
package enum CurlImport {
    /// Returns true for a text that begins like a command of curl.
    package static func recognizes(_ text: String) -> Bool {
        let text = withoutComments(text)
        if ShellPrompts.beginWithRoot(text) || CopiedRequest.recognizes(text) { return true }
        return CurlPrefix.begins(PrintedCommand.read(String(text.prefix(maximumPrefix))).text)
    }

    /// The text from its first line on that is neither blank nor a comment of a shell.
    static func withoutComments(_ text: String) -> Substring {
        var rest = withoutMark(text)[...]
        while true {
            rest = rest.drop(while: \.isWhitespace)
            let isApart = rest.first == "#" && !ShellPrompts.beginWithRoot(rest)
            guard isApart || rest.hasPrefix("```") || rest.hasPrefix("~~~") else { return rest }
            rest = rest.drop { !$0.isNewline }
        }
    }

    /// The text without the byte order mark that some editors begin a file with.
    private static func withoutMark(_ text: String) -> String {
        text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }

    /// Returns the text of a file of commands.
    /// - Throws: for a text in no encoding of Unicode: what stands for its bytes would be sent in their place.
    package static func text(_ content: [UInt8]) throws(ImportError) -> String {
        String(decoding: try ForeignFile.decoded(content), as: UTF8.self)
    }

    /// Returns true for a script in which commands of curl follow a first line of `#!`, comments, assignments or
    /// settings of the shell; in a file with the name of a script, other commands, too.
    static func recognizes(script text: String, at path: String) -> Bool {
        let isNamed = [".sh", ".bash", ".zsh"].contains { path.hasSuffix($0) }
        let hasMark = text.hasPrefix("#!") && text.prefix { !$0.isNewline }.contains("sh")
        let isScript = isNamed || hasMark
        var rest = text[...]
        while !rest.isEmpty {
            let line = rest.prefix { !$0.isNewline }
            rest = rest[line.endIndex...].dropFirst()
            let start = line.prefix(maximumPrefix)
            let words = start.split(whereSeparator: \.isWhitespace)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            if CurlPrefix.begins(String(start)) { return true }
            let isSetting = CurlPrefix.isAssignment(String(first)) || ["set", "export", "source", "."].contains(first)
            guard isScript || isSetting else { return false }
        }
        return false
    }

    /// Returns true for a file that the commands of a script may name: one of the workspace, or below the working folder. The
    /// content of any other would be in the collection, which needs no grant to send it.
    package static func mayRead(_ path: String) -> Bool {
        guard let real = Workspace.real(path), let folder = Workspace.real(".") else { return true }
        return Workspace.contains(real, folder: folder) || Workspace.isOpen(real, below: folder)
    }

    /// Returns a request for each URL of each command in the text.
    /// - Parameter files: returns the content of a file that an option names; nil if it is not to be read.
    package static func read(
        _ text: String, files: @escaping (_ path: String) -> [UInt8]? = { _ in nil }
    ) throws(ImportError) -> ImportedRequests {
        if CopiedRequest.recognizes(withoutComments(text)) { return try CopiedRequest.read(text) }
        let (text, remarks) = PrintedCommand.read(withoutMark(text))
        return try read(text, for: ShellDialect.of(Array(text.utf8)), remarks, files)
    }

    /// Returns a request for each URL of a command whose words have no quotes any more, such as the arguments of a
    /// program.
    /// - Parameter files: returns the content of a file that an option names; nil if it is not to be read.
    package static func read(
        words: [String], files: @escaping (_ path: String) -> [UInt8]? = { _ in nil }
    ) throws(ImportError) -> ImportedRequests {
        try read(words.map(ShellQuotes.word).joined(separator: " "), for: .bash, [], files)
    }

    private static func read(
        _ text: String, for dialect: ShellDialect, _ remarks: [ShellTypography.Remark],
        _ files: @escaping (_ path: String) -> [UInt8]?
    ) throws(ImportError) -> ImportedRequests {
        let bytes = Array(text.utf8)
        var log = ImportLog(bytes)
        for remark in remarks { log.remark(remark.offset, remark.subject, remark.message) }
        let commands = try dialect.split(bytes, &log).flatMap { Self.inner($0, &log) ?? [$0] }
        var (requests, variables) = ([SavedRequest](), ForeignVariables())
        var failure: ImportError?
        for (index, command) in commands.enumerated() {
            guard let start = Self.start(of: command) else {
                if let assigned = assignments(of: command) {
                    for variable in assigned { variables.add(variable) }
                    continue
                }
                let isInput = isInput(command, of: commands.dropFirst(index + 1).first)
                note(command, isInput: isInput, &log)
                continue
            }
            var command = command
            if index > 0, isInput(commands[index - 1], of: command) { command.takeInput(of: commands[index - 1]) }
            CurlPrefix.note(command.words[..<start], &log)
            do throws(ImportError) {
                let made = try Self.requests(of: command, from: start, files, &log)
                for problem in made.compactMap(\.target.problem) {
                    log.loss(command.words[start].offset, "url", problem)
                }
                requests += made
            } catch {
                failure = failure ?? error
                // The other commands are imported.
                log.loss(command.words[start].offset, "curl", "left out: \(error.message)")
            }
        }
        guard !requests.isEmpty else { throw failure ?? log.error(0, "there is no curl command here") }
        try check(requests, log)
        var imported = ImportedRequests(requests: requests, notes: log.notes)
        imported.variables = variables.all
        return imported
    }

    /// The commands in a text that another shell runs, `sh -c 'curl …'`; nil for any other command. Their place is that of the
    /// text.
    private static func inner(_ command: ShellLine, _ log: inout ImportLog) -> [ShellLine]? {
        guard let word = command.words.last, word.isQuoted, CurlPrefix.isShell(command.words.dropLast().map(\.text)),
            CurlPrefix.begins(word.text)
        else { return nil }
        var own = ImportLog(word.bytes)
        guard var commands = try? ShellDialect.bash.split(word.bytes, &own) else { return nil }
        for index in commands.indices {
            commands[index].operationOffset = word.offset
            for place in commands[index].words.indices { commands[index].words[place].offset = word.offset }
        }
        CurlPrefix.note(command.words.dropLast(), &log)
        for note in own.notes { log.add(note, at: word.offset) }
        log.variables.formUnion(own.variables)
        return commands
    }

    /// Reads a command in which `curl` is the word at an index.
    private static func requests(
        of command: ShellLine, from start: Int, _ files: @escaping (_ path: String) -> [UInt8]?,
        _ log: inout ImportLog
    ) throws(ImportError) -> [SavedRequest] {
        var arguments = CurlArguments(
            command.words[(start + 1)...], command, offset: command.words[start].offset, files, log.part())
        let operations = try arguments.read()
        var (requests, own) = ([SavedRequest](), arguments.log)
        for operation in operations {
            var reader = CurlRequestReader(operation: operation, files: files, log: own)
            requests += try reader.requests()
            own = reader.log
        }
        log.join(own)
        if let capture = command.capture, let last = requests.indices.last { requests[last].captures.append(capture) }
        return requests
    }

    /// Throws for requests that a file could not be read with.
    private static func check(_ requests: [SavedRequest], _ log: ImportLog) throws(ImportError) {
        let collection = Collection(name: "imported", items: requests.map(CollectionItem.request))
        let problems = CollectionFile.read(Array(collection.text.utf8), file: "").problems
        guard let problem = problems.first(where: { $0.severity == .error }) else { return }
        throw log.error(0, "no collection can hold this command: \(problem.message)")
    }

    /// In characters.
    private static let maximumPrefix = 2000

    /// The index of `curl` among the words; nil for another command.
    static func start(of command: ShellLine) -> Int? { CurlPrefix.start(in: command.words.map(\.text)) }

    /// The variables that a command sets, and does nothing else; nil for another command.
    private static func assignments(of command: ShellLine) -> [Variable]? {
        let words = command.words.drop {
            ["export", "readonly", "local", "declare", "typeset", "-x"].contains($0.text)
        }
        guard !words.isEmpty, ["", ";", "&&"].contains(command.operation),
            words.allSatisfy({ word in
                CurlPrefix.isAssignment(word.text) && !["$(", "${", "`"].contains { word.text.contains($0) }
            })
        else { return nil }
        return words.compactMap { word in
            let parts = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // A capture gives it its value.
            guard parts[1] != "{{\(parts[0])}}" else { return nil }
            return Field(String(parts[0]), TemplateText.escaped(String(parts[1])))
        }
    }

    /// Returns true for an `echo`, or a `cat` of one file, whose text a command of curl gets.
    private static func isInput(_ command: ShellLine, of next: ShellLine?) -> Bool {
        guard let next, next.operation == "|", start(of: next) != nil else { return false }
        let name = command.words.first?.text
        return name == "echo" || name == "cat" && command.words.count == 2
    }

    private static func note(_ command: ShellLine, isInput: Bool, _ log: inout ImportLog) {
        guard !isInput, let word = command.words.first, !ends.contains(word.text) else { return }
        let text = command.words.map(\.text).joined(separator: " ").excerpt(40)
        switch command.operation {
        case "|", "|&":
            // Other words than those of a filter may be credentials.
            let isShown = word.text == "jq" || command.words.count == 1
            let shown = isShown ? text : word.text.excerpt(40) + " …"
            log.remark(command.operationOffset, "| \(shown)", "left out; | in the response filters the body")
        case "&" where text.contains("="):
            // A value may be a credential.
            let name = text.prefix { $0 != "=" }
            log.loss(command.operationOffset, "& \(name)=…", "the shell ends the command at &; put the URL in quotes")
        default:
            // Its other words may have credentials.
            let name = CurlPrefix.isAssignment(word.text) ? String(word.text.prefix { $0 != "=" }) : word.text
            log.loss(word.offset, name.excerpted, "left out: only curl is imported")
        }
    }

    /// Words of the shell that end a list of commands.
    private static let ends: Set<String> = ["done", "fi", "esac", "}"]
}
