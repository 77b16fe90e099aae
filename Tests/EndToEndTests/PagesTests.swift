import Foundation
import Testing

extension EndToEnd {
    /// Lists that come in pages, in `ombi run`, in the explorer and in the history.
    @Suite struct PagesTests {
        private static func shop(port: Int) -> String {
            """
            { "version": 1, "name": "shop", "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)" }],
              "items": [
                { "request": "users", "path": "/users", "query": [{ "name": "limit", "value": "5" }],
                  "expect": { "body": [{ "path": "$.items", "count": ">=10" }] },
                  "pages": { "link": "next", "items": "$.items", "total": "$.total", "maximum": 2 } },
                { "request": "broken", "path": "/feed",
                  "query": [{ "name": "limit", "value": "10" }, { "name": "fails", "value": "20" }],
                  "pages": { "path": "$.next", "parameter": "after", "items": "$.entries" } } ] }
            """
        }

        private static func pages(_ outcome: Outcome) throws -> [String: Any] {
            let requests = try outcome.json()["requests"] as? [[String: Any]]
            return try #require(requests?.first?["pages"] as? [String: Any])
        }

        private static func items(_ outcome: Outcome) throws -> (count: Int, total: Int) {
            let body = try outcome.json()
            return ((body["items"] as? [Any])?.count ?? 0, body["total"] as? Int ?? 0)
        }

        @Test func `a run follows as many pages as the request or the command line says, and joins them`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(port: try scene.port()))
                let two = try scene.ombi("run", "shop.json/users", "--output", "json")
                #expect(two.status == 0, "\(two.output)\(two.errors)")
                let pages = try Self.pages(two)
                #expect(pages["count"] as? Int == 2 && pages["more"] as? Bool == true)
                let all = try Self.items(try scene.ombi("run", "shop.json/users", "--pages", "all", "--body"))
                #expect(all.count == all.total && all.total > 10)
                let one = try scene.ombi("run", "shop.json/users", "--pages", "1")
                #expect(one.status == 1 && one.output.contains("$.items"), "too few for what is expected")
                #expect(try Self.items(try scene.ombi("history", "show", "2", "--body")).count == all.count)
                let broken = try scene.ombi("run", "shop.json/broken")
                #expect(broken.status == 1 && broken.output.contains("page 3: 500"), "\(broken.output)")
            }
        }

        @Test func `on the screen the next page comes when it is asked for`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(port: try scene.port()))
                let ombi = try scene.explore("shop.json")
                try ombi.see("users")
                ombi.type("s")
                try ombi.see("200 OK", "2 of 12 pages")
                ombi.type("3", "a")
                // While it is on its way it is "page 3".
                try ombi.see("3 of 12 pages")
                ombi.type(":Add all further")
                try ombi.see("Add all further pages")
                ombi.type(Keys.enter)
                try ombi.seeGone("Add all further pages")
                try ombi.seeGone("3 of 12 pages")
                try ombi.seeGone("x cancel")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }
    }
}
