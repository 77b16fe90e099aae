import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// A program without a terminal and without a network: keys go in, the state and the wanted effects come out.
struct Story {
    var state: AppState
    private(set) var effects: [Effect] = []
    var time = Duration.zero

    init(columns: Int = 120, rows: Int = 34, file: String = Story.file) {
        state = AppState(size: Size(columns: columns, rows: rows))
        let read = CollectionFile.read(Array(file.utf8), file: "demo.json")
        let loaded = LoadedCollection(
            path: "demo.json", collection: read.collection, problems: read.problems,
            fingerprint: Fingerprint(bytes: Array(file.utf8)))
        receive(.opened([loaded], environment: nil))
    }

    /// Presses keys by name, one after the other: `press("Down", "Enter")`.
    mutating func press(_ names: String...) {
        for name in names {
            guard let key = Key(name: name), let action = state.keymap.action(for: key, in: state.scopes) else {
                Issue.record("nothing is bound to \(name) in \(state.scopes)")
                continue
            }
            effects += state.update(action, at: time)
        }
    }

    mutating func type(_ text: String) {
        for character in text { press(character == " " ? "Space" : String(character)) }
    }

    mutating func receive(_ event: Event) {
        effects += state.receive(event, at: time)
    }

    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    var screen: String { state.draw().surface.text() }

    func row(_ number: Int) -> String {
        let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
        return number < lines.count ? String(lines[number]) : ""
    }

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
}
