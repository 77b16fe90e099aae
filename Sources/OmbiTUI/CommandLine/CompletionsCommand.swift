import ArgumentParser

/// `ombi completions`: the script that completes the commands of Ombi in a shell.
struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "Print the script that completes commands and names in a shell.",
        discussion: """
            In bash: source <(ombi completions bash); in zsh, after compinit: source <(ombi completions zsh); in fish: \
            ombi completions fish | source.
            """)

    enum Shell: String, ExpressibleByArgument, CaseIterable { case bash, zsh, fish }

    @Argument(help: "The shell: bash, zsh or fish.")
    var shell: Shell

    func run() { StandardOutput.write(CompletionScript.text(for: shell)) }
}

/// The completion script of the command parser with what it leaves out: names that go on end without a space, the first
/// word may be a file, and `ombi help` takes the name of a command.
enum CompletionScript {
    static func text(for shell: CompletionsCommand.Shell) -> String {
        switch shell {
        case .bash: Ombi.completionScript(for: .bash) + "\n" + bash
        case .zsh: inserted(zsh, before: "if [[ \"${funcstack[1]}\"", in: Ombi.completionScript(for: .zsh)) + "\n"
        case .fish: Ombi.completionScript(for: .fish) + "\n" + fish
        }
    }

    /// The last lines of the script for zsh call its functions, so they have to be complete there.
    private static func inserted(_ text: String, before end: String, in script: String) -> String {
        guard let index = script.ranges(of: end).last?.lowerBound else { return script }
        return String(script[..<index]) + text + script[index...]
    }

    /// The words that `ombi help` takes.
    private static let commands = Ombi.configuration.subcommands.map { $0.configuration }
        .filter(\.shouldDisplay).compactMap(\.commandName).joined(separator: " ")

    /// A variable is inserted without quotes where it needs none, as bash would escape its sign.
    private static let bash = """

        __ombi_completed() {
            if [[ "${COMP_CWORD}" -eq 2 && "${COMP_WORDS[1]}" = help ]]; then
                COMPREPLY=($(compgen -W '\(commands)' -- "${COMP_WORDS[2]}"))
                return
            fi
            _ombi "${@}"
            case "${COMPREPLY[0]-}" in
            */ | *[!a-zA-Z0-9_.-]*=) compopt -o nospace 2>/dev/null ;;
            *=) compopt -o nospace +o filenames 2>/dev/null ;;
            '') [[ "${COMP_CWORD}" -gt 1 ]] || compopt -o default 2>/dev/null ;;
            esac
        }

        complete -o filenames -F __ombi_completed ombi

        """

    private static let zsh = """
        __ombi_complete() {
            local -ar open=("${(M)@:#*(/|=)}") closed=("${@:#*(/|=)}")
            _describe -V '' closed -- open -S ''
        }

        functions[__ombi_parsed]="${functions[_ombi]}"
        _ombi() {
            if [[ "${CURRENT}" -eq 3 && "${words[2]}" = help ]]; then
                compadd -- \(commands)
                return
            fi
            __ombi_parsed "${@}" || { [[ "${CURRENT}" -eq 2 ]] && _files }
        }

        """

    private static let fish = """
        complete -c ombi -n 'test (count (commandline -opc)) -eq 1; and string match -qr "[./]" -- (commandline -t)' -F
        complete -c ombi -n 'set -l words (commandline -opc); test (count $words) -eq 2 -a "$words[2]" = help' -f \
            -a '\(commands)'

        """
}

/// The form in which shells hand over the words of a command line, and take the names to complete one.
enum ShellSyntax {
    /// Returns a word without its quotes and escapes; it may end within them.
    static func text(of word: String) -> String {
        var text = ""
        var quote: Character?
        var isEscaped = false
        for character in word {
            if isEscaped {
                text.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { text.append(character) }
            } else if character == "'" || character == "\"" {
                quote = character
            } else {
                text.append(character)
            }
        }
        return text
    }

