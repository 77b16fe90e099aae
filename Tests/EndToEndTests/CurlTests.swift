import Foundation
import Testing

extension EndToEnd {
    /// `ombi import curl` and `ombi export` as scripts use them.
    @Suite struct CurlTests {
        private static let command = "curl -k https://a.test/v1/users/7 \\\n  --json @body.json | jq .\n"

        @Test func `a file, standard input and arguments give the same collection`() throws {
            try Scene.play { scene in
                try scene.write("body.json", "{\"a\": 1.50}")
                try scene.write("request.sh", Self.command)
                let file = try scene.ombi("import", "curl", "request.sh")
                #expect(file.status == 0)
                #expect(file.output.contains("\"path\": \"https://a.test/v1/users/7\""))
                #expect(file.output.contains("\"json\": { \"a\": 1.50 }"))
                #expect(
                    file.errors == """
                        request.sh:1:6: warning: -k: certificates are verified; set verifyTLS: false in its environment
                        request.sh:2:21: note: | jq .: left out; | in the response filters the body

                        """)
                #expect(try scene.shell("\"$0\" import curl - < request.sh").output == file.output)
                #expect(try scene.shell("cat request.sh | \"$0\" import curl").output == file.output)
                let arguments = ["-k", "https://a.test/v1/users/7", "--json", "@body.json"]
                for words in [["curl"] + arguments, arguments] {
                    #expect(try scene.shell("\"$0\" import curl " + words.joined(separator: " ")).output == file.output)
                }
                #expect(try scene.ombi("import", "curl", Self.command).output == file.output)
            }
        }

        @Test func `a script puts no file from outside its folder into a collection, and a typed command does`() throws
        {
            try Scene.play { scene in
                _ = try scene.shell("mkdir -p shop/.keys && ln -s ../key shop/link")
                for name in ["key", "shop/.keys/key"] { try scene.write(name, "s3cret-of-mine") }
                for path in ["../key", "link", ".keys/key", scene.path("key")] {
                    for option in ["-d", "--json", "--data-urlencode", "--url-query"] {
                        try scene.write("shop/request.sh", "curl \(option) @\(path) https://a.test\n")
                        for words in ["request.sh", "- < request.sh"] {
                            let imported = try scene.shell("cd shop && \"$0\" import curl \(words)")
                            #expect(imported.status == 0 && !imported.output.contains("s3cret"), "\(option) \(path)")
                            #expect(imported.errors.contains("the file \(path) was not read"), "\(imported.errors)")
                        }
                    }
                }
                let typed = try scene.shell("cd shop && \"$0\" import curl -d @../key https://a.test")
                #expect(typed.output.contains("s3cret-of-mine"))
            }
        }

        @Test func `requests are added to a collection, which is created if need be`() throws {
            try Scene.play { scene in
                let new = try scene.ombi("import", "curl", "--to", "shop.json/users/new", "https://a.test/v1/a?x=1")
                #expect(new.status == 0 && new.output == "" && new.errors == "added 1 request to shop.json/users/new\n")
                #expect(try scene.ombi("list").output == "GET     shop/users/new/v1 a\n")
                try scene.write(
                    "shop.json",
                    """
                    { "version": 1, "name": "shop",
                      "environments": [ { "name": "e", "host": "https://a.test/v1" } ], "items": [
                        { "request": "r", "path": "/r" } ] }
                    """)
                #expect(try scene.ombi("import", "curl", "https://a.test/v1/b", "--to", "shop.json").status == 0)
                let text = try scene.read("shop.json")
                #expect(text.hasPrefix("{ \"version\": 1, \"name\": \"shop\",\n") && text.contains("\"path\": \"/b\""))
                let inRequest = try scene.ombi("import", "curl", "--to", "shop.json/r", "https://a.test/")
                #expect(inRequest.status == 2 && inRequest.errors == "ombi: r is a request, not a folder\n")
                try scene.write("broken.json", "{")
                #expect(try scene.ombi("import", "curl", "--to", "broken.json", "https://a.test/").status == 2)
                #expect(try scene.ombi("import", "curl", "--to", "no/folder/c.json", "https://a.test/").status == 3)
            }
        }

        @Test func `arguments are one command of bash, and what is saved can be read again`() throws {
            try Scene.play { scene in
                let imported = try scene.ombi(
                    "import", "curl", "--to", "c.json", "https://a.test/?=", "-F", "=1", "-F", "a=b ^\"c", "-m", "1e8",
                    "--cacert", "")
                #expect(imported.status == 0)
                #expect(try scene.ombi("list").status == 0)
                let text = try scene.read("c.json")
                #expect(text.contains("\"https://a.test/?=\"") && text.contains("\"b ^\\\"c\""))
            }
        }

