/// A user's settings. Each stands for itself: one that is wrong has its default, and a problem that says so. Runs
/// alone are not recorded where it cannot be read if they should be.
struct Configuration: Equatable, Sendable {
    var theme = ThemeChoice.auto
    var mouse = true
    /// Nil to decide by the locale and the terminal.
    var ascii: Bool?
    var clipboard = ClipboardChoice.auto
    var history = HistorySettings()
    var watch = WatchSettings()
    var tokens = TokenKeeping.keyring
    /// The changes of the preset, and those of the file over them.
    var preset: [KeyChange] = []
    var keys: [KeyChange] = []
    var problems: [Problem] = []

    func keymap(over keymap: Keymap) -> Keymap { keymap.changed(by: preset).changed(by: keys) }

    @MainActor
    func openScreen() throws(TerminalError) -> Screen {
        let glyphs = GlyphSet(environment: Screen.environment, wanted: ascii)
        return try Screen.open(mouse: mouse, theme: theme, glyphs: glyphs)
    }

    /// The notice at the start; nil when there is nothing to say. On a narrow screen its end is cut: that is the path.
    var notice: Notice? {
        guard let first = problems.first(where: { $0.severity == .error }) ?? problems.first else { return nil }
        let command = "ombi check \(first.file)"
        let more = problems.count > 1 ? "1 of \(problems.count), \(command) lists all" : command
        return Notice(.warning, "\(first.shortPlace): \(first.message) · \(more)")
    }
}

extension Configuration {
    /// - Parameter loadTheme: reads the theme of a name, which a user has written.
    init(reading object: ObjectReader, loadTheme: @escaping (String) -> ThemeFile?) {
        Setting.read(Self.settings(loadTheme), of: object, into: &self)
    }

    static func settings(_ loadTheme: @escaping (String) -> ThemeFile?) -> [Setting<Configuration>] {
        let themes = JSONValue.strings(ThemeChoice.Base.allCases.map(\.rawValue))
        return [
            .schemaLocation,
            Setting(
                "theme", "A built-in theme, or the name of a file in the folder `themes` next to the settings.",
                ["anyOf": [["enum": themes], ["type": "string"]], "default": "auto"]
            ) { $0.readTheme($1, loadTheme) },
            Setting("keys", "Keys by scope and action.", KeySettings.schema) { $0.readKeys($1) },
            Setting(
                "mouse", "Clicks, drags and the wheel. With false the terminal selects text without Shift.",
                ["type": "boolean", "default": true]
            ) { $0.mouse = $1.bool("mouse") ?? true },
            Setting(
                "ascii",
                "ASCII alone, other letters as `?`; auto in a locale without UTF-8 and on `linux` and `vt100`.",
                ["enum": ["auto", true, false], "default": "auto"]
            ) { $0.ascii = Self.ascii($1) },
            .choice(
                "clipboard", "The way of copies.", default: ClipboardChoice.auto,
                refusal: { "there is no way \"\($0)\" to the clipboard" }, write: { $0.clipboard = $1 }),
            Setting(
                "history", "What the history keeps. The oldest runs go first.",
                Setting<HistorySettings>.schema(of: HistorySettings.settings)
            ) { $0.history = $1.object("history").map(HistorySettings.init) ?? .unreadable },
            Setting(
                "watch", "What happens when a watched request changes.",
                Setting<WatchSettings>.schema(of: WatchSettings.settings)
            ) { settings, object in
                if let object = object.object("watch") { settings.watch = WatchSettings(reading: object) }
            },
            .choice(
                "tokens", "The place of OAuth 2 tokens between two starts.", default: TokenKeeping.keyring,
                refusal: { "tokens are not kept in \"\($0)\"" }, write: { $0.tokens = $1 }),
        ]
    }

    private static func ascii(_ object: ObjectReader) -> Bool? {
        guard let value = object.value("ascii"), value.string != "auto" else { return nil }
        if value.kind == .true || value.kind == .false { return value.kind == .true }
        object.error("ascii", "expected \"auto\", true or false")
        return nil
    }

    private mutating func readKeys(_ object: ObjectReader) {
        guard let object = object.object("keys") else { return }
        readPreset(object)
        keys = KeySettings(over: Keymap.standard.changed(by: preset)).read(object)
    }

    private mutating func readTheme(_ object: ObjectReader, _ load: (String) -> ThemeFile?) {
        guard let name = object.string("theme") else { return }
        if let base = ThemeChoice.Base(rawValue: name) {
            theme = ThemeChoice(base)
        } else if let file = load(name) {
            theme = file.theme ?? .auto
            problems += file.problems
        } else {
            let known = ThemeChoice.Base.allCases.map(\.rawValue)
            object.error(
                "theme",
                "there is no theme \"\(name)\", and no file themes/\(name).json beside this one"
                    + Spelling.suggestion(for: name, in: known))
        }
    }

    private mutating func readPreset(_ object: ObjectReader) {
        guard let name = object.string("preset") else { return }
        switch name {
        case "default": break
        case "vim": preset = KeyPreset.vim
        default:
            object.error(
                "preset",
                "there is no preset \"\(name)\"" + Spelling.suggestion(for: name, in: ["default", "vim"]))
        }
    }
}

/// The settings of the history, of which there is one for all collections.
struct HistorySettings: Equatable, Sendable {
    /// False where nothing is kept.
    var records = true
    var limits = HistoryLimits()
    /// False where the rows of requests do not show their last runs.
    var showsSparklines = true

    /// The settings where they cannot be read: they may say that nothing is kept.
    static let unreadable = HistorySettings(records: false)

