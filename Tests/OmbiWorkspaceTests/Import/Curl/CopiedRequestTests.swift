import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Requests as the developer tools of browsers copy them for JavaScript and PowerShell.
@Suite struct CopiedRequestTests {
    private func only(_ text: String) throws -> (SavedRequest, notes: [ImportNote]) {
        #expect(CurlImport.recognizes(text))
        let imported = try CurlImport.read(text)
        #expect(imported.requests.count == 1)
        return (try #require(imported.requests.first), imported.notes)
    }

    @Test(arguments: ["", "await ", "\n  ", "# a comment\n"])
    func `a fetch is a request without what belongs to the browser`(start: String) throws {
        let (request, notes) = try only(
            start
                + #"""
                fetch("https://a.test/x?a=1", {
                  "headers": {
                    "accept": "text/csv",
                    "content-type": "application/json",
                    "sec-ch-ua": "\"x\"",
                    "x-text": "\u00e9 \ud83d\ude00",
                  },
                  "referrer": "https://a.test/",
                  "body": "{\"a\":\"b\\n\"}",
                  "method": "POST",
                  "mode": "cors",
                  "credentials": "include"
                });
                """#)
        #expect(request.method == .post && request.path == "https://a.test/x")
        #expect(request.query == [Field("a", "1")])
        #expect(request.headers == [Field("accept", "text/csv"), Field("x-text", "é 😀")])
        #expect(request.body == .json(JSONContent(.object([.init("a", .string("b\n"))]))))
        #expect(notes.contains { $0.kind == .remark && $0.subject == "credentials" })
    }

    @Test func `several calls are several requests, and one that is no plain text is a loss`() throws {
        let text = "fetch(\"https://a.test/a\"); ;\nfetch(url, {});\nfetch('https://b.test/b', {\"body\": null});"
        let imported = try CurlImport.read(text)
        #expect(imported.requests.map(\.path) == ["https://a.test/a", "https://b.test/b"])
        #expect(imported.losses.map(\.position.line) == [2])
        #expect(throws: ImportError.self) { try CurlImport.read("fetch(url)") }
        #expect(throws: ImportError.self) { try CurlImport.read("fetch('/a')") }
    }

    @Test func `a command of PowerShell has its cookies, its headers and its body`() throws {
        let (request, notes) = try only(
            #"""
            $session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
            $session.UserAgent = "Mozilla/5.0"
            $session.Cookies.Add((New-Object System.Net.Cookie("sid", "c1", "/", "a.test")))
            Invoke-WebRequest -UseBasicParsing -Uri "https://a.test/x" `
            -Method "PUT" `
            -WebSession $session `
            -Headers @{
            "Accept"="text/csv"
              "X-A"="1`"q`$"
              "X-B"="$([char]233)"
            } `
            -ContentType "application/json" `
            -Body "{`"a`":1}"
            """#)
        #expect(request.method == .put && request.path == "https://a.test/x")
        #expect(
            request.headers == [
                Field("Accept", "text/csv"), Field("X-A", "1\"q$"), Field("X-B", "é"), Field("Cookie", "sid=c1"),
            ])
        #expect(request.body == .json(JSONContent(.object([.init("a", .number("1"))]))))
        #expect(notes.allSatisfy { $0.kind == .remark }, "\(notes)")
    }

    @Test func `bytes of a text are its text, and another option is a loss`() throws {
        let (request, notes) = try only(
            "Invoke-RestMethod https://a.test/x -Method Post -TimeoutSec 5 "
                + "-Body ([System.Text.Encoding]::UTF8.GetBytes(\"a=1`&b=2\")) | ConvertTo-Json")
        #expect(request.method == .post && request.path == "https://a.test/x")
        #expect(request.body == .form(FormContent([Field("a", "1"), Field("b", "2")])))
        #expect(notes.filter { $0.kind == .loss }.map(\.subject) == ["-TimeoutSec"])
    }

    @Test func `credentials of a copy are in no collection`() throws {
        let text = #"fetch("https://a.test/x", {"headers": {"authorization": "Bearer tk4Zr9QmW1xVb7Np2Ls8"}})"#
        let notes = try CurlImport.read(text).notes
        #expect(notes.map(\.subject) == ["authorization"] && !"\(notes)".contains("tk4Zr9QmW1xVb7Np2Ls8"))
        let imported = try Imported.joined([try Importer.read(Array(text.utf8), from: "copied.js")])
        #expect(imported.requestCount == 1 && imported.secrets.count == 1)
        #expect(!imported.written(keeping: .drop).text.contains("tk4Zr9QmW1xVb7Np2Ls8"))
    }
}
