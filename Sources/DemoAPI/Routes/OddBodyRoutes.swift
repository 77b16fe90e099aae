import Foundation

/// Bodies that break a careless client or a careless terminal.
let oddBodyRoutes: [Route] = [
    Route("GET", "/broken.json", "JSON that ends in the middle") { _ in
        .bytes(Data("{\"id\": 1,\n \"name\": \"broken\",\n \"tags\": [\"a\", \"b\"".utf8), type: "application/json")
    },
    Route("GET", "/encoding/invalid-utf8", "says UTF-8, and is not") { _ in
        let body =
            Array("{\"before\": \"".utf8) + [0xff, 0xfe, 0xc3, 0x28, 0xe2, 0x82] + Array("\", \"after\": 1}\n".utf8)
        return .bytes(Data(body), type: "application/json; charset=utf-8")
    },
    Route("GET", "/control-characters", "escape sequences that a terminal must never see") { _ in
        .text(controlCharacters)
    },
    Route("GET", "/control-characters.json", "the same as a JSON string, the escapes written out") { _ in
        .json(.object([("text", .string(controlCharacters))]))
    },
    Route("GET", "/empty", "200 with no body at all") { _ in .bytes(Data(), type: "text/plain") },
]

private let controlCharacters = """
    title: \u{1b}]0;owned\u{07}
    clear: \u{1b}[2J\u{1b}[H
    clipboard: \u{1b}]52;c;b3duZWQ=\u{07}
    colour: \u{1b}[31mred\u{1b}[0m
    alternate screen: \u{1b}[?1049l
    answerback: \u{05} \u{1b}[c \u{1b}[6n
    C1 CSI: \u{9b}31m
    bell and backspace: \u{07}\u{08}\u{08}\u{08}
    bidirectional override: \u{202e}txt.exe
    carriage return: visible\rhidden
    delete: \u{7f}

    """
