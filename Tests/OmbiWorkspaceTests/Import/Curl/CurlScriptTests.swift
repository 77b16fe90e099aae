import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Scripts of a shell with commands of curl.
@Suite struct CurlScriptTests {
    private func imported(_ text: String) throws -> (Imported, notes: [ImportNote]) {
        let file = try Importer.read(Array(text.utf8), from: "files/shop.sh")
        let joined = try Imported.joined([file])
        return (joined, file.notes + joined.notes)
    }

    @Test func `a script sets variables, and its commands are requests`() throws {
        let (imported, notes) = try imported(
            """
            #!/bin/bash
            set -e
            BASE="https://a.test/v1"
            export KIND='big one' SIZE=3
            curl "$BASE/a?kind=$KIND" -H "X-Size: ${SIZE}"
            for id in 1 2; do
              curl "$BASE/u/$id"
            done
            if curl -f "$BASE/b"; then echo ok; fi
            """)
        let collection = imported.collection
        #expect(collection.requests.map(\.method) == [.get, .get, .get])
        #expect(collection.variables.contains(Field("KIND", "big one")))
        #expect(collection.variables.contains(Field("SIZE", "3")))
        #expect(collection.environments.map(\.host) == ["https://a.test/v1"])
        #expect(notes.filter { $0.message.hasPrefix("became") }.map(\.subject) == ["$id"])
        #expect(notes.contains { $0.kind == .loss && $0.subject == "for" })
    }

    @Test func `a variable in a here-document has its own line in each of them`() throws {
        let command = "curl https://a.test/x --json @- <<-E\n\t{\"a\": \"$id\"}\n\tE\n"
        let (_, notes) = try imported("#!/bin/sh\n\n" + command + command)
        let positions = notes.filter { $0.subject == "$id" }.map(\.position)
        #expect(positions.map(\.line).first == 4 && positions.map(\.column).first == 9)
    }

    @Test func `requests apart from a collection have the variables that they use`() throws {
        let text = "BASE=https://a.test\nURL=$BASE/v1\nUNUSED=1\ncurl \"$URL/a\"\ncurl \"$BASE/b/$id\"\ncurl a.test\n"
        let imported = try CurlImport.read(text).withOwnVariables
        #expect(imported.requests.map { $0.variables.map(\.name) } == [["BASE", "URL"], ["BASE"], []])
        #expect(imported.requests[0].variables.last?.value == "{{BASE}}/v1")
        #expect(imported.notes.filter { $0.message.hasPrefix("became") }.map(\.subject) == ["$id"])
    }

    @Test func `what a script takes of a response becomes a capture`() throws {
        let (imported, notes) = try imported(
            """
            TOKEN=$(curl -s -d user=ada https://a.test/login | jq -r '.data.token')
            curl "https://a.test/a?id=$(curl -s https://a.test/ids | jq '.[0].id')" -H "Authorization: Bearer $TOKEN"
            """)
        let requests = imported.collection.requests
        #expect(requests.map(\.path) == ["/login", "/ids", "/a"])
        #expect(requests.first?.captures == [Capture("TOKEN", .path("$.data.token"), isSecret: true)])
        #expect(requests.dropFirst().first?.captures == [Capture("id", .path("$[0].id"))])
        #expect(requests.last?.query == [Field("id", "{{id}}")])
        #expect(requests.last?.authentication == .bearer(BearerAuthentication(token: "{{TOKEN}}")))
        #expect(notes.isEmpty, "\(notes)")
    }

    @Test(arguments: [
        "TOKEN=$(curl -s https://a.test/login | grep token)", "echo \"$(curl -s https://a.test/login)\"",
        "TOKEN=$(curl -s https://a.test/login | jq -r '.a | .b')",
    ])
    func `a command whose value is not captured is a request, and the value is a loss`(line: String) throws {
        let (imported, notes) = try imported(line)
        #expect(imported.collection.requests.map(\.path) == ["/login"])
        #expect(imported.collection.requests.first?.captures == [])
        #expect(notes.contains { $0.kind == .loss && $0.subject == "$(curl …)" })
    }

    @Test func `notes say what stands in front of a command`() throws {
        let (imported, notes) = try imported(
            """
            timeout 5 curl https://a.test/a
            https_proxy=http://me:pw@p.test:80 curl https://a.test/b
            kubectl exec -it pod/a -- curl https://a.test/c
            """)
        #expect(imported.collection.requests.map(\.path) == ["/a", "/b", "/c"])
        #expect(notes.map(\.subject) == ["timeout", "https_proxy", "kubectl"])
        #expect(notes.map(\.kind) == [.remark, .loss, .loss])
    }

