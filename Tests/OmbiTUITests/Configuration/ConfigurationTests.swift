import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The settings of a user: what they choose, and what is said of each mistake.
@Suite struct ConfigurationTests {
    private static let path = "/home/ada/.config/ombi/config.json"

    /// What the settings give, with the files of themes beside them.
    private static func read(_ text: String, themes: [String: String] = [:]) -> Configuration {
        let files = FakeFiles(themes.map { ("/home/ada/.config/ombi/themes/\($0).json", $1) })
        return ConfigurationFile.read(Array(text.utf8), path: path, files)
    }

    private static func problems(_ text: String) -> [String] {
        read(text).problems.map { $0.description.replacing("\(path):", with: "") }
    }

    @Test func `nothing is set at first`() {
        let configuration = Self.read("{}")
        #expect(configuration == Configuration())
        #expect(configuration.notice == nil)
        #expect(configuration.keymap(over: .standard) == .standard)
    }

    @Test(arguments: ThemeChoice.Base.allCases) func `a theme has a name`(base: ThemeChoice.Base) {
        #expect(Self.read("{\"theme\": \"\(base.rawValue)\"}") == Configuration(theme: ThemeChoice(base)))
    }

    @Test(arguments: [("true", true), ("false", false), ("\"auto\"", nil)])
    func `ASCII is decided by the terminal or by the user`(text: String, ascii: Bool?) {
        #expect(Self.read("{\"ascii\": \(text)}") == Configuration(ascii: ascii))
    }

    @Test(arguments: ClipboardChoice.allCases) func `the way to the clipboard can be chosen`(choice: ClipboardChoice) {
        #expect(Self.read("{\"clipboard\": \"\(choice.rawValue)\"}") == Configuration(clipboard: choice))
    }

    @Test(arguments: TokenKeeping.allCases) func `the place of tokens can be chosen`(keeping: TokenKeeping) {
        #expect(Self.read("{\"tokens\": \"\(keeping.rawValue)\"}") == Configuration(tokens: keeping))
    }

    @Test func `the mouse can be switched off`() {
        #expect(Self.read("{\"mouse\": false}") == Configuration(mouse: false))
    }

    @Test(arguments: [
        (
            "{\"theme\": \"drak\"}",
            [
                "1:11: error: \"theme\": there is no theme \"drak\", and no file themes/drak.json beside this one; "
                    + "did you mean \"dark\"?"
            ]
        ),
        ("{\"theme\": 3}", ["1:11: error: \"theme\": expected a string, found a number; write \"3\""]),
        ("{\n  \"mouse\": \"off\"\n}", ["2:12: error: \"mouse\": expected true or false, found a string"]),
        ("{\"ascii\": \"yes\"}", ["1:11: error: \"ascii\": expected \"auto\", true or false"]),
        (
            "{\"clipboard\": \"osc\"}",
            ["1:15: error: \"clipboard\": there is no way \"osc\" to the clipboard; known: auto, osc52, command, file"]
        ),
        (
            "{\"tokens\": \"plain\"}",
            ["1:12: error: \"tokens\": tokens are not kept in \"plain\"; known: keyring, file, memory"]
        ),
        (
            "{\"watch\": {\"command\": \"notify-send\"}}",
            [
                "1:23: error: \"command\": expected a program and its arguments, such as [\"notify-send\", \"Ombi\"]"
            ]
        ),
        ("{\"tehme\": \"dark\"}", ["1:2: warning: unknown key \"tehme\"; did you mean \"theme\"?"]),
        (
            "{\"colours\": 1}",
            [
                "1:2: warning: unknown key \"colours\"; "
                    + "known: $schema, theme, keys, mouse, ascii, clipboard, history, watch, tokens"
            ]
        ),
        (
            "{\"keys\": {\"preset\": \"emacs\"}}",
            ["1:21: error: \"preset\": there is no preset \"emacs\"; known: default, vim"]
        ),
        ("[1]", ["1:1: error: expected an object, found an array"]),
        ("{\"theme\": \"dark\",}", ["1:17: error: trailing comma: remove the ',' before '}'"]),
    ])
    func `a mistake has a place and a remedy`(text: String, expected: [String]) {
        #expect(Self.problems(text) == expected)
    }

    @Test func `a mistake costs its own key alone`() {
        let configuration = Self.read("{\"theme\": \"drak\", \"mouse\": false, \"ascii\": 1}")
        #expect(configuration.theme == .auto && !configuration.mouse && configuration.ascii == nil)
        #expect(configuration.problems.count == 2)
    }

    @Test(arguments: [
        ("{}", true), ("{\"theme\": \"drak\"}", true), ("{\"history\": {\"maximumDays\": 0}}", true),
        ("{\"history\": {\"record\": true}}", true), ("{\"history\": {\"record\": false}}", false),
        ("{\"history\": {\"record\": \"false\"}}", false), ("{\"history\": false}", false),
        ("{\"history\": {\"record\": false},}", false), ("{\"history\": {\"record\": fals", false), ("[]", false),
    ])
    func `a wish not to record is lost in no mistake`(text: String, records: Bool) {
        #expect(Self.read(text).history.records == records)
    }

