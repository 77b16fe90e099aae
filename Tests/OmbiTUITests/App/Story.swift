import OmbiCore
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// A program without a terminal and without a network: keys go in, the state and the wanted effects come out.
struct Story {
    var state: AppState
    private(set) var effects: [Effect] = []
    /// The last runs that the history was asked for, as any selection may do; they are none of the effects.
    private(set) var lookups: [HistoryQuery] = []
    var time = Duration.zero

    init(columns: Int = 120, rows: Int = 34, file: String = Story.file, keymap: Keymap = .standard) {
        self.init(columns: columns, rows: rows, files: [("demo.json", file)], keymap: keymap)
    }

    init(
        columns: Int = 120, rows: Int = 34, files: [(path: String, text: String)], overrides: Overrides = Overrides(),
        keymap: Keymap = .standard
    ) {
        state = AppState(size: Size(columns: columns, rows: rows), keymap: keymap, overrides: overrides)
        receive(.opened(files.map { Self.loaded($0.text, path: $0.path) }, environment: nil))
        // Where there is room for it, every start asks for the last runs.
        effects.removeAll { if case .history(.recent) = $0 { true } else { false } }
    }

    /// A story that begins in the first row of a tab of a request.
    static func inRequest(_ name: String = "user by id", tab: RequestTab = .params) -> Story {
        var story = Story()
        story.choose(name)
        story.press("2")
        for _ in 0..<tab.position { story.press("]") }
        story.press("g")
        return story
    }

    /// What reading a file with that text gives.
    static func loaded(_ text: String, path: String = "demo.json") -> LoadedCollection {
        let read = CollectionFile.read(Array(text.utf8), file: path)
        return LoadedCollection(
            path: path, collection: read.collection, problems: read.problems,
            fingerprint: Fingerprint(bytes: Array(text.utf8)))
    }

    // MARK: In

    /// Presses keys by name, one after the other: `press("Down", "Enter")`.
    mutating func press(_ names: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        for name in names {
            guard let key = Key(name: name),
                let action = state.keymap.action(for: key, after: state.begunKeys, in: state.scopes)
            else {
                Issue.record("nothing is bound to \(name) in \(state.scopes)", sourceLocation: sourceLocation)
                continue
            }
            perform(action)
        }
    }

    mutating func press(_ name: String, times: Int) {
        for _ in 0..<times { press(name) }
    }

    /// Chooses a command of the palette by its name.
    mutating func command(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
        press(":", sourceLocation: sourceLocation)
        type(name)
        guard case .picker(let picker)? = topOverlay, picker.chosen?.name == name else {
            Issue.record("the palette has no \"\(name)\" in \(state.scopes)", sourceLocation: sourceLocation)
            return
        }
        press("Enter", sourceLocation: sourceLocation)
    }

    mutating func perform(_ action: Action) {
        take(state.update(action, at: time))
    }

    private mutating func take(_ new: [Effect]) {
        for effect in new {
            if case .history(.last) = effect, case .history(let query) = effect {
                lookups.append(query)
            } else if case .history(.recent) = effect, !listMayBeWide {
                // Every file that is read asks for them.
                continue
            } else {
                effects.append(effect)
            }
        }
    }

    /// True where the list of requests has room for sparklines, or would have it with the keys.
    private var listMayBeWide: Bool {
        state.size.columns < 100 || state.layout.tree?.columns ?? 0 >= TreePane.columnsForSparklines
    }

    mutating func type(_ text: String) {
        for character in text { press(character == " " ? "Space" : String(character)) }
    }

    /// Empties the field that is open, and types another text.
    mutating func replace(with text: String) {
        press("End", "Ctrl+U")
        type(text)
    }

    mutating func paste(_ text: String) { state.action(forPaste: text).map { perform($0) } }

    mutating func receive(_ event: Event) {
        take(state.receive(event, at: time))
    }

    /// Clicks the first cell of a text on the screen.
    mutating func click(on text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        guard let point = place(of: text) else {
            Issue.record("\"\(text)\" is not on the screen:\n\(screen)", sourceLocation: sourceLocation)
            return
        }
        perform(.mouse(.click(point)))
    }

    /// Moves the cursor of the tree to a row of that name.
    mutating func choose(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
        press("1", "g")
        for _ in state.tree.rows where state.tree.current?.name != name { press("Down") }
        #expect(state.tree.current?.name == name, sourceLocation: sourceLocation)
    }

    // MARK: Out

    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    var screen: String { state.draw().surface.text() }

    var lines: [String] { screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    func row(_ number: Int) -> String { lines[safe: number] ?? "" }

    /// Where a text starts on the screen.
    func place(of text: String) -> Point? {
        for (row, line) in lines.enumerated() {
            guard let start = line.range(of: text)?.lowerBound else { continue }
            return Point(column: TextWidth.of(String(line[..<start])), row: row)
        }
        return nil
    }

    var request: SavedRequest? { state.workbench.request }

    var formRows: [FormRow] { Array(state.requestPane.rows(state.workbench)) }

    /// The names in the tree, as they are indented.
    var treeNames: [String] {
        state.tree.rows.map { String(repeating: "  ", count: $0.depth) + $0.name }
    }

    /// The text of the field that is open.
    var openField: String? {
        if case .field(_, let text) = state.requestPane.editing { text.text } else { nil }
    }

    /// The body that is edited.
    var openBody: BodyEditor? {
        if case .body(let body) = state.requestPane.editing { body } else { nil }
    }

    /// The text of the body that is edited, with a bar where the cursor stands.
    var openText: String? {
        openBody.map { body in
            let (buffer, cursor) = (body.editor.buffer, body.editor.text.cursor)
            return buffer.text(0..<cursor) + "|" + buffer.text(cursor..<buffer.count)
        }
    }

    var topOverlay: Overlay? { state.overlays.last }
}

extension String {
    fileprivate func range(of text: String) -> Range<Index>? {
        indices.first { self[$0...].hasPrefix(text) }.map { $0..<index($0, offsetBy: text.count) }
    }
}

extension Story {
    static let file = """
        {
          "version": 1,
          "name": "demo",
          "environments": [
            {
              "name": "local",
              "host": "http://127.0.0.1:8765",
              "additionalHeaders": { "Authorization": "Bearer {{token}}" },
              "variables": { "token": "t" }
            },
            { "name": "live", "host": "https://api.example.com", "protected": true }
          ],
          "items": [
            {
              "folder": "users",
              "items": [
                { "request": "list users", "path": "/users" },
                {
                  "request": "user by id",
                  "path": "/users/:id",
                  "pathParameters": { "id": "42" },
                  "query": [{ "name": "expand", "value": "orders" }],
                  "policy": { "retries": 3, "sla": "2s" }
                },
                { "request": "create user", "method": "POST", "path": "/users", "body": { "json": { "name": "Ada" } } }
              ]
            }
          ]
        }

        """

    /// A collection with that many requests, named `r0`, `r1`, …
    static func file(requests: Int, name: String = "many") -> String {
        let items = (0..<requests).map { "{ \"request\": \"r\($0)\", \"path\": \"/\($0)\" }" }
        return "{ \"version\": 1, \"name\": \"\(name)\", \"items\": [\(items.joined(separator: ", "))] }\n"
    }
}
