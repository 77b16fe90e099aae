import OmbiCore
import Testing

@testable import OmbiWorkspace

/// The errors of a collection that only a run stumbles over.
@Suite struct CollectionCheckTests {
    private static func problems(_ text: String) -> [String] {
        CollectionCheck.problems(in: Array(text.utf8), file: "f").map(\.description)
    }

    @Test(arguments: [
        ("not a url", "\"not a url\" is not a URL; write for example https://api.example.com"),
        ("shop.test", "\"shop.test\" is not a URL; write for example https://api.example.com"),
        ("ftp://x", "\"ftp://x\" cannot be requested; write http:// or https:// in place of ftp://"),
        ("http://h?a", "\"http://h?a\" has a query; write it in the path of a request"),
        ("http://h/v1#a/", "\"http://h/v1#a\" has a fragment; remove it"),
        ("http://h:99999/v1", "the port \"99999\" of \"http://h:99999/v1\" is not a number from 1 to 65535"),
        ("http://u:p@[::1]:x", "the port \"x\" of \"http://u:p@[::1]:x\" is not a number from 1 to 65535"),
        ("http://[::1", "\"http://[::1\" is not a URL; write for example https://api.example.com"),
        ("", "the host is empty; write for example https://api.example.com"),
        ("ws://h/v1", "\"ws://h/v1\" is the address of a WebSocket; write http://h/v1, which opens them, too"),
        ("WSS://h", "\"WSS://h\" is the address of a WebSocket; write https://h, which opens them, too"),
    ]) func `a host that nothing can be sent to is an error`(host: String, told: String) {
        let found = Self.problems(
            #"{ "version": 1, "name": "c", "items": [], "environments": [{ "name": "e", "host": "\#(host)" }] }"#)
        #expect(found == ["f:1:83: error: \"host\": \(told)"])
    }

    @Test(arguments: ["http://h:1", "h", "http://h?", "x://"]) func `a message quotes the start of a long host`(
        start: String
    ) {
        let host = start + String(repeating: "x", count: 100_000)
        let found = Self.problems(
            #"{ "version": 1, "name": "c", "items": [], "environments": [{ "name": "e", "host": "\#(host)" }] }"#)
        #expect(found.count == 1 && found.allSatisfy { $0.utf8.count < 500 }, "\(found.map { $0.prefix(300) })")
    }

    @Test(arguments: [
        (#""headers": [{ "name": "a b", "value": "c" }]"#, #""a b""#, "the header \"a b\": \(HeaderCheck.nameForm)"),
        (
            #""headers": [{ "name": "X", "value": "a\nb" }]"#, #""a\nb""#,
            "the header \"X\": the value contains a line break or another control character"
        ),
        (
            #""method": "CONNECT""#, #""CONNECT""#,
            "\"method\": CONNECT asks a proxy for a tunnel, and is no request to a server"
        ),
        (
            #""method": "POST", "webSocket": {}"#, #""POST""#,
            "\"method\": a WebSocket is opened with GET and without a body"
        ),
        (
            #""webSocket": { "subprotocols": ["v1", "a b"] }"#, #"{ "subprotocols""#,
            "\"webSocket\": \"a b\" is not the name of a subprotocol"
        ),
        (
            #""webSocket": { "subprotocols": ["v1", "v1"] }"#, #"{ "subprotocols""#,
            "\"webSocket\": the subprotocol v1 is offered twice"
        ),
        (
            #""cookies": [{ "name": "X", "value": "a\nb" }]"#, #""a\nb""#,
            "the cookie \"X\": the value contains a line break or another control character"
        ),
    ]) func `what no run sends is an error at its place`(members: String, place: String, told: String) {
        let text = #"{ "version": 1, "name": "c", "items": [{ "request": "r", "path": "/", \#(members) }] }"#
        let column = text.firstRange(of: place).map { text[..<$0.lowerBound].utf8.count + 1 } ?? 0
        #expect(Self.problems(text) == ["f:1:\(column): error: \(told)"])
    }

    @Test(arguments: [
        #""headers": [{ "name": "a b", "value": "c", "enabled": false }]"#,
        #""headers": [{ "name": "X-{{a}}", "value": "" }]"#, #""headers": [{ "name": "X", "value": "{{a}}\tb" }]"#,
        #""cookies": [{ "name": "X", "value": "a\nb", "enabled": false }, { "name": "Y", "value": "{{a}}" }]"#,
        #""method": "TRACE""#, #""webSocket": {}"#, #""method": "GET", "expect": { "headers": { "X": "x" } }"#,
    ]) func `what a run sends is none`(members: String) {
        let text =
            #"{ "version": 1, "name": "c", "variables": { "a": "1" }, "#
            + #""items": [{ "request": "r", "path": "/", \#(members) }] }"#
        #expect(Self.problems(text) == [])
    }

    @Test func `a cookie that ends too early is a warning`() {
        let text = #"""
            { "version": 1, "name": "c", "items": [{ "request": "r", "path": "/",
              "cookies": [{ "name": "a=b", "value": "c" }, { "name": "d", "value": "e;f" }] }] }
            """#
        let told = ["a = would end the name of the cookie", "a ; would end the cookie"]
        #expect(zip(Self.problems(text), told).allSatisfy { $0.contains(": warning: the cookie ") && $0.hasSuffix($1) })
        #expect(Self.problems(text).count == 2)
    }

    @Test func `a header of an environment and a method at the URL of a WebSocket are checked, too`() {
        let text = #"""
            { "version": 1, "name": "c", "environments": [{ "name": "e", "host": "http://h",
              "additionalHeaders": { "a b": "x", "X-Off": { "value": "a\nb", "enabled": false } } }],
              "items": [{ "request": "r", "path": "wss://h/x", "method": "POST" }] }
            """#
        let found = Self.problems(text)
        #expect(found.count == 2 && found[0].hasPrefix("f:2:") && found[1].hasPrefix("f:3:"), "\(found)")
    }

    @Test(arguments: [
        #""host": "https://h/v1/""#, #""host": "http://{{region}}.h", "variables": { "region": "eu" }"#,
        #""abstract": true, "host": """#, #""abstract": true"#, #""host": " http://h/v1 ""#, #""host": "localhost:80""#,
    ]) func `a host that is right, or is found elsewhere, is none`(members: String) {
        let text = #"{ "version": 1, "name": "c", "items": [], "environments": [{ "name": "e", \#(members) }] }"#
        #expect(Self.problems(text) == [])
    }

    @Test(arguments: [
        ("tokenURL", "htp://a.test/t", true), ("deviceURL", "http:/a.test", true),
        ("authorizationURL", "https//a.test", true), ("tokenURL", "a.test:99999/t", true),
        ("tokenURL", "localhost:80/t", false), ("tokenURL", " http://a.test/t", false), ("tokenURL", "{{id}}/t", false),
        ("tokenURL", "//a.test/t", true), ("deviceURL", "POST /t", true), ("tokenURL", "//bucket/t", false),
        ("deviceURL", "/device", false), ("scope", "htp://a.test", false),
    ]) func `an address of an authorization server that cannot be is an error at its place`(
        key: String, written: String, isError: Bool
    ) {
        let value = key == "tokenURL" ? "" : #""tokenURL": "/t", "#
        let start =
            #"{ "version": 1, "name": "c", "variables": { "id": "x" }, "items": [], "authentication": { "oauth2": { "#
            + #""grant": "clientCredentials", "clientID": "c", \#(value)"\#(key)": "#
        let found = Self.problems(start + "\"\(written)\" } } }")
        #expect(found.count == (isError ? 1 : 0), "\(found)")
        #expect(found.allSatisfy { $0.hasPrefix("f:1:\(start.utf8.count + 1): error: \"\(key)\": ") }, "\(found)")
    }

    @Test func `a host of the local file that nothing can be sent to is an error`() {
        let text = #"{ "environments": [{ "name": "a", "host": "" }, { "name": "b", "host": "shop.test" }] }"#
        #expect(
            CollectionCheck.hostProblems(inLocal: Array(text.utf8), file: "c.local.json").map(\.description) == [
                "c.local.json:1:72: error: \"host\": \"shop.test\" is not a URL; "
                    + "write for example https://api.example.com"
            ])
        #expect(CollectionCheck.hostProblems(inLocal: Array("{".utf8), file: "c.local.json") == [])
    }

    @Test func `a name that a request beside has is a warning`() {
        let text = """
            { "version": 1, "name": "c", "items": [{ "request": "a", "path": "/" }, { "request": "b", "path": "/" },
            { "folder": "f", "items": [{ "request": "a", "path": "/" }, { "request": "a", "path": "/" }] },
            { "request": "a", "path": "/" }] }
            """
        let warning =
            "warning: another request beside this one is named \"a\": `ombi run` sends both, and they have one history"
        #expect(Self.problems(text) == ["f:2:61: \(warning)", "f:3:1: \(warning)"])
    }

    @Test(arguments: [
        (#""body": { "json": {} }"#, "gzip", true), (#""body": { "text": "a" }"#, "BR", true),
        (#""body": { "file": "a.gz" }"#, "gzip", false), (#""body": { "json": {} }"#, "identity", false),
        (#""body": { "json": {} }"#, "{{coding}}", false), (#""description": "no body""#, "gzip", false),
    ])
    func `a body that its header calls compressed is a warning`(member: String, coding: String, isWarned: Bool) {
        let text = #"""
            { "version": 1, "name": "c", "variables": { "coding": "gzip" }, "items": [
            { "request": "a", "method": "POST", "path": "/", \#(member),
              "headers": [{ "name": "content-encoding", "value": "\#(coding)" }] }] }
            """#
        let warning =
            "f:2:1: warning: \"Content-Encoding\" is \"\(coding)\", and the body is sent as it is; "
            + "set \"compression\" instead, or send a compressed file"
        #expect(Self.problems(text) == (isWarned ? [warning] : []))
    }

    @Test(arguments: [
        ("application/json", true), ("", true), ("multipart", true), ("multipart/related; type=x", false),
        ("Multipart/Form-Data; boundary=x", false), ("{{type}}", false),
    ])
    func `a form that its header calls something else is a warning`(type: String, isWarned: Bool) {
        let text = #"""
            { "version": 1, "name": "c", "variables": { "type": "a/b" }, "items": [
            { "request": "a", "method": "POST", "path": "/", "body": { "multipart": [{ "name": "a", "value": "1" }] },
              "headers": [{ "name": "content-type", "value": "\#(type)" }] }] }
            """#
        let warning =
            "f:2:1: warning: \"Content-Type\" is \"\(type)\", with which no server finds the parts of the form; "
            + "remove the header"
        #expect(Self.problems(text) == (isWarned ? [warning] : []))
    }

    @Test(arguments: [
        (#"{ "basic": { "username": "a:b", "password": "{{p}}" } }"#, "the user name for Basic authentication"),
        (#"{ "basic": { "username": "{{p}}:", "password": "{{p}}" } }"#, "the user name for Basic authentication"),
        (#"{ "bearer": "a\nb" }"#, "the value contains a line break"),
        (#"{ "bearer": "{{p}}\r" }"#, "the value contains"),
        (#"{ "apiKey": { "name": "a b", "value": "{{p}}" } }"#, "\"a b\" is no name for an API key"),
        (#"{ "apiKey": { "name": "a", "value": "{{p}};", "in": "cookie" } }"#, "the value of the cookie a contains"),
        (#"{ "apiKey": { "name": "a b", "value": "{{p}};", "in": "query" } }"#, ""),
        (#"{ "basic": { "username": "{{p}}", "password": "a:b" } }"#, ""), (#"{ "bearer": "{{p}}" }"#, ""),
    ])
    func `credentials that no run sends are a warning`(authentication: String, reason: String) {
        let text = #"{ "version": 1, "name": "c", "authentication": \#(authentication), "items": [] }"#
        let problems = CollectionFile.read(Array(text.utf8), file: "f").problems.map(\.message)
        let isFound = problems.map { $0.hasPrefix("\"authentication\": " + reason) }
        #expect(isFound == (reason.isEmpty ? [] : [true]), "\(problems)")
    }

    @Test(arguments: [("gzip", false), ("br", true)])
    func `a header in whose place a compressed body has its own is a warning`(coding: String, isWarned: Bool) {
        let text = #"""
            { "version": 1, "name": "c", "items": [
            { "request": "a", "method": "POST", "path": "/", "body": { "json": {} }, "compression": "gzip",
              "headers": [{ "name": "Content-Encoding", "value": "\#(coding)" }] }] }
            """#
        let warning =
            "f:2:1: warning: \"Content-Encoding\" is \"br\", and \"compression\" sends gzip in its place; "
            + "remove the header"
        #expect(Self.problems(text) == (isWarned ? [warning] : []))
    }

    @Test(arguments: [
        ("photo", true), ("image/", true), ("image png", true), ("image/png", false), ("a/b; c=d", false),
        ("{{t}}", false), ("", false),
    ])
    func `a content type that is none is a warning, of a body and of a part`(type: String, isWarned: Bool) {
        let text = #"""
            { "version": 1, "name": "c", "variables": { "t": "a/b" }, "items": [
            { "request": "a", "method": "POST", "path": "/", "body": { "text": "x", "contentType": "\#(type)" } },
            { "request": "b", "method": "POST", "path": "/", "body": { "multipart": [
              { "name": "p", "value": "x", "contentType": "\#(type)" }] } },
            { "request": "c", "method": "POST", "path": "/", "body": { "json": { "contentType": "photo" } } }] }
            """#
        let problems = Self.problems(text)
        #expect(problems.count == (isWarned ? 2 : 0), "\(problems)")
        #expect(problems.allSatisfy { $0.contains("warning: \"contentType\"") && $0.contains("two words") })
    }

    @Test func `a file beside that cannot be read hides no other problem`() {
        let text = #"""
            { "version": 1, "name": "c", "items": [{ "request": "a", "path": "/{{x}}/{{" }],
              "environments": [{ "name": "e", "host": "ftp://x" }] }
            """#
        let problems = CollectionCheck.problems(in: Array(text.utf8), file: "f", isWhole: false).map(\.description)
        #expect(problems.count == 2 && !problems.contains { $0.contains("no environment has it") }, "\(problems)")
    }

    @Test func `a variable in an expectation, which is not filled in, is a warning`() {
        let text = #"""
            { "version": 1, "name": "c", "variables": { "user": "ada" }, "items": [
            { "request": "a", "path": "/{{user}}", "expect": { "headers": { "X": "{{user}}" }, "body": [
              { "path": "$.a", "contains": "é \"{{user}}\"" }, { "contains": "{{other}} {{{ }} \\{{user}}" } ] } }] }
            """#
        let told = "warning: {{user}} is not filled in: an expectation is compared as it is written"
        #expect(Self.problems(text) == ["f:2:71: \(told)", "f:3:37: \(told)"])
    }

    @Test func `of one text, a hundred problems are told`() {
        let text = String(repeating: "{{a}}", count: 5000)
        let found = Self.problems(
            #"{ "version": 1, "name": "c", "environments": [{ "name": "e", "host": "http://a.test" }], "items": ["#
                + #"{ "request": "r", "method": "POST", "path": "/", "body": { "text": "\#(text)" } }] }"#)
        #expect(found.count == 100)
    }

    @Test func `a path parameter without a value is an error`() {
        let text = """
            { "version": 1, "name": "c", "items": [{ "folder": "f", "items": [
            { "request": "a", "path": "/x/:id", "pathParameters": { "id": "1" } },
            { "request": "b", "path": "/x/:id?q=/:no", "pathParameters": { "ids": "1" } },
            { "request": "c", "path": "/x/:id",
              "pathParameters": [{ "name": "id", "value": "1", "enabled": false }] }] }] }
            """
        #expect(
            Self.problems(text) == [
                "f:3:27: error: \"path\": no path parameter is named \"id\"; did you mean \"ids\"?; add it, or take :id out of the path",
                "f:4:27: error: \"path\": no path parameter is named \"id\"; add it, or take :id out of the path",
            ])
    }
}
