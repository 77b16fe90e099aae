import OmbiPlatform

/// Copies texts: by a program of the system, by the terminal (OSC 52), or into a file. What cannot be confirmed is said to be
/// sent and not to be copied.
@MainActor
final class Clipboard {
    /// A text to copy.
    struct Copy: Equatable, Sendable {
        var text: String
        /// Names it in the message: `$.users[3].email`.
        var name: String
        /// True for a text with secrets, which goes into no file.
        var holdsSecrets = false

        /// `URL, 28 bytes`; `the body, 48.9 kB`
        fileprivate var words: String {
            let count = text.utf8.count
            return "\(name), \(count < 1000 ? Count.of(count, "byte") : TimeText.size(count))"
        }
    }

    /// The surroundings, found out with the first copy.
    private lazy var surroundings = ClipboardSurroundings()
    private let choice: ClipboardChoice
    private let emit: @Sendable (Event) -> Void
    /// A tmux or a display that hangs must not block the files.
    private let queue = DispatchQueue(label: "ombi.clipboard", qos: .userInitiated)
    private let copying = DispatchGroup()
    /// Copies that no program took, with the ways that are left.
    private let refused = Lock<[(Copy, [ClipboardSurroundings.Way])]>([])

    init(_ choice: ClipboardChoice, emit: @escaping @Sendable (Event) -> Void) {
        self.choice = choice
        self.emit = emit
    }

    /// The maximum bytes of a text that is copied as such.
    var maximumBytes: Int { surroundings.maximumBytes(choice) }
    /// The beginning of a command that fetches a file from here; nil on the local machine.
    var fetch: String? { surroundings.fetch }

    func copy(_ copy: Copy) {
        let isTooLarge = copy.text.utf8.count > maximumBytes
        take(copy, isTooLarge ? [.file][...] : surroundings.ways(choice)[...], isTooLarge: isTooLarge)
    }

    private func take(_ copy: Copy, _ ways: ArraySlice<ClipboardSurroundings.Way>, isTooLarge: Bool = false) {
        switch ways.first {
        case .programs(let programs)?: run(programs, copy, then: Array(ways.dropFirst()))
        case .terminal?:
            TerminalOutput.write(Self.sequence(for: copy.text, in: surroundings.multiplexer))
            emit(.copied(Self.sent(copy, to: surroundings)))
        case .file? where copy.holdsSecrets:
            emit(.notice(Notice(.failure, "Not copied: there is no clipboard, and secrets go into no file")))
        case .file?:
            let (fetch, emit) = (surroundings.fetch, emit)
            queue.async(group: copying) {
                let writer = BodyWriter(Bytes(copy.text.utf8))
                emit(.notice(Self.keep(writer, named: copy.name, suffix: ".txt", fetch, isTooLarge: isTooLarge)))
            }
        case nil: emit(.notice(Notice(.failure, "Not copied: \(copy.words)")))
        }
    }

    nonisolated static func sent(_ copy: Copy, to surroundings: ClipboardSurroundings) -> String {
        surroundings.terminal == .known
            ? "Copied \(copy.words)" : "Sent \(copy.words), to the terminal's clipboard (OSC 52)"
    }

