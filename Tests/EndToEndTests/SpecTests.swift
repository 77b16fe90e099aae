import Foundation
import Testing

extension EndToEnd {
    /// Requests that are based on a document, in the explorer and in CI.
    @Suite struct SpecTests {
        private static func document(
            id: String = "getUser", path: String = "/users/{id}", type: String = "integer"
        ) -> String {
            """
            openapi: 3.0.3
            info: {title: Shop, version: '1'}
            paths:
              \(path):
                get:
                  operationId: \(id)
                  summary: Get a user
                  parameters:
                  - {name: id, in: path, required: true, schema: {type: integer}, example: 7}
                  responses:
                    '200':
                      description: ok
                      content:
                        application/json: {schema: {type: object, properties: {id: {type: \(type)}}}}
            """
        }

        private static func collection(port: Int) -> String {
            """
            {
              "version": 1,
              "name": "shop",
              "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)" }],
              "items": [
                { "operation": "getUser", "specification": "./openapi.yaml" }
              ]
            }
            """
        }

        @Test func `a request that is based on a document is sent, judged and covered`() throws {
            try Scene.play { scene in
                // A home folder is no workspace.
                _ = try scene.shell("mkdir api")
                try scene.write("api/openapi.yaml", Self.document())
                try scene.write("api/shop.json", Self.collection(port: try scene.port()))
                #expect(try scene.ombi("list", "api/shop.json").output == "GET     shop/Get a user\n")
                #expect(try scene.ombi("check", "api/shop.json").status == 0)
                let before = try scene.ombi("spec", "coverage", "api/openapi.yaml", "api/shop.json", "--min", "80%")
                #expect(before.status == 1 && before.output.contains("– GET /users/{id}  200 –  no run"))
                let run = try scene.ombi("run", "api/shop.json")
                #expect(run.status == 0, "\(run.errors)")
                let after = try scene.ombi("spec", "coverage", "api/openapi.yaml", "api/shop.json", "--min", "80%")
                #expect(after.status == 0 && after.output.contains("✓ GET /users/{id}  200 ✓\n"), "\(after.output)")
                #expect(try scene.ombi("spec", "diff", "api/openapi.yaml", "api/shop.json").status == 0)
                try scene.write("api/openapi.yaml", Self.document(type: "string"))
                let judged = try scene.ombi("run", "api/shop.json")
                #expect(judged.status == 1)
                #expect(
                    (judged.output + judged.errors).contains("differs from the document: `$.id` is a number"),
                    "\(judged.output)")
            }
        }

        @Test func `an import writes requests that are based on the document`() throws {
            try Scene.play { scene in
                // A repository is one workspace.
                _ = try scene.shell("mkdir -p shop/.git shop/api")
                try scene.write("shop/openapi.yaml", Self.document())
                let live = try scene.ombi("import", "shop/openapi.yaml", "--to", "shop/api/live.json", "--live")
                #expect(live.status == 0, "\(live.errors)")
                let text = try scene.read("shop/api/live.json")
                #expect(text.contains("\"specification\": \"../openapi.yaml\"") && !text.contains("/users"))
                #expect(try scene.ombi("list", "shop/api/live.json").output == "GET     Shop/Get a user\n")
                #expect(try scene.ombi("import", "shop/openapi.yaml", "--live").status == 2)
                let same = try scene.ombi("import", "shop/openapi.yaml", "--to", "shop/api/live.json", "--live")
                #expect(same.status == 0 && same.errors.contains("nothing was changed"), "\(same.errors)")
            }
        }