    /// Returns a name so that the completion function of a shell takes it for what it is: that of bash would run a command
    /// in it, that of zsh takes what follows a colon for a description.
    static func candidate(_ name: String, for shell: CompletionShell?) -> String {
        if shell == .bash { return "'" + name.replacing("'", with: #"'\''"#) + "'" }
        return shell == .zsh ? name.replacing(":", with: #"\:"#) : name
    }
}

/// A command line with a word that is to be completed.
struct CompletionLine {
    let word: String
    /// The words behind the name of the command, without the one to complete.
    let others: [String]

    /// - Parameters:
    ///   - words: all of them, the program first.
    ///   - index: that of the word to complete.
    init(_ words: [String], at index: Int) {
        word = words.indices.contains(index) ? words[index] : ""
        others = words.enumerated().filter { $0.offset > 1 && $0.offset != index }.map(\.element)
    }

    /// Returns the collections in which the word can be a selection.
    func selectable() -> CompletionNames {
        CompletionNames(collections: Self.load([Self.file(of: word) ?? "."]))
    }

    /// Returns the collections that the other words select; those of the current folder where they select none.
    func selected() -> CompletionNames {
        let paths = others.compactMap { Self.file(of: $0) ?? Self.folder($0) }
        return CompletionNames(collections: Self.load(["."] + paths)).selected(by: others)
    }

    /// Files of other tools are named as the collections that they give: `ombi run` sends them, too.
    private static func load(_ paths: [String]) -> [LoadedCollection] {
        CollectionFinder.load(paths).map { $0.importing ?? $0.specified() }
    }

    /// Returns the path of the file that a selection begins with.
    private static func file(of word: String) -> String? {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        let end = parts.firstIndex { part in Importer.fileEndings.contains { part.hasSuffix($0) } }
        guard let end else { return nil }
        let path = parts[...end].joined(separator: "/")
        return PosixFileSystem().size(path) > 0 ? path : nil
    }

    private static func folder(_ word: String) -> String? {
        word.contains("/") && PosixFileSystem().isFolder(word) ? word : nil
    }
}

/// The names in collections that a word of a command line can become, each as `ombi list` prints it.
///
/// A collection and a folder end in a slash, as their items may follow; a variable ends in the sign before its value.
struct CompletionNames {
    let collections: [LoadedCollection]

    /// The names by which a selection may begin, in the order in which they are offered.
    private enum Form: CaseIterable {
        case name, path, file, stem

        func text(of loaded: LoadedCollection) -> String? {
            let file = loaded.path.split(separator: "/").last.map(String.init) ?? loaded.path
            let text: String? =
                switch self {
                case .name: loaded.collection?.name
                case .path: loaded.path
                case .file: file
                case .stem: file.hasSuffix(".json") ? String(file.dropLast(5)) : nil
                }
            return text.map(SafeText.line)
        }

        /// A file is offered as a whole: it needs no slash to be selected.
        var end: String { self == .path || self == .file ? "" : "/" }
    }

    /// Returns the collections that begin like the word or, after the name of one, the items of the folder that the
    /// word leads into. Files follow where the name of no collection fits.
    func selections(_ word: String) -> [String] {
        let found = Form.allCases.lazy.map { form -> [String] in
            collections.flatMap { loaded -> [String] in
                form.text(of: loaded).map { Self.matches(word, $0, form.end, loaded.collection?.items ?? []) } ?? []
            }
        }
        return Self.unique(found.first { !$0.isEmpty } ?? [])
    }

    func environments(_ word: String) -> [String] {
        matches(word) { $0.choosableEnvironments.map(\.name) }
    }

    /// Returns tags; those of requests to be left out behind a `!`.
    func tags(_ word: String) -> [String] {
        let mark = word.hasPrefix("!") ? "!" : ""
        return matches(word) { collection in
            var tags: [String] = []
            collection.forEachRequest { request, folders in tags += collection.tags(of: request, in: folders) }
            return tags.map { mark + $0 }
        }
    }

    func variables(_ word: String) -> [String] {
        matches(word) { collection in
            let levels = collection.choosableEnvironments.map(\.variables) + Self.variables(in: collection.items)
            let all = collection.allVariables + levels.joined()
            return all.map { $0.name + "=" }
        }
    }

    /// Returns the names in the collections that words select; all names where the words select none.
    func selected(by words: [String]) -> CompletionNames {
        let selected = collections.filter { loaded in
            guard loaded.collection != nil else { return false }
            return Form.allCases.compactMap { $0.text(of: loaded) }.contains { name in
                words.contains { $0 == name || Self.begins($0, with: name + "/") }
            }
        }
        return selected.isEmpty ? self : CompletionNames(collections: selected)
    }

    /// Returns the folders and the files of collections that begin like a path.
    static func files(_ word: String, in fileSystem: some FileSystem = PosixFileSystem()) -> [String] {
        let folder = word.lastIndex(of: "/").map { String(word[...$0]) } ?? ""
        let names = (try? fileSystem.names(in: folder.isEmpty ? "." : folder)) ?? []
        return names.sorted().compactMap { name -> String? in
            let path = folder + name
            guard !name.hasPrefix("."), begins(path, with: word), SafeText.line(path) == path else { return nil }
            if fileSystem.isFolder(path) { return path + "/" }
            return CollectionFinder.isCandidate(name) ? path : nil
        }
    }

    // MARK: Matching

    /// - Parameters:
    ///   - end: the end of the name as it is offered.
    ///   - items: the items behind the name.
    private static func matches(_ word: String, _ name: String, _ end: String, _ items: [CollectionItem]) -> [String] {
        let opened = name + "/"
        guard begins(word, with: opened) else { return begins(name, with: word) ? [name + end] : [] }
        return items.flatMap { item in
            var end = ""
            if case .folder = item { end = "/" }
            return matches(word, opened + SafeText.line(item.name), end, item.items)
        }
    }

    private func matches(_ word: String, _ names: (Collection) -> [String]) -> [String] {
        let all = collections.compactMap(\.collection).flatMap(names)
        return Self.unique(all.map(SafeText.line).filter { Self.begins($0, with: word) })
    }

    private static func variables(in items: [CollectionItem]) -> [[Variable]] {
        items.flatMap { item -> [[Variable]] in
            switch item {
            case .request(let request): [request.variables]
            case .folder(let folder): [folder.settings.variables] + variables(in: folder.items)
            }
        }
    }

    /// By bytes: a shell may have completed a word up to the middle of a character.
    private static func begins(_ text: String, with word: String) -> Bool { text.utf8.starts(with: word.utf8) }

    private static func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}

/// The names that the words of a command can become. They are read from the files, and from nothing else.
extension ArgumentParser.CompletionKind {
    /// Collections, folders and requests; files of other folders where nothing here fits.
    static let selections = completed { line in
        let names = line.selectable().selections(line.word)
        return names.isEmpty && !line.word.isEmpty ? CompletionNames.files(line.word) : names
    }
    static let environments = completed { $0.selected().environments($0.word) }
    static let tags = completed { $0.selected().tags($0.word) }
    static let variables = completed { $0.selected().variables($0.word) }
    /// The method, which comes before the other words.
    static let methods = completed { line in
        guard line.others.allSatisfy({ $0.hasPrefix("-") }) else { return [] }
        return RequestMethod.allCases.filter { $0 != .connect }.map(\.rawValue)
            .filter { $0.hasPrefix(line.word.uppercased()) }
    }
    static let collectionFiles = file(extensions: ["json"])

    private static func completed(_ names: @escaping @Sendable (CompletionLine) -> [String]) -> Self {
        custom { words, index, _ in
            let shell = CompletionShell.requesting
            // Of an older fish they come without their quotes, but for the empty word, which its script adds.
            let isPlain = shell == .fish && CompletionShell.requestingVersion?.hasPrefix("3.") == true
            let texts = words.map { isPlain && $0 != "''" ? $0 : ShellSyntax.text(of: $0) }
            return names(CompletionLine(texts, at: index)).map { ShellSyntax.candidate($0, for: shell) }
        }
    }
}