    private func run(
        _ programs: [ClipboardSurroundings.Program], _ copy: Copy, then others: [ClipboardSurroundings.Way]
    ) {
        let (emit, refused) = (emit, refused)
        queue.async(group: copying) { [weak self] in
            let took = programs.filter { Self.give(copy.text, to: $0) }
            guard took.isEmpty else {
                let reach = took.map(\.reach).filter { !$0.isEmpty }
                return emit(
                    .copied("Copied \(copy.words)" + (reach.isEmpty ? "" : ", to " + reach.joined(separator: " and "))))
            }
            refused.withLock { $0.append((copy, others)) }
            // Only the main thread writes to the terminal.
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.takeRefused() } }
        }
    }

    private func takeRefused() {
        let copies = refused.withLock { copies in
            defer { copies = [] }
            return copies
        }
        for (copy, ways) in copies { take(copy, ways[...]) }
    }

    /// Waits for programs that take copies, but not for long.
    func finish() {
        _ = copying.wait(timeout: .now() + .seconds(2))
        takeRefused()
        _ = copying.wait(timeout: .now() + .seconds(2))
    }

    /// Returns false when the program did not take the text. Some stay in the background for as long as they own the
    /// clipboard.
    nonisolated static func give(_ text: String, to program: ClipboardSurroundings.Program) -> Bool {
        let input = BodyWriter(Bytes(text.utf8))
        let command = "exec \(program.command) >/dev/null 2>&1"
        return ShellCommand.run(command, input: input, flag: CancelFlag(), limit: .seconds(3)).failure == nil
    }

    // MARK: Files

    /// Writes a copy into a new file that only the user can read.
    /// - Parameter fetch: the beginning of a command that fetches it.
    nonisolated static func keep(
        _ writer: BodyWriter, named name: String, suffix: String, _ fetch: String? = nil, isTooLarge: Bool = true,
        _ flag: CancelFlag = CancelFlag(), tell: (SaveProgress) -> Void = { _ in }
    ) -> Notice {
        let folder = CurlTransport.Configuration.defaultTemporaryFolder
        var template = Array("\(folder)/ombi-copy-XXXXXX\(suffix)".utf8CString)
        let descriptor = mkstemps(&template, Int32(suffix.utf8.count))
        guard descriptor >= 0 else {
            return Notice(.failure, "Not copied: \(folder) takes no file: \(String(cString: strerror(errno)))")
        }
        close(descriptor)
        let path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? folder }
        do throws(FileError) {
            let count = try BodyFile.write(writer, to: path, flag, tell: tell)
            let reason = isTooLarge ? "; too much for the clipboard" : ""
            let command = fetch.map { "; \($0)\(path) ." } ?? ""
            return Notice(.warning, "Wrote \(name), \(TimeText.size(count)), to \(path)\(reason)\(command)")
        } catch {
            unlink(path)
            return error.code == FileError.cancelled
                ? Notice(.info, "Not copied: cancelled") : Notice(.failure, "Not copied: \(error)")
        }
    }

    // MARK: Sequences

    nonisolated static func sequence(
        for text: String, in multiplexer: ClipboardSurroundings.Multiplexer
    ) -> [UInt8] {
        let plain = "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"
        switch multiplexer {
        case .none: return Array(plain.utf8)
        case .tmux:
            // The first for tmux itself where it takes it, the second to pass on where it may.
            let wrapped = "\u{1B}Ptmux;" + plain.replacing("\u{1B}", with: "\u{1B}\u{1B}") + "\u{1B}\\"
            return Array((plain + wrapped).utf8)
        case .screen: return passedOnByScreen(plain)
        }
    }

    /// screen passes strings on that are short; the terminal puts them together again.
    private nonisolated static func passedOnByScreen(_ sequence: String) -> [UInt8] {
        var left = Array(sequence.utf8)[...]
        var output: [UInt8] = []
        while !left.isEmpty {
            output += "\u{1B}P".utf8 + left.prefix(screenString) + "\u{1B}\\".utf8
            left = left.dropFirst(screenString)
        }
        return output
    }

    /// Its oldest versions keep 256 bytes.
    private nonisolated static let screenString = 240
}

/// The terminal and the display around the program, and by which ways they take a copy. A value, so that tests decide it.
struct ClipboardSurroundings: Equatable {
    enum Multiplexer: Equatable {
        case none, tmux, screen
    }

    /// A program that takes a text on its standard input, and says by its exit status whether it did.
    struct Program: Equatable {
        var command: String
        /// The clipboards that it reaches, for the message.
        var reach = ""

        static let tmux = Program(command: "tmux load-buffer -w -", reach: "tmux and its terminal")
    }

    enum Terminal: Equatable {
        /// It takes OSC 52 in its default settings.
        case known
        case unknown
        /// It ignores OSC 52.
        case deaf
    }

