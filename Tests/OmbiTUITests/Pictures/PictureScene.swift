import Foundation
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// A picture of the documents: scripted runs on the screen of the program.
enum PictureScene: String, CaseIterable {
    /// A run that was retried, with its timeline.
    case explorer
    /// The table of a folder's run, in the middle of it.
    case folder
    /// A request from its sending to the filter of its response.
    case sending

    var title: String {
        switch self {
        case .explorer: "Ombi with the timeline of a request that failed twice, then worked"
        case .folder: "The table of a folder that runs"
        case .sending: "Ombi sends a request, retries it twice and filters the response"
        }
    }

    func frames() throws -> [ScreenPicture.Frame] {
        switch self {
        case .explorer: [ScreenPicture.Frame(surface: try Self.timeline(), milliseconds: 0)]
        case .folder: [ScreenPicture.Frame(surface: try Self.table(), milliseconds: 0)]
        case .sending: Self.film()
        }
    }

    // MARK: The demo

    private static let host = "http://127.0.0.1:8765"

    private static let flaky = ScriptedRun(
        host + "/flaky?failures=2&status=503&key=twice",
        [(503, 41, 403), (503, 38, 800), (200, 46, 0)],
        of: 4, sla: 4, body: #"{"ok":true,"attempt":3,"failures":2}"#)

    private static let neverWorks = ScriptedRun(
        host + "/status/503",
        [(503, 22, 100), (503, 19, 200), (503, 24, 400), (503, 21, 0)],
        of: 4, sla: 3, body: #"{"status":503,"phrase":"Service Unavailable"}"#)

    private static let late = ScriptedRun(
        host + "/flaky?failures=1&status=429&retryAfter=1&key=later",
        [(429, 30, 2000), (200, 30, 0)],
        of: 2, sla: 3, body: "{}")

    private static func demo(columns: Int, rows: Int) throws -> Story {
        let file = RecordedFile.root.appending(path: "collections/demo.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        return Story(columns: columns, rows: rows, file: text.replacingOccurrences(of: "{{port}}", with: "8765"))
    }

    private static func timeline() throws -> Surface {
        var story = try demo(columns: 120, rows: 32)
        let requests = story.state.workbench.files.first?.collection?.requests
        let request = try #require(requests?.first { $0.name == "fails twice, then works" })
        story.perform(.tree(.select(.request(request.id))))
        story.finish(story.send(flaky), flaky)
        story.readBody(flaky.response)
        story.press("3", "Alt+\(ResponseTab.timeline.number)")
        return story.state.draw().surface
    }

    private static func table() throws -> Surface {
        var story = try demo(columns: 100, rows: 18)
        story.run("retries and SLA", atOnce: 3)
        let orders = story.takeOrders()
        try #require(orders.count == 3)
        for (order, run) in zip(orders, [flaky, neverWorks, late]) {
            story.receive(.run(order.id, .prepared(run.sent(order.request))))
        }
        story.receive(late.start(of: 1) + late.end(of: 1), of: orders[2].id)
        story.wait(until: 806)
        story.finish(orders[1].id, neverWorks)
        story.wait(until: 1328)
        story.finish(orders[0].id, flaky)
        story.wait(until: 1400)
        return story.state.draw().surface
    }

    // MARK: The film

    private static let orders = ScriptedRun(
        host + "/orders?status=open",
        [(503, 380, 400), (503, 350, 800), (200, 270, 0)],
        of: 4, sla: 4,
        body: """
            {"orders":[{"id":7,"item":"tea","total":12.5},{"id":8,"item":"lamp","total":89},\
            {"id":9,"item":"chair","total":140},{"id":10,"item":"cup","total":8}],"next":null}
            """)

    private static let shop = """
        {
          "version": 1,
          "name": "shop",
          "environments": [{ "name": "local", "host": "http://127.0.0.1:8765" }],
          "items": [
            {
              "folder": "orders",
              "items": [
                {
                  "request": "open orders",
                  "path": "/orders",
                  "query": [{ "name": "status", "value": "open" }],
                  "policy": { "retries": 3, "sla": "4s" }
                },
                { "request": "order by id", "path": "/orders/:id", "pathParameters": { "id": "7" } },
                { "request": "new order", "method": "POST", "path": "/orders", "body": { "json": { "item": "tea" } } }
              ]
            },
            {
              "folder": "customers",
              "items": [
                { "request": "list customers", "path": "/customers" },
                { "request": "customer by id", "path": "/customers/:id", "pathParameters": { "id": "1" } }
              ]
            }
          ]
        }

        """

    private static func film() -> [ScreenPicture.Frame] {
        var story = Story(columns: 104, rows: 26, file: shop)
        var frames: [ScreenPicture.Frame] = []
        func show(_ milliseconds: Int) {
            frames.append(ScreenPicture.Frame(surface: story.state.draw().surface, milliseconds: milliseconds))
        }
        story.choose("open orders")
        show(1500)
        let id = story.send(orders)
        for (number, times) in [(1, (250, 600)), (2, (1000, 1600))] {
            story.receive(orders.start(of: number), of: id)
            story.wait(until: times.0)
            show(700)
            story.receive(orders.end(of: number), of: id)
            story.wait(until: times.1)
            show(900)
        }
        story.wait(until: 2200)
        story.finish(id, orders, from: 3)
        story.readBody(orders.response)
        story.press("3")
        show(1500)
        story.press("|")
        for part in ["$.orders", "[?@.total > 50]", ".item"] {
            story.filter(part)
            show(part == ".item" ? 3000 : 1000)
        }
        return frames
    }
}