    /// The history of the user; nil where nothing is kept, and without a home folder.
    func open() -> History? {
        guard records, let path = History.standardPath else { return nil }
        return History(path: path, limits: limits)
    }
}

extension HistorySettings {
    init(reading object: ObjectReader) { Setting.read(Self.settings, of: object, into: &self) }

    static var settings: [Setting<HistorySettings>] {
        [
            // One that cannot be read may say that nothing is kept.
            Setting("record", "False keeps no runs.", ["type": "boolean", "default": true]) {
                $0.records = $1.bool("record") ?? false
            },
            Setting(
                "sparklines", "False leaves the last runs out of the list of requests.",
                ["type": "boolean", "default": true]
            ) { $0.showsSparklines = $1.bool("sparklines") ?? true },
            .integer("maximumDays", "The age at which a run goes.", in: 1...36_500, default: 90) {
                $0.limits.maximumAge = .seconds($1 * 86_400)
            },
            .integer("maximumRuns", "The number of runs.", in: 1...100_000_000, default: 1_000_000) {
                $0.limits.maximumRuns = $1
            },
            .integer(
                "maximumMegabytes", "The size of the database and of the files of large bodies.",
                in: 1...1_000_000, default: 1024
            ) { $0.limits.maximumSize = $1 << 20 },
            .integer(
                "maximumBodyMegabytes", "Of a larger body only the size is kept.", in: 0...1024, default: 16
            ) { $0.limits.maximumBody = $1 << 20 },
        ]
    }
}

extension SessionSteps {
    /// The same steps, with every run recorded.
    func recording(in history: History?) -> SessionSteps {
        guard let history else { return self }
        var steps = self
        steps.record = { await history.record($0, $1) }
        return steps.fallingBack(on: history)
    }

    /// The same steps, with responses of a history that stand in for those that fail.
    func fallingBack(on history: History?) -> SessionSteps {
        guard let history else { return self }
        var steps = self
        steps.lastGood = { order, request in
            do throws(HistoryError) {
                let run = try await history.lastGood(order.itemPath, environment: order.environment, request)
                guard let run, let response = run.result.response else { return nil }
                return .response(
                    FallbackResponse(.run(run.entry.id), date: run.entry.startedAt, now: Date(), response: response))
            } catch { return .missing(error.description) }
        }
        return steps
    }
}

/// The settings of watches.
struct WatchSettings: Equatable, Sendable {
    /// The program that a change runs, and its arguments; empty for none.
    var command: [String] = []
}

extension WatchSettings {
    init(reading object: ObjectReader) { Setting.read(Self.settings, of: object, into: &self) }

    static var settings: [Setting<WatchSettings>] {
        [
            Setting(
                "command",
                """
                A program and its arguments, for 30 s at most. It gets each change of a watched request (`V`) on its standard \
                input, such as `stock: 200 OK → 503 Service Unavailable`.
                """,
                ["type": "array", "items": ["type": "string"], "minItems": 1]
            ) { $0.readCommand($1) }
        ]
    }

    private mutating func readCommand(_ object: ObjectReader) {
        guard let value = object.value("command") else { return }
        let words = value.kind == .array ? value.elements.compactMap(\.string) : []
        guard !words.isEmpty, words.count == value.elements.count, !words[0].isEmpty else {
            object.error("command", "expected a program and its arguments, such as [\"notify-send\", \"Ombi\"]")
            return
        }
        command = words
    }
}

/// The location of a user's settings, and their reading.
enum ConfigurationFile {
    /// `$XDG_CONFIG_HOME/ombi/config.json`, by default in `~/.config`; nil without a home folder.
    static func path(environment: (String) -> String?) -> String? {
        func folder(_ variable: String) -> String? { environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let home = folder("XDG_CONFIG_HOME") ?? folder("HOME").map { $0 + "/.config" }
        return home.map { $0 + "/ombi/config.json" }
    }

    /// Reads the settings; the defaults where there are none.
    static func load(
        environment: (String) -> String?, fileSystem: some FileSystem = PosixFileSystem()
    ) -> Configuration {
        guard let path = path(environment: environment) else { return Configuration() }
        do throws(FileError) {
            return read(try fileSystem.read(path), path: path, fileSystem)
        } catch {
            guard !error.isAbsence else { return Configuration() }
            return Configuration(
                history: .unreadable, problems: [Problem(file: path, message: "cannot be read: \(error.reason)")])
        }
    }

    /// - Parameter path: that of the file, for messages and for the themes beside it.
    static func read(_ bytes: [UInt8], path: String, _ fileSystem: some FileSystem) -> Configuration {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let (read, problems) = ObjectFile.read(bytes, file: path) { object in
            Configuration(reading: object) { name in
                let path = "\(folder)themes/\(name).json"
                guard !name.contains("/"), let bytes = try? fileSystem.read(path) else { return nil }
                return ThemeFile(bytes, file: path)
            }
        }
        var configuration = read ?? Configuration(history: .unreadable)
        configuration.problems = problems + configuration.problems
        return configuration
    }

    /// Every problem of a file, if it is the settings or one of the themes beside them; nil for any other.
    static func check(
        _ path: String, environment: (String) -> String?, fileSystem: some FileSystem = PosixFileSystem()
    ) -> [Problem]? {
        guard let settings = self.path(environment: environment), let real = try? fileSystem.resolve(path),
            let bytes = try? fileSystem.read(path)
        else { return nil }
        if real == (try? fileSystem.resolve(settings)) { return read(bytes, path: path, fileSystem).problems }
        let themes = try? fileSystem.resolve(settings.dropLast("config.json".count) + "themes")
        return themes.map { real.hasPrefix($0 + "/") } ?? false ? ThemeFile(bytes, file: path).problems : nil
    }
}
