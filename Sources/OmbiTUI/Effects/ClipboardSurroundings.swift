import OmbiViewer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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
