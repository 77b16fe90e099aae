import Testing

@testable import OmbiWorkspace

@Suite struct CaptureFormatTests {
    private func problems(_ captures: String) -> [String] {
        let text =
            "{\"version\": 1, \"name\": \"c\", \"items\": [\n{\"request\": \"r\", \"path\": \"/\", \"capture\": \(captures)}]}"
        return CollectionFile.read(Array(text.utf8), file: "f").problems.map(\.description)
    }

    @Test(arguments: [
        (
            "{\"a\": {\"path\": \"$.[\"}}",
            "f:2:57: error: \"path\": $.[ is no JSONPath: column 3: expected a name or '*' after '.', found '['"
        ),
        (
            "{\"a\": {}}",
            "f:2:48: error: the capture \"a\" has one of \"path\", \"header\", \"cookie\", \"status\" and \"regex\"; write for example { \"path\": \"$.token\" }"
        ),
        (
            "{\"a b\": {\"status\": true}}",
            "f:2:50: error: the capture \"a b\": a name has letters, digits, _, - and . only, as in {{user.name}}"
        ),
        (
            "{\"a\": {\"header\": \"A\", \"maximumAg\": \"1m\"}}",
            "f:2:64: warning: unknown key \"maximumAg\"; did you mean \"maximumAge\"?"
        ),
        (
            "{\"a\": {\"regex\": \"(\"}}",
            "f:2:58: error: \"regex\": ( is no regular expression: '(' without ')' (column 1)"
        ),
        (
            "{\"a\": \"$.y\"}",
            "f:2:48: error: \"a\": expected an object, found a string; write { \"path\": \"$.token\" }"
        ),
        ("{\"a\": {\"path\": []}}", "f:2:57: error: \"path\": expected a string, found an array"),
        ("{\"a\": {\"header\": \"\"}}", "f:2:59: error: \"header\": the name is empty"),
    ])
    func `a mistake in a capture has its place`(captures: String, message: String) {
        #expect(problems(captures) == [message])
    }

    @Test(arguments: ["$.token", "header ETag", "cookie sid", "status", "regex a (b)"])
    func `a source is a line of text`(text: String) throws {
        #expect(try Capture.Source(text).text == text)
    }

    @Test(arguments: ["", "token", "header", "status 1", "$[", "regex ("])
    func `a line that is no source is refused`(text: String) {
        #expect(throws: FieldError.self) { try Capture.Source(text) }
    }

    @Test func `check finds the errors of templates, with their places`() {
        let text = """
            {"version": 1, "name": "c",
             "variables": {"a": "x {{b}}", "b": "{{a}}", "ok": "1"},
             "environments": [{"name": "e", "host": "http://h"}],
             "items": [
              {"request": "r", "path": "/{{tokn}}/{{ok", "headers": [{"name": "A", "value": "\\t\\u00e9 {{$randmInt(1, 2)}}"}]},
              {"request": "s", "path": "/", "body": {"json": {"{{$randomInt(2, 1)}}": "{{ok:numbr}}"}}},
              {"request": "t", "path": "/{{u}}", "capture": {"t": {"status": true}}},
              {"request": "u", "path": "/{{t}}/{{tokn}}", "capture": {"u": {"status": true}}}
             ]}
            """
        let problems = CollectionCheck.problems(in: Array(text.utf8), file: "f").map(\.description)
        #expect(
            problems == [
                "f:2:24: error: the variable \"a\" at column 3 refers to itself: a → b → a",
                "f:2:38: error: the variable \"b\" at column 1 refers to itself: b → a → b",
                "f:5:39: error: the {{ at column 11 is not closed with }}; write \\{{ for the braces themselves",
                "f:5:91: error: unknown function \"$randmInt\" at column 4; did you mean \"$randomInt\"?",
                "f:6:52: error: $randomInt at column 1: 2 is greater than 1",
                "f:6:76: error: unknown kind \"numbr\" at column 1; did you mean \"number\"?",
                "f:7:3: error: {{t}}: the requests need each other: \"t\" → \"u\" → \"t\"; set t with --set, or capture it elsewhere",
                "f:8:3: error: {{u}}: the requests need each other: \"u\" → \"t\" → \"u\"; set u with --set, or capture it elsewhere",
                "f:8:36: warning: unknown variable \"tokn\" at column 8; known: a, b, ok, t, u; no environment has it, and no request captures it",
            ])
    }
}
