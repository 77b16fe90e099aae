import Foundation
import Testing

extension EndToEnd {
    /// `ombi import` of files as scripts use it.
    @Suite struct ImportTests {
        private static let shop = """
            { "info": { "name": "Shop" }, "item": [{ "name": "one", "request": { "url": "https://a.test/x",
              "auth": { "type": "bearer", "bearer": { "token": "tk4Zr9QmW1xVb7Np2Ls8" } } }, "response": [{}] }] }
            """

        @Test func `a file is imported once, and never over another one`() throws {
            try Scene.play { scene in
                try scene.write("postman.json", Self.shop)
                let first = try scene.ombi("import", "postman.json", "--to", "shop.json")
                #expect(first.status == 0 && first.output == "")
                #expect(first.errors.contains("imported 1 request, 0 folders, 1 environment to shop.json\n"))
                #expect(first.errors.contains("secrets in shop.local.json: token\n"))
                #expect(first.errors.contains("postman.json:2:") && first.errors.contains("warning: response: "))
                let text = try scene.read("shop.json")
                #expect(!text.contains("tk4Zr9QmW1xVb7Np2Ls8"))
                #expect(try scene.read("shop.local.json").contains("tk4Zr9QmW1xVb7Np2Ls8"))
                #expect(try scene.ombi("check", "shop.json").status == 0)
                let second = try scene.ombi("import", "postman.json", "--to", "shop.json")
                #expect(second.status == 0 && second.errors.contains("nothing was changed"))
                #expect(try scene.read("shop.json") == text)
                try scene.write("shop.json", "{}")
                #expect(try scene.ombi("import", "postman.json", "--to", "shop.json").status == 2)
                #expect(try scene.read("shop.json") == "{}")
            }
        }

        @Test func `an import names the variables that nothing gives a value`() throws {
            try Scene.play { scene in
                try scene.write("shop.http", "GET https://a.test/{{id}}?a={{id}}&b={{name}}&c={{$uuid}}\n")
                let imported = try scene.ombi("import", "shop.http", "--to", "shop.json")
                #expect(imported.status == 0)
                #expect(
                    imported.errors.contains("2 variables without a value, to be given one: id, name\n"),
                    "\(imported.errors)")
                try scene.write("set.http", "@id = 1\nGET https://a.test/{{id}}\n")
                let complete = try scene.ombi("import", "set.http", "--to", "set.json")
                #expect(complete.status == 0 && !complete.errors.contains("without a value"), "\(complete.errors)")
            }
        }

        @Test(arguments: [
            ("{ \"info\": { \"name\": \"Shop\" }, \"item\": [] }", "a.json"), ("openapi: 3.1.0\npaths: {}\n", "a.yaml"),
            ("type: collection.insomnia.rest/5.0\nname: Shop\ncollection: []\n", "a.yaml"),
        ])
        func `a file without a request says that none came`(text: String, file: String) throws {
            try Scene.play { scene in
                try scene.write(file, text)
                let imported = try scene.ombi("import", file, "--to", "shop.json")
                #expect(imported.status == 0)
                #expect(imported.errors.contains("imported 0 requests, 0 folders"), "\(imported.errors)")
            }
        }

        @Test func `a further import is merged with the edits made since the last one`() throws {
            try Scene.play { scene in
                try scene.write("postman.json", Self.shop)
                #expect(try scene.ombi("import", "postman.json", "--to", "shop.json").status == 0)
                let edited = try scene.read("shop.json").replacing("\"/x\"", with: "\"/edited\"")
                try scene.write("shop.json", edited)
                let same = try scene.ombi("import", "postman.json", "--to", "shop.json")
                #expect(same.status == 0 && same.errors.contains("nothing was changed in shop.json"), "\(same.errors)")
                #expect(try scene.read("shop.json") == edited && edited.contains("/edited"))
                try scene.write("postman.json", Self.shop.replacing("\"one\"", with: "\"two\""))
                let other = try scene.ombi("import", "postman.json", "--to", "shop.json")
                #expect(other.status == 0 && other.errors.contains("two changed"), "\(other.errors)")
                let merged = try scene.read("shop.json")
                #expect(merged == edited.replacing("\"one\"", with: "\"two\""))
                let moved = Self.shop.replacing("\"one\"", with: "\"two\"").replacing("/x", with: "/y")
                try scene.write("postman.json", moved)
                let both = try scene.ombi("import", "postman.json", "--to", "shop.json")
                #expect(both.status == 0 && both.errors.contains("changed here and in the source: two"))
                #expect(try scene.read("shop.json").contains("/edited"))
                #expect(try scene.ombi("check").status == 0)
            }
        }

        @Test func `a printed collection names its credentials, and a format can be said`() throws {
            try Scene.play { scene in
                try scene.write("postman.json", Self.shop)
                let printed = try scene.ombi("import", "postman.json")
                #expect(printed.status == 0 && printed.output.contains("\"token\": { \"env\": \"TOKEN\" }"))
                #expect(!(printed.output + printed.errors).contains("tk4Zr9QmW1xVb7Np2Ls8"))
                let named = try scene.shell("\"$0\" import - --from postman < postman.json")
                #expect(named.output == printed.output)
                #expect(try scene.ombi("import", "postman.json", "--from", "none").status == 2)
                let swapped = try scene.ombi("import", "postman", "postman.json")
                #expect(swapped.status == 2 && swapped.errors.contains("write --from postman"))
                #expect(try scene.ombi("import", "postman.json", "--secrets", "none").status == 2)
                #expect(try scene.ombi("import", "missing.json").status == 3)
                #expect(try scene.ombi("import", "postman.json", "postman.json").status == 2)
            }
        }

