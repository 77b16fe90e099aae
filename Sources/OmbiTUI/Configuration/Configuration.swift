import OmbiTerminal
import OmbiWorkspace

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

    static let keyNames = ["$schema", "theme", "keys", "mouse", "ascii", "clipboard", "history", "watch", "tokens"]

    /// Returns a keymap with the user's keys.
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
    init(reading object: ObjectReader, loadTheme: (String) -> ThemeFile?) {
        object.warnOfUnknown(besides: Self.keyNames)
        mouse = object.bool("mouse") ?? true
        ascii = Self.ascii(object)
        clipboard = Self.clipboard(object)
        if object.value("history") != nil {
            history = object.object("history").map(HistorySettings.init) ?? .unreadable
        }
        if let object = object.object("watch") { watch = WatchSettings(reading: object) }
        tokens = Self.tokens(object)
        readTheme(object, loadTheme)
        guard let object = object.object("keys") else { return }
        readPreset(object)
        keys = KeySettings(over: Keymap.standard.changed(by: preset)).read(object)
    }

    private static func ascii(_ object: ObjectReader) -> Bool? {
        if object.value("ascii")?.string == "auto" { return nil }
        guard let value = object.value("ascii"), value.kind != .true, value.kind != .false else {
            return object.bool("ascii")
        }
        object.error("ascii", "expected \"auto\", true or false")
        return nil
    }

    private static func clipboard(_ object: ObjectReader) -> ClipboardChoice {
        guard let name = object.string("clipboard") else { return .auto }
        if let choice = ClipboardChoice(rawValue: name) { return choice }
        let known = ClipboardChoice.allCases.map(\.rawValue)
        object.error(
            "clipboard",
            "there is no way \"\(name)\" to the clipboard" + Spelling.suggestion(for: name, in: known))
        return .auto
    }

    private static func tokens(_ object: ObjectReader) -> TokenKeeping {
        guard let name = object.string("tokens") else { return .keyring }
        if let keeping = TokenKeeping(rawValue: name) { return keeping }
        let known = TokenKeeping.allCases.map(\.rawValue)
        object.error("tokens", "tokens are not kept in \"\(name)\"" + Spelling.suggestion(for: name, in: known))
        return .keyring
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
