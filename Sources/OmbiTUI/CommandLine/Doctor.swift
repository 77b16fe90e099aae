import ArgumentParser

/// The examination of a machine: each part of it that Ombi uses, its state, and what to do about it. It reads no secret.
struct Doctor {
    /// A variable of the process environment.
    var environment: (String) -> String?
    var isInstalled: (String) -> Bool
    var configuration: Configuration
    var configurationPath: String?
    var state: StateFolderReport
    var grants: [GrantStore.Grant]
    var exists: (String) -> Bool

    static var machine: Doctor {
        let environment = Screen.environment
        return Doctor(
            environment: environment, isInstalled: ClipboardSurroundings.isInstalled,
            configuration: ConfigurationFile.load(environment: environment),
            configurationPath: ConfigurationFile.path(environment: environment), state: .current,
            grants: GrantStore.standard?.grants ?? [], exists: { FileManager.default.fileExists(atPath: $0) })
    }

    var findings: [Finding] {
        network + [
            terminal, colors, symbols, clipboard, browser, ssh, editor, keyring, tokens, settings, folder, trust,
            Self.yaml(problem: YAMLSupport.problem),
        ] + pictures
    }

    // MARK: The network

    private var network: [Finding] {
        let summary: CurlSummary
        do throws(TransportError) { summary = try CurlSummary() } catch {
            return [Finding(name: "libcurl", state: .problem, value: "\(error)", advice: "no request can be sent")]
        }
        var curl = Finding(name: "libcurl", state: .ok, value: summary.version)
        if summary.features.contains("HTTP/2") == false {
            curl.advice = "its HTTP is 1.1: install a libcurl with nghttp2"
        }
        let tls = Finding(
            name: "TLS", state: summary.tls == nil ? .problem : .ok, value: summary.tls ?? "none",
            advice: summary.tls == nil ? "https:// cannot be requested: install a libcurl with OpenSSL" : "")
        var features = Finding(name: "features", state: .ok, value: summary.features.joined(separator: ", "))
        if !summary.missing.isEmpty { features.value += "; without " + summary.missing.joined(separator: ", ") }
        return [curl, tls, features, proxies]
    }

    /// The names of the variables alone: their values may hold passwords.
    private var proxies: Finding {
        let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
        let set = names.filter { !(environment($0) ?? "").isEmpty }
        let value = set.isEmpty ? "none in the environment" : set.joined(separator: ", ") + " in the environment"
        return Finding(name: "proxy", state: .ok, value: value)
    }

    // MARK: The terminal

    private var terminalName: String { environment("TERM") ?? "" }

    private var terminal: Finding {
        if terminalName.isEmpty {
            return Finding(
                name: "terminal", state: .missing, value: "TERM is not set",
                advice: "the explorer needs a terminal; ombi run does not")
        }
        guard let description = TerminalDescription(name: terminalName) else {
            return Finding(
                name: "terminal", state: .problem, value: "\(terminalName) is not in the terminfo database",
                advice: "install ncurses-term, or set TERM=xterm-256color")
        }
        guard description.movesCursor else {
            return Finding(
                name: "terminal", state: .problem, value: "\(terminalName) cannot move its cursor",
                advice: "set TERM to the name of the terminal, such as xterm-256color; ombi run works without one")
        }
        return Finding(name: "terminal", state: .ok, value: terminalName)
    }

    private var colors: Finding {
        if !(environment("NO_COLOR") ?? "").isEmpty {
            return Finding(name: "colours", state: .ok, value: "none: NO_COLOR is set")
        }
        let count = TerminalDescription(name: terminalName)?.colors ?? 0
        let is24Bit = ["truecolor", "24bit"].contains(environment("COLORTERM") ?? "")
        let advice = (1..<256).contains(count) && is24Bit ? "the terminal shows more: set TERM=xterm-256color" : ""
        return Finding(
            name: "colours", state: count == 0 ? .missing : .ok, value: count == 0 ? "none" : "\(count)", advice: advice
        )
    }

    var glyphs: GlyphSet { GlyphSet(environment: environment, wanted: configuration.ascii) }

    private var symbols: Finding {
        switch glyphs {
        case .unicode: return Finding(name: "symbols", state: .ok, value: "Unicode")
        case .letters: return Finding(name: "symbols", state: .ok, value: "letters of all scripts; ASCII for lines")
        case .ascii:
            let advice = configuration.ascii == true ? "" : "set LANG to a locale of UTF-8, such as C.UTF-8"
            return Finding(name: "symbols", state: .missing, value: "ASCII alone", advice: advice)
        }
    }