        @Test func `a document outside the workspace is read once it is allowed`() throws {
            try Scene.play { scene in
                _ = try scene.shell("mkdir api")
                let port = try scene.port()
                try scene.write("openapi.yaml", Self.document())
                let collection = Self.collection(port: port)
                try scene.write("api/shop.json", collection.replacing("./openapi.yaml", with: "../openapi.yaml"))
                let check = try scene.ombi("check", "api/shop.json")
                let problem = "warning: \"specification\": ../openapi.yaml is outside the workspace or hidden"
                #expect(check.status == 0 && check.output.contains(problem), "\(check.output)")
                #expect(try scene.ombi("list", "api/shop.json").output == "GET     shop/getUser\n")
                let refused = try scene.ombi("run", "api/shop.json")
                #expect(refused.status == 2, "\(refused.output)")
                #expect(refused.errors.contains("`ombi trust api/shop.json` allows it, --trust for one run"))
                let once = try scene.ombi("run", "api/shop.json", "--trust")
                #expect(once.status == 0, "\(once.errors)")
                let grant = try scene.ombi("trust", "api/shop.json", "--grant", "*=http://127.0.0.1:\(port)")
                #expect(grant.status == 0, "\(grant.errors)")
                #expect(try scene.ombi("list", "api/shop.json").output == "GET     shop/Get a user\n")
                #expect(try scene.ombi("run", "api/shop.json").status == 0)
            }
        }

        @Test func `the explorer asks for such a document, and shows it after a yes`() throws {
            try Scene.play { scene in
                _ = try scene.shell("mkdir api")
                try scene.write("openapi.yaml", Self.document())
                let collection = Self.collection(port: try scene.port())
                try scene.write("api/shop.json", collection.replacing("./openapi.yaml", with: "../openapi.yaml"))
                let ombi = try scene.explore("api/shop.json")
                try ombi.see("› getUser")
                ombi.type("s")
                try ombi.see("the file ~/openapi.yaml", "y allow it")
                ombi.type("y")
                try ombi.see("› Get a user", "/users/:id", "200")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `an operation that is gone is said with its place, and nothing is sent`() throws {
            try Scene.play { scene in
                // A home folder is no workspace.
                _ = try scene.shell("mkdir api")
                try scene.write("api/openapi.yaml", Self.document(id: "readUser"))
                try scene.write("api/shop.json", Self.collection(port: try scene.port()))
                let check = try scene.ombi("check", "api/shop.json")
                #expect(check.status == 2)
                let problem = "api/shop.json:6:20: error: \"operation\": ./openapi.yaml has no operation"
                #expect(check.output.contains(problem))
                let run = try scene.ombi("run", "api/shop.json")
                #expect(run.status != 0 && (run.output + run.errors).contains("has no operation \"getUser\""))
                let diff = try scene.ombi("spec", "diff", "api/openapi.yaml", "api/shop.json", "--output", "json")
                #expect(diff.status == 1 && diff.output.contains("\"kind\": \"gone\""), "\(diff.output)")
                #expect(diff.output.contains("\"kind\": \"new\""))
                #expect(try scene.ombi("spec", "diff", "api/shop.json", "api/shop.json").status == 2)
                #expect(try scene.ombi("spec", "diff", "api/missing.yaml", "api/shop.json").status == 3)
                let text = ["spec", "coverage", "api/openapi.yaml", "api/shop.json", "--min", "101%"]
                #expect(try scene.background(Program.ombi, text).outcome().status == 2)
            }
        }

        @Test func `the document changes under the explorer`() throws {
            try Scene.play { scene in
                // A home folder is no workspace.
                _ = try scene.shell("mkdir api")
                try scene.write("api/openapi.yaml", Self.document())
                try scene.write("api/shop.json", Self.collection(port: try scene.port()))
                let ombi = try scene.explore("api/shop.json")
                try ombi.see("› Get a user")
                try ombi.see("/users/:id")
                try scene.write("api/openapi.yaml", Self.document(path: "/people/{id}"))
                try ombi.see("/people/:id", "what lies beside shop.json changed on disk")
                try scene.write("api/openapi.yaml", Self.document(id: "readUser"))
                // The problem first, and what it had stays on the screen.
                try ombi.see("./openapi.yaml has no operation", "/people/:id")
                ombi.type("s")
                try ombi.see("operation: ./openapi.yaml has no operation")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                #expect(try !scene.read("api/shop.json").contains("/users"))
            }
        }
    }
}