    @Test(arguments: [
        "watch -n 5 'curl -H \"X-A: 1\" https://a.test/a?b=$B'", "bash -c 'curl -H \"X-A: 1\" https://a.test/a?b=$B'",
        "docker exec -it web sh -c \"curl -H 'X-A: 1' https://a.test/a?b=$B | jq .\"",
        "ssh host 'curl -H \"X-A: 1\" https://a.test/a?b=$B'",
    ])
    func `a command in a text that another shell runs is one`(line: String) throws {
        #expect(CurlImport.recognizes(line))
        let (imported, notes) = try imported(line)
        let request = try #require(imported.collection.requests.first)
        #expect(imported.requestCount == 1 && request.path == "/a" && request.headers == [Field("X-A", "1")])
        #expect(request.query == [Field("b", "{{B}}")])
        #expect(notes.filter { $0.subject == "$B" }.count == 1)
        let isElsewhere = line.hasPrefix("docker") || line.hasPrefix("ssh")
        #expect(notes.contains { $0.kind == .loss } == isElsewhere, "\(notes)")
    }

    @Test func `no note says that a credential stays which is moved`() throws {
        let (imported, notes) = try imported("curl -u ada:hunter2Hunter2 https://a.test/a\n")
        #expect(imported.secrets.map(\.value) == ["hunter2Hunter2"] && notes.isEmpty, "\(notes)")
    }

    @Test func `a document has the commands of its fenced blocks`() throws {
        let text = """
            # Check

            Say curl to it:

            ```bash
            BASE=https://a.test
            curl "$BASE/a"
            ```

            ```json
            {"curl": "it's"}
            ```

              ~~~
              $ timeout 5 curl https://a.test/b \\
                  -d a=1
              $ curl -H "X-A: $BASE" https://a.test/c
              It's done: {"a": 1}
              ~~~

            ```sh
            curl --nothing https://a.test/d
            ```
            """
        let file = try Importer.read(Array(text.utf8), from: "docs/runbook.md")
        #expect(file.collection.requests.map(\.method) == [.get, .post, .get])
        #expect(file.notes.filter { $0.kind == .loss }.map(\.position.line) == [22])
        #expect(!file.notes.contains { $0.message.hasPrefix("became") })
    }

    @Test func `a block of a shell in a document may begin with other commands`() throws {
        let text = "# Deploy\n\n```bash\nkubectl apply -f a.yaml\ncurl -I https://a.test/x\n```\n\n"
        let file = try Importer.read(Array((text + "```\nsome words\ncurl b.test\n```\n").utf8), from: "a.md")
        #expect(file.collection.requests.map(\.method) == [.head])
        #expect(file.notes.filter { $0.kind == .loss }.map(\.subject) == ["kubectl"])
    }

    @Test func `a URL that cannot be sent is a loss`() throws {
        let (_, notes) = try imported("curl https://a.test/x\ncurl '[--fail,--include]' -L\n")
        #expect(notes.lose("url", "is not a URL"))
    }

    @Test func `a jar of cookies is kept while Ombi runs`() throws {
        let (imported, _) = try imported("curl -c jar https://a.test/a\ncurl -b jar https://a.test/b\n")
        #expect(imported.collection.requests.map { $0.connection?.cookies } == [true, true])
    }

    @Test func `a file of commands is opened in place, whatever its name is`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("runbook.txt", "# Check it\ntimeout 5 curl https://a.test/health\n")
        let opened = CollectionFile.load(path).readInPlace
        #expect(opened.collection?.requests.map(\.path) == ["/health"])
        #expect(CollectionFile.load(try folder.file("notes.txt", "some words\n")).readInPlace.collection == nil)
    }

    @Test func `of several commands one may be wrong`() throws {
        let (imported, notes) = try imported("A=1\ncurl https://a.test/x\ncurl --nothing https://a.test/y\n")
        #expect(imported.collection.requests.count == 1)
        #expect(notes.contains { $0.kind == .loss && $0.position.line == 3 && $0.message.contains("--nothing") })
    }

    @Test func `no note has the value of a variable or the words of another command`() throws {
        let key = "8f3a9c1e5b7d2f4a6c8e0b1d"
        let (imported, notes) = try imported(
            """
            #!/bin/sh
            TOKEN=\(key)
            KEY=$(cat key.txt)
            OTHER=$(curl -u ada:\(key) https://a.test/token)
            LAST=${NONE:-\(key)}
            wget --header "X-Key: \(key)" https://a.test/z
            curl https://a.test/x -H "Authorization: Bearer $TOKEN" | tee a | wget --header "X-Key: \(key)" b.test
            """)
        #expect(!notes.contains { "\($0)".contains(key) })
        #expect(notes.contains { $0.subject == "$(curl …)" } && notes.contains { $0.subject == "${NONE …}" })
        #expect(!imported.written(keeping: .drop).text.contains(key))
        #expect(imported.collection.requests.last?.authentication == .bearer(BearerAuthentication(token: "{{TOKEN}}")))
    }

    @Test(arguments: ["Some words\ncurl https://a.test\n", "a: 1\ncurl https://a.test\n"])
    func `another text with a command in it is no script`(text: String) {
        #expect(throws: ImportError.self) { try Importer.read(Array(text.utf8), from: "a.txt") }
    }
}