        @Test func `characters without ink are exported as escapes`() throws {
            try Scene.play { scene in
                try scene.write(
                    "c.json",
                    """
                    { "version": 1, "name": "c", "items": [
                        { "request": "r", "path": "http://a.test", "headers": [{ "name": "X-A", "value": "a\u{200D}b" }] } ] }
                    """)
                #expect(
                    try scene.ombi("export", "--as", "curl", "c/r").output
                        == "curl http://a.test \\\n  -H $'X-A: a\\342\\200\\215b' \\\n  -L\n")
            }
        }

        @Test func `a mistake is shown with its line, and nothing is written`() throws {
            try Scene.play { scene in
                try scene.write("bad.sh", "curl \\\n  -H 'a https://a.test\n")
                let bad = try scene.ombi("import", "curl", "--to", "c.json", "bad.sh")
                #expect(bad.status == 2)
                #expect(bad.errors == "bad.sh:2:6: error: the ' is not closed\n  -H 'a https://a.test\n     ^\n")
                #expect(try scene.ombi("import", "curl", "missing.sh").status == 3)
                for file in ["missing.txt", "."] {
                    let data = try scene.ombi("import", "curl", "--to", "new.json", "-d", "@\(file)", "https://a.test")
                    #expect(data.status == 3 && data.errors.contains("ombi: cannot read \(file): "), "\(data.errors)")
                    #expect(!FileManager.default.fileExists(atPath: scene.path("new.json")))
                }
                #expect(try scene.ombi("import", "curl", "--to", "c", "https://a.test").status == 2)
                #expect(!FileManager.default.fileExists(atPath: scene.path("c.json")))
            }
        }

        @Test func `a request is exported with its variables, or resolved and masked`() throws {
            try Scene.play { scene in
                try scene.write(
                    "shop.json",
                    """
                    { "version": 1, "name": "shop",
                      "environments": [ { "name": "e", "host": "https://a.test",
                        "secrets": { "token": { "file": "token" } } } ], "items": [
                        { "request": "r", "path": "/r", "authentication": { "bearer": "{{token}}" } },
                        { "request": "bad", "path": "/{{none}}" },
                        { "request": "login", "path": "/", "capture": { "id": { "path": "$.id" } } },
                        { "request": "me", "path": "/{{id}}?id={{id}}",
                          "headers": [{ "name": "X-Id", "value": "{{id}}" }] } ] }
                    """)
                try scene.write("token", "s3cret")
                let command = { (token: String) in
                    "curl https://a.test/r \\\n  -H 'Authorization: Bearer \(token)' \\\n  -L\n"
                }
                #expect(try scene.ombi("export", "--as", "curl", "shop/r").output == command("{{token}}"))
                #expect(
                    try scene.ombi("export", "--as", "curl", "shop/r", "--resolved").output
                        == command("••••••"))
                #expect(
                    try scene.ombi("export", "--as", "curl", "shop/r", "--resolved", "--reveal-secrets").output
                        == command("s3cret"))
                let bad = try scene.ombi("export", "--as", "curl", "shop/bad", "--resolved")
                #expect(bad.status == 2 && bad.output == "" && bad.errors.contains("unknown variable \"none\""))
                #expect(try scene.ombi("export", "--as", "curl", "shop/r", "--reveal-secrets").status == 2)
                let captured = try scene.ombi("export", "--as", "curl", "shop/me", "--resolved")
                #expect(captured.errors == "ombi: {{id}} stays in shop/me: login captures its value when it is sent\n")
                #expect(captured.output.hasPrefix("curl 'https://a.test/{{id}}?id={{id}}' \\\n  -H 'X-Id: {{id}}'"))
                let set = try scene.ombi("export", "--as", "curl", "shop/me", "--resolved", "--set", "id=7")
                #expect(set.output.hasPrefix("curl 'https://a.test/7?id=7' \\\n  -H 'X-Id: 7'"), "\(set.output)")
                #expect(try scene.ombi("export", "--as", "curl", "shop/me", "--set", "id=7").status == 2)
                #expect(captured.status == 0)
                let python = try scene.ombi("export", "--as", "python", "shop/r", "--resolved")
                #expect(python.output.contains("TOKEN = os.environ[\"TOKEN\"]") && python.errors == "")
                let archive = try scene.ombi("export", "--as", "har", "shop/r")
                #expect(archive.output.contains("\"Bearer {{token}}\"") && archive.status == 0)
                #expect(try scene.ombi("export", "--as", "perl", "shop/r").status == 2)
            }
        }
    }
}