    // MARK: The desktop

    private var surroundings: [String: String] {
        let names = [
            "TMUX", "STY", "TERM", "TERM_PROGRAM", "WAYLAND_DISPLAY", "DISPLAY", "SSH_CONNECTION", "SSH_CLIENT",
            "SSH_TTY", "BROWSER", "WSL_DISTRO_NAME",
        ]
        return names.reduce(into: [:]) { all, name in all[name] = environment(name) }
    }

    private var clipboard: Finding {
        let ways = ClipboardSurroundings(surroundings, isInstalled: isInstalled).ways(configuration.clipboard).map {
            way in
            switch way {
            case .programs(let programs):
                programs.map { String($0.command.prefix { $0 != " " }) }.joined(separator: " and ")
            case .terminal: "the terminal (OSC 52)"
            case .file: "a file"
            }
        }
        let isFileAlone = ways == ["a file"]
        return Finding(
            name: "clipboard", state: isFileAlone ? .missing : .ok, value: ways.joined(separator: ", then "),
            advice: isFileAlone ? "install wl-copy, xclip or xsel, or use a terminal with OSC 52" : "")
    }

    private var browser: Finding {
        if let program = Browser.program(surroundings, isInstalled: isInstalled) {
            return Finding(name: "browser", state: .ok, value: program)
        }
        return Finding(
            name: "browser", state: .missing, value: "none here",
            advice: "to sign in, copy the URL with y, and paste the address at which the browser ends")
    }

    private var ssh: Finding {
        if isInstalled("ssh") { return Finding(name: "ssh", state: .ok, value: "there") }
        return Finding(
            name: "ssh", state: .missing, value: "not installed",
            advice: "no connection can have a \"via\"; install openssh-client for it")
    }

    private var editor: Finding {
        let name = ["VISUAL", "EDITOR"].first { !(environment($0) ?? "").isEmpty }
        let command = name.flatMap(environment) ?? "vi"
        let program = String(command.prefix { $0 != " " })
        let isThere = program.contains("/") ? exists(program) : isInstalled(program)
        let shown = name.map { "$\($0)" } ?? "vi"
        return Finding(
            name: "editor", state: isThere ? .ok : .problem, value: isThere ? shown : "\(shown) names no program",
            advice: isThere ? "" : "set EDITOR to a program that is installed")
    }

    /// True where the keyring of the desktop can be asked.
    private var hasKeyring: Bool {
        #if canImport(Darwin)
        true
        #else
        isInstalled("secret-tool") && hasSessionBus
        #endif
    }

    /// Of an address that names a socket, the socket has to be there: that of a session that has ended stays in the environment of a
    /// tmux or of an ssh. Without an address D-Bus takes that of the user.
    private var hasSessionBus: Bool {
        let address = environment("DBUS_SESSION_BUS_ADDRESS") ?? ""
        guard !address.isEmpty else {
            let folder = environment("XDG_RUNTIME_DIR") ?? ""
            return !folder.isEmpty && exists(folder + "/bus")
        }
        return address.split(separator: ";").contains { address in
            guard address.hasPrefix("unix:path=") else { return true }
            return exists(String(address.dropFirst("unix:path=".count).prefix { $0 != "," }))
        }
    }

    private var keyring: Finding {
        if hasKeyring { return Finding(name: "keyring", state: .ok, value: "there") }
        let isTool = isInstalled("secret-tool")
        return Finding(
            name: "keyring", state: .missing, value: isTool ? "no session bus" : "secret-tool is not installed",
            advice: isTool
                ? "secrets of keyrings need a desktop session" : "install libsecret-tools for secrets of the keyring")
    }