    @Test func `the start says what is wrong, and where to read of the rest`() {
        #expect(
            Self.read("{\"mouse\": 1}").notice
                == Notice(
                    .warning,
                    "config.json:1:11: \"mouse\": expected true or false, found a number · ombi check \(Self.path)"))
        let many = Self.read("{\"mouze\": 1, \"mouse\": 1}").notice
        #expect(many?.text.hasPrefix("config.json:1:23: \"mouse\"") ?? false)
        #expect(many?.text.hasSuffix(" · 1 of 2, ombi check \(Self.path) lists all") ?? false)
    }

    // MARK: The file

    @Test(arguments: [
        (["XDG_CONFIG_HOME": "/x", "HOME": "/home/ada"], "/x/ombi/config.json"),
        (["HOME": "/home/ada"], "/home/ada/.config/ombi/config.json"),
        (["XDG_CONFIG_HOME": "relative", "HOME": "/home/ada"], "/home/ada/.config/ombi/config.json"), ([:], nil),
    ])
    func `the file lies in the folder for settings`(environment: [String: String], path: String?) {
        #expect(ConfigurationFile.path { environment[$0] } == path)
    }

    @Test func `without a file there is one attempt to open it`() {
        let files = FakeFiles([])
        #expect(ConfigurationFile.load(environment: { _ in "/home/ada" }, fileSystem: files) == Configuration())
        #expect(files.log.paths == ["/home/ada/ombi/config.json"])
    }

    @Test func `a file that cannot be read is a problem`() {
        let files = FakeFiles([("/home/ada/ombi/config.json", nil)])
        let configuration = ConfigurationFile.load(environment: { _ in "/home/ada" }, fileSystem: files)
        #expect(
            configuration.problems.map(\.description) == [
                "/home/ada/ombi/config.json: error: cannot be read: permission denied; check who may read it (ls -l)"
            ])
        #expect(!configuration.history.records)
    }

    // MARK: Themes

    @Test func `a theme of one's own lies beside the settings`() {
        let themes = ["mine": "{\"base\": \"light\", \"roles\": {\"string\": \"#005f00\", \"key\": 25}}"]
        let configuration = Self.read("{\"theme\": \"mine\"}", themes: themes)
        var expected = ThemeChoice(.light)
        expected.set(.string, to: 22)
        expected.set(.key, to: 25)
        #expect(configuration == Configuration(theme: expected))
    }

    @Test func `a mistake in a theme has its place in that file`() {
        let themes = [
            "mine":
                "{\"roles\": {\n\"strnig\": 1,\n\"key\": \"#12345\",\n\"number\": \"orange\",\n\"string\": 16}}"
        ]
        let configuration = Self.read("{\"theme\": \"mine\"}", themes: themes)
        #expect(
            configuration.problems.map { $0.description.replacing("/home/ada/.config/ombi/themes/", with: "") } == [
                "mine.json:2:1: warning: unknown key \"strnig\"; did you mean \"string\"?",
                "mine.json:3:8: error: expected a colour: \"#rrggbb\", a number from 0 to 255, \"default\" or a name",
                "mine.json:4:11: error: expected a colour: \"#rrggbb\", a number from 0 to 255, \"default\" or a name",
                "mine.json:5:11: warning: \"string\" has a contrast of 1.0:1; from 4.5:1 on it is easy to read",
            ])
        #expect(configuration.theme.contrast(of: .string) != nil)
    }
}

/// Files by their paths, and a log of what was read. A file without a text may not be read.
private struct FakeFiles: FileSystem {
    final class Log: @unchecked Sendable {
        var paths: [String] = []
    }

    let files: [String: String?]
    let log = Log()

    init(_ files: [(String, String?)]) { self.files = Dictionary(uniqueKeysWithValues: files) }

    func read(_ path: String) throws(FileError) -> [UInt8] {
        log.paths.append(path)
        guard let file = files[path] else { throw FileError(operation: "read", path: path, code: 2) }
        guard let file else { throw FileError(operation: "read", path: path, code: 13) }
        return Array(file.utf8)
    }

    func names(in folder: String) throws(FileError) -> [String] { [] }
    func isFolder(_ path: String) -> Bool { false }
    func isLink(_ path: String) -> Bool { false }
    func size(_ path: String) -> Int { 0 }
    func resolve(_ path: String) throws(FileError) -> String { path }
    func modeForReplacing(_ path: String) throws(FileError) -> UInt32? { nil }
    func create(_ path: String, mode: UInt32?, _ next: () throws(FileError) -> [UInt8]?) throws(FileError) {}
    func makeFolder(_ path: String) throws(FileError) {}
    func rename(_ path: String, to target: String) throws(FileError) {}
    func renameWithoutReplacing(_ path: String, to target: String) throws(FileError) {}
    func synchronize(folder: String) {}
    func remove(_ path: String) {}
    func removeLeftovers(in folder: String, of process: (String) -> Int32?) {}
}
