import OmbiTerminal
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

/// The settings of the history, of which there is one for all collections.
struct HistorySettings: Equatable, Sendable {
    /// False where nothing is kept.
    var records = true
    var limits = HistoryLimits()
    /// False where the rows of requests do not show their last runs.
    var showsSparklines = true

    static let keyNames = [
        "record", "sparklines", "maximumDays", "maximumRuns", "maximumMegabytes", "maximumBodyMegabytes",
    ]

    /// The settings where they cannot be read: they may say that nothing is kept.
    static let unreadable = HistorySettings(records: false)

    /// The history of the user; nil where nothing is kept, and without a home folder.
    func open() -> History? {
        guard records, let path = History.standardPath else { return nil }
        return History(path: path, limits: limits)
    }
}

extension HistorySettings {
    init(reading object: ObjectReader) {
        object.warnOfUnknown(besides: Self.keyNames)
        records = object.bool("record") ?? (object.value("record") == nil)
        showsSparklines = object.bool("sparklines") ?? true
        if let days = object.integer("maximumDays", in: 1...36_500) { limits.maximumAge = .seconds(days * 86_400) }
        if let runs = object.integer("maximumRuns", in: 1...100_000_000) { limits.maximumRuns = runs }
        if let size = object.integer("maximumMegabytes", in: 1...1_000_000) { limits.maximumSize = size << 20 }
        if let size = object.integer("maximumBodyMegabytes", in: 0...1024) { limits.maximumBody = size << 20 }
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

    static let keyNames = ["command"]
}

extension WatchSettings {
    init(reading object: ObjectReader) {
        object.warnOfUnknown(besides: Self.keyNames)
        guard let value = object.value("command") else { return }
        let words = value.kind == .array ? value.elements.compactMap(\.string) : []
        guard !words.isEmpty, words.count == value.elements.count, !words[0].isEmpty else {
            object.error("command", "expected a program and its arguments, such as [\"notify-send\", \"Ombi\"]")
            return
        }
        command = words
    }
}
