import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

extension Story {
    static func environments(columns: Int = 120, rows: Int = 34) -> Story {
        var story = Story(columns: columns, rows: rows, file: shop)
        story.press("E", "Tab")
        return story
    }

    /// Two environments that differ in everything.
    static let shop = """
        {
          "version": 1,
          "name": "shop",
          "variables": { "port": "443" },
          "policy": { "retries": 1 },
          "environments": [
            {
              "name": "local",
              "host": "http://127.0.0.1:{{port}}",
              "additionalHeaders": { "Authorization": "Bearer {{token}}", "X-Team": "core" },
              "variables": { "port": "8765", "token": "t" },
              "policy": { "retries": 3 }
            },
            {
              "name": "live",
              "host": "https://api.example.com",
              "protected": true,
              "additionalHeaders": { "Authorization": "Bearer abcdef" },
              "secrets": { "token": { "env": "SHOP_TOKEN" } }
            }
          ],
          "items": [
            { "request": "list", "path": "/items", "query": [{ "name": "page", "value": "{{page}}" }] },
            { "request": "add", "method": "POST", "path": "/items/:id", "body": { "json": { "by": "{{token}}" } } }
          ]
        }

        """

    var collection: Collection? { state.workbench.file?.collection }

    /// The text of the cell under edit.
    var cell: String? { state.environmentPane?.editing?.text.text }

    /// The texts of a row, by its name; of several rows with it the last.
    func cells(_ name: String) -> [String] {
        guard let pane = state.environmentPane,
            let part = pane.table.rows.compactMap(\.part).last(where: { $0.label == name })
        else { return [] }
        return pane.table.environments.map { pane.table.cell(part, of: $0, problem: pane.problem).text }
    }

    /// Moves the cursor to a row.
    mutating func go(to name: String, in list: EnvironmentPart.List? = nil) {
        press("g")
        for _ in 0..<(state.environmentPane?.table.rows.count ?? 0) {
            let part = state.environmentPane?.row?.part
            if part?.label == name, list == nil || part?.list == list { return }
            press("Down")
        }
    }
}