    var multiplexer = Multiplexer.none
    /// The programs to run, all of them.
    var programs: [Program] = []
    var terminal = Terminal.unknown
    /// The beginning of a command that fetches a file from here: `scp -P 2222 ada@10.0.0.5:`. Nil on the local machine.
    var fetch: String?

    /// - Parameter isInstalled: looks for a program.
    init(
        _ environment: [String: String] = ProcessInfo.processInfo.environment,
        isInstalled: (String) -> Bool = ClipboardSurroundings.isInstalled
    ) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        multiplexer = value("TMUX") != nil ? .tmux : value("STY") != nil ? .screen : .none
        terminal = Self.terminal(value, inside: multiplexer)
        fetch = Self.fetch(value)
        if multiplexer == .tmux { programs.append(.tmux) }
        let isRemote = ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].contains { value($0) != nil }
        if !isRemote { programs += Self.desktop(value, isInstalled).map { [$0] } ?? [] }
    }

    /// Over SSH a display is another machine's, or nobody's.
    private static func desktop(_ value: (String) -> String?, _ isInstalled: (String) -> Bool) -> Program? {
        #if os(macOS)
        let known = [("pbcopy", true)]
        #else
        let (wayland, x11) = (value("WAYLAND_DISPLAY") != nil, value("DISPLAY") != nil)
        let known = [
            ("wl-copy", wayland), ("xclip -selection clipboard", x11), ("xsel --clipboard --input", x11),
        ]
        #endif
        return known.first { command, isPossible in
            isPossible && isInstalled(String(command.prefix { $0 != " " }))
        }.map { Program(command: $0.0) }
    }

    private static func terminal(_ value: (String) -> String?, inside multiplexer: Multiplexer) -> Terminal {
        // Behind a multiplexer the name is the multiplexer's.
        guard multiplexer == .none else { return .unknown }
        let name = value("TERM") ?? ""
        let program = value("TERM_PROGRAM") ?? ""
        if program == "Apple_Terminal" || ["linux", "vt", "ansi", "cons25", "dumb"].contains(where: name.hasPrefix) {
            return .deaf
        }
        let names = ["xterm-kitty", "alacritty", "foot", "xterm-ghostty", "wezterm", "contour", "rio"]
        let isKnown =
            names.contains(where: name.hasPrefix) || ["WezTerm", "ghostty", "rio"].contains(program)
            || value("WT_SESSION") != nil
        return isKnown ? .known : .unknown
    }

    /// `SSH_CONNECTION` has the client, its port, the server and its port.
    private static func fetch(_ value: (String) -> String?) -> String? {
        let words = value("SSH_CONNECTION")?.split(separator: " ") ?? []
        guard words.count == 4 else { return nil }
        let host = words[2].contains(":") ? "[\(words[2])]" : String(words[2])
        let user = (value("USER") ?? value("LOGNAME")).map { $0 + "@" } ?? ""
        return "scp \(words[3] == "22" ? "" : "-P \(words[3]) ")\(user)\(host):"
    }

    static func isInstalled(_ program: String) -> Bool {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.contains { access("\($0)/\(program)", X_OK) == 0 }
    }
}

extension ClipboardSurroundings {
    /// One after the other until a copy has arrived.
    enum Way: Equatable {
        case programs([Program])
        case terminal
        case file
    }

    func ways(_ choice: ClipboardChoice) -> [Way] {
        let programs: [Way] = programs.isEmpty ? [] : [.programs(programs)]
        return switch choice {
        case .auto: programs + (terminal == .deaf ? [] : [.terminal]) + [.file]
        case .osc52: [.terminal]
        case .command: programs + [.file]
        case .file: [.file]
        }
    }

    /// The maximum bytes of a text; a desktop takes more than a terminal.
    func maximumBytes(_ choice: ClipboardChoice) -> Int {
        let isDesktop = programs.contains { $0 != .tmux } && [.auto, .command].contains(choice)
        return isDesktop ? 16 << 20 : BodyOutput.maximumCopied
    }
}