    private var tokens: Finding {
        switch configuration.tokens {
        case .keyring where hasKeyring:
            Finding(name: "tokens", state: .ok, value: "kept, sealed with a key of the keyring")
        case .keyring:
            Finding(
                name: "tokens", state: .missing, value: "in memory until Ombi ends: there is no keyring",
                advice: #""tokens": "file" in config.json keeps them without one"#)
        case .file: Finding(name: "tokens", state: .ok, value: "kept, sealed with a key in a file")
        case .memory: Finding(name: "tokens", state: .ok, value: "in memory until Ombi ends, as the settings say")
        }
    }

    // MARK: Files

    private var settings: Finding {
        let path = configurationPath ?? "no home folder"
        guard let first = configuration.problems.first else {
            return Finding(name: "settings", state: .ok, value: exists(path) ? path : "none; defaults hold (\(path))")
        }
        return Finding(
            name: "settings", state: .problem,
            value: "\(Count.of(configuration.problems.count, "problem")) in \(first.file)",
            advice: "ombi check \(first.file) lists them")
    }

    private var folder: Finding {
        guard let path = state.path else {
            return Finding(
                name: "state folder", state: .problem, value: "there is none",
                advice: "set HOME or XDG_STATE_HOME, so that drafts, trust and memory are kept")
        }
        if !state.isWritable {
            return Finding(
                name: "state folder", state: .problem, value: "\(path) cannot be written",
                advice: "drafts, trust and memory are lost: make it yours")
        }
        if state.isOpen {
            return Finding(
                name: "state folder", state: .problem, value: "\(path) can be read by others",
                advice: "chmod 700 \(path)")
        }
        return Finding(name: "state folder", state: .ok, value: state.exists ? path : "\(path), made when needed")
    }

    private var trust: Finding {
        let trusted = Set(grants.map(\.collection)).sorted()
        let gone = trusted.filter { !exists($0) }
        var finding = Finding(name: "trusted files", state: .ok, value: "\(trusted.count)")
        if !gone.isEmpty {
            finding.value += ", \(gone.count) of them not there"
            finding.advice = "ombi trust --revoke " + ShellQuotes.word(gone[0])
        }
        return finding
    }

    /// - Parameter problem: The reason why YAML is not read.
    static func yaml(problem: String?) -> Finding {
        guard let problem else { return Finding(name: "YAML", state: .ok, value: "read") }
        return Finding(name: "YAML", state: .missing, value: "not read", advice: problem)
    }

    private var pictures: [Finding] {
        PictureSupport.formats.map { format in
            switch format.problem {
            case nil: Finding(name: "\(format.name) pictures", state: .ok, value: "drawn")
            case .missingLibrary(let advice)?:
                Finding(name: "\(format.name) pictures", state: .missing, value: "not drawn", advice: advice)
            case let other?: Finding(name: "\(format.name) pictures", state: .missing, value: "\(other)")
            }
        }
    }
}

/// Something that the machine has or lacks for Ombi.
struct Finding: Equatable, Sendable {
    enum State: String, Sendable {
        case ok
        /// Absent; Ombi does without it.
        case missing
        /// Something does not work.
        case problem

        fileprivate var mark: String {
            switch self {
            case .ok: "✓"
            case .missing: "-"
            case .problem: "✗"
            }
        }
    }

    var name: String
    var state: State
    /// In a few words.
    var value: String
    /// The thing to do; empty where nothing is.
    var advice = ""

    /// A line, and one with the advice.
    func text(columns: Int, glyphs: GlyphSet) -> String {
        let line = "\(glyphs.text(state.mark)) \(name.padded(to: columns))  \(value)"
        let lines = advice.isEmpty ? [line] : [line, String(repeating: " ", count: columns + 4) + advice]
        return lines.map(SafeText.line).joined(separator: "\n")
    }

    var json: JSONValue {
        [
            "name": .string(name), "state": .string(state.rawValue), "value": .string(value),
            "advice": advice.isEmpty ? nil : .string(advice),
        ]
    }
}

/// `ombi doctor`: what the machine has and lacks for Ombi.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Examine this machine: what Ombi finds here, what it lacks, and what to do.",
        discussion: """
            Nothing secret is read or printed.
            Exit status: 0 nothing is broken; 1 something does not work.
            """)

    @Option(help: "The output format: text or json.")
    var output = OutputFormat.text

    func run() throws {
        let doctor = Doctor.machine
        let findings = doctor.findings
        show(findings, doctor.glyphs)
        if findings.contains(where: { $0.state == .problem }) { throw ExitStatus.failure }
    }

    private func show(_ findings: [Finding], _ glyphs: GlyphSet) {
        switch output {
        case .text:
            let columns = findings.map(\.name.count).max() ?? 0
            StandardOutput.print("Ombi \(Ombi.configuration.version)")
            for finding in findings { StandardOutput.print(finding.text(columns: columns, glyphs: glyphs)) }
        case .json:
            StandardOutput.print(json: [
                "version": .string(Ombi.configuration.version), "findings": .array(findings.map(\.json)),
            ])
        }
    }
}