        @Test func `the explorer opens the file of another tool, and saves it as a new collection`() throws {
            try Scene.play { scene in
                try scene.write("postman.json", Self.shop)
                let ombi = try scene.explore("postman.json")
                try ombi.see("▾ Shop", "postman.json is a Postman collection, read-only")
                ombi.type("w")
                try ombi.see("Path of the new collection", "postman.ombi.json")
                ombi.type(Keys.enter)
                try ombi.see("Saved as postman.ombi.json")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                #expect(try scene.read("postman.json") == Self.shop)
                #expect(try !scene.read("postman.ombi.json").contains("tk4Zr9QmW1xVb7Np2Ls8"))
                #expect(try scene.read("postman.ombi.local.json").contains("tk4Zr9QmW1xVb7Np2Ls8"))
            }
        }

        @Test func `a folder of another tool is imported, listed and opened`() throws {
            try Scene.play { scene in
                _ = try scene.shell("mkdir -p shop/users")
                try scene.write("shop/home.posting.yaml", "name: home\nurl: $BASE/\nscripts:\n  setup: a.py\n")
                try scene.write("shop/users/all.posting.yaml", "name: all\nurl: $BASE/users\n")
                try scene.write("shop/local.env", "BASE=http://127.0.0.1:1\nTOKEN=tk4Zr9QmW1xVb7Np2Ls8\n")
                let imported = try scene.ombi("import", "shop", "--to", "new.json")
                #expect(imported.status == 0, "\(imported.errors)")
                #expect(imported.errors.contains("imported 2 requests, 1 folder, 1 environment to new.json\n"))
                #expect(imported.errors.contains("shop/home.posting.yaml:4:"), "\(imported.errors)")
                #expect(try !scene.read("new.json").contains("tk4Zr9QmW1xVb7Np2Ls8"))
                #expect(try scene.ombi("import", "shop", "--to", "new.json").errors.contains("nothing was changed"))
                let list = try scene.ombi("list", "shop/")
                #expect(list.status == 0 && list.output == "GET     shop/home\nGET     shop/users/all\n")
                #expect(try scene.ombi("list", "shop/home").output == "GET     shop/home\n")
                #expect(try scene.ombi("import", "shop", "--from", "har").status == 2)
                let ombi = try scene.explore("shop")
                try ombi.see("shop is a collection of posting, read-only")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `a folder of http files is run with the files next to them`() throws {
            try Scene.play { scene in
                _ = try scene.shell("mkdir -p shop")
                try scene.write("shop/a.http", "### one\nPOST http://127.0.0.1:1/x\n\n< ./body.txt\n")
                try scene.write("shop/body.txt", "hello")
                let run = try scene.ombi("run", "shop", "--dry-run")
                #expect(run.status == 0 && run.output.contains("(./body.txt, 5 bytes)"), "\(run.output)\(run.errors)")
                #expect(run.errors.contains("this is a folder of .http files, only read"), "\(run.errors)")
                #expect(try scene.ombi("list", "shop").output == "POST    shop/a/one\n")
            }
        }

        @Test(arguments: [(".", "./"), ("./", "./"), ("../shop", "../shop/"), ("a.http", "a.http"), ("./a", "./")])
        func `another tool's file or folder asks for trust, and keeps it`(_ path: String, _ named: String) throws {
            try Scene.play { scene in
                let server = "http://127.0.0.1:\(try scene.port())"
                _ = try scene.shell("mkdir -p shop")
                try scene.write("shop/a.http", "### one\nGET \(server)/users\nX-Token: {{$processEnv TOK}}\n")
                let run = "cd shop; TOK=t0ken-value \"$0\" run \(path) --no-record"
                let asked = try scene.shell(run)
                #expect(asked.status == 2 && asked.errors.contains("`ombi trust \(named)` shows"), "\(asked)")
                let grant = try scene.shell("cd shop; \"$0\" trust \(named) --grant TOK=\(server)")
                #expect(grant.status == 0, "\(grant)")
                #expect(try scene.shell(run).status == 0)
            }
        }

        @Test func `a file of another tool is listed in place, and the check says what imports it`() throws {
            try Scene.play { scene in
                try scene.write("postman.json", Self.shop)
                let list = try scene.ombi("list", "postman.json")
                #expect(list.status == 0 && list.output == "GET     Shop/one\n")
                #expect(list.errors.contains("`ombi import postman.json --to NAME.json`"))
                let check = try scene.ombi("check", "postman.json")
                #expect(check.status == 2 && check.output.contains("`ombi import postman.json --to NAME.json`"))
                #expect(try scene.read("postman.json") == Self.shop)
            }
        }

        @Test func `a folder of Bruno is imported, opened and listed`() throws {
            try Scene.play { scene in
                try scene.write("bruno.json", "{ \"version\": \"1\", \"name\": \"Shop\" }")
                try scene.write("one.bru", "get {\n  url: https://a.test/x\n}\nauth:basic {\n  username: a\n}\n")
                let imported = try scene.ombi("import", ".", "--to", "out.json")
                #expect(imported.status == 0, "\(imported.errors)")
                #expect(imported.errors.contains("one.bru:4:1: warning: auth:basic: "))
                #expect(imported.errors.contains("imported 1 request, 0 folders, 1 environment to out.json\n"))
                #expect(try scene.ombi("check", "out.json").status == 0)
                let list = try scene.ombi("list", "bruno.json")
                #expect(list.status == 0 && list.output == "GET     Shop/one\n", "\(list.errors)")
                try scene.write("broken.bru", "get {\n")
                #expect(try scene.ombi("import", "broken.bru").status == 2)
                #expect(try scene.ombi("import", ".", "--from", "har").status == 2)
                #expect(try scene.ombi("import", ".", "--from", "atac").status == 2)
            }
        }
    }
}
