import Foundation
import OmbiCore

/// Servers that are not there, break off or speak something else.
enum FailureCases {
    static let all = [refused, unknownHost, dropped, brokenBody, garbage, noTLS, badChunk, badGzip, goesOn]

    private static func elsewhere(_ name: String, _ address: String, _ expected: String) -> TransportCase {
        TransportCase(name, needsNetwork: true, expects: [expected]) { stage in
            guard let url = URL(string: address) else { return }
            let events = await stage.transport().allEvents(of: TransportRequest(url: url))
            stage.note(events.outline { $0 })
        }
    }

    private static let refused = elsewhere(
        "a refused connection is named", "http://127.0.0.1:1/",
        "failed cannotConnectToHost: could not connect to 127.0.0.1:1 (connection refused)")

    private static let unknownHost = elsewhere(
        "an unknown host is named", "http://nowhere.invalid/",
        "failed cannotFindHost: could not find the host nowhere.invalid")

    /// One reply that is no proper response.
    private static func reply(
        _ name: String, _ reply: LoopbackReply, needs: Set<TransportCase.Feature> = [], _ expected: [String],
        cutAfter end: String? = nil
    ) -> TransportCase {
        TransportCase(name, needsNetwork: true, needs: needs, expects: expected) { stage in
            let server = try stage.server { _ in reply }
            let events = await stage.transport(for: server).allEvents(of: server.request())
            // The reason in brackets is the library's own.
            stage.note(
                events.outline(stage.hidden(server)).map { line in
                    guard let end, let range = line.range(of: end) else { return line }
                    return String(line[..<range.lowerBound])
                })
        }
    }

    private static let dropped = reply(
        "a connection that closes without a response is named", .drop,
        ["failed connectionLost: the connection to SERVER broke before a response came (empty reply from server)"])

    private static let brokenBody = reply(
        "a connection that breaks within the body is named", .broken(length: 2048, sent: 512),
        needs: [.partialResponse],
        [
            "head 200", "failed connectionLost: the connection to SERVER broke after 512 of 2048 bytes",
            "part 200 512 bytes",
        ])

    private static let garbage = reply(
        "what is not HTTP is named", .raw(Data("this is not HTTP\r\n\r\n".utf8)), needs: [.words],
        ["failed malformedResponse: SERVER sent an invalid HTTP response"], cutAfter: " (")

    private static let badChunk = reply(
        "a chunk that is none is named",
        .raw(Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nxyz\r\n".utf8)),
        needs: [.words, .partialResponse],
        [
            "head 200", "failed malformedResponse: the body from SERVER is not valid chunked encoding",
            "part 200 \"hello\"",
        ], cutAfter: " (")

    private static let badGzip = TransportCase(
        "a body that cannot be decoded is an error", needsNetwork: true, expects: ["head 200", "failed"]
    ) { stage in
        let server = try stage.server { _ in
            .response(status: 200, headers: [("Content-Encoding", "gzip")], body: Data("not gzip".utf8))
        }
        let events = await stage.transport(for: server).allEvents(
            of: server.request(headers: ["Accept-Encoding": "gzip"]))
        stage.note(
            events.outline { $0 }.filter { !$0.hasPrefix("part") }.map {
                String($0.prefix { $0 != "d" }) == "faile" ? "failed" : $0
            })
    }

    private static let noTLS = TransportCase(
        "plain text behind https is a failure of TLS", needsNetwork: true,
        expects: ["failed secureConnectionFailed: could not make a secure connection to SERVER"]
    ) { stage in
        let server = try stage.server(greeting: Data("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)) { _ in .drop }
        guard let url = URL(string: "https://\(server.place)/") else { return }
        let events = await stage.transport().allEvents(of: TransportRequest(url: url))
        stage.note(
            events.outline(stage.hidden(server)).map { line in
                line.components(separatedBy: "SERVER")[0] + (line.contains("SERVER") ? "SERVER" : "")
            })
    }

    private static let goesOn = TransportCase(
        "a transport goes on after failures", needsNetwork: true,
        expects: Array(repeating: "finished 200 \"fine\"", count: 3)
    ) { stage in
        let server = try stage.server { request in
            switch request.target {
            case "/drop": .drop
            case "/broken": .broken(length: 2048, sent: 512)
            case "/garbage": .raw(Data("\u{0}\u{1}\r\n\r\n".utf8))
            default: .ok("fine")
            }
        }
        let transport = stage.transport(for: server)
        for path in ["/drop", "/broken", "/garbage"] {
            _ = await transport.allEvents(of: server.request(.get, path))
            stage.note(await transport.allEvents(of: server.request()).outline { $0 }.suffix(1))
        }
    }
}
