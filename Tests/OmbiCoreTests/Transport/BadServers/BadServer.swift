import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// What a server does with a request, and what has to come of it.
///
/// In bytes and in addresses, SERVER stands for the server's own "127.0.0.1:8080".
struct BadServer: Sendable, CustomTestStringConvertible {
    enum Step: Sendable {
        case bytes(Data)
        /// Again and again, until the client has enough.
        case endless(Data)
        /// Takes so many bytes of the request's body.
        case readBody(Int)
        /// Ends the connection with an error instead of an orderly end.
        case reset
        /// Keeps the connection for the next request.
        case stay
        /// Ends what is sent, and reads until the client ends.
        case linger
        /// Reads until the client ends.
        case wait
        /// Until the client has read all frames of HTTP/2 so far.
        case sync

        static func text(_ text: String) -> Step { .bytes(Data(text.utf8)) }
    }

    enum Outcome: Sendable, Equatable {
        case response(Int, String)
        case failure(TransportError.Code, String)
    }

    /// What the server speaks.
    enum Language: Sendable {
        case http1
        /// Without TLS, to clients that know. The steps begin behind the client's request.
        case http2
        /// Steps instead of a handshake, on the first connection; HTTP/1.1 without TLS on the others.
        case tls
    }

    let name: String
    let steps: [Step]
    var language = Language.http1
    let outcome: Outcome
    var method = RequestMethod.get
    var headers: RequestHeaders = [:]
    var body: Data?
    var maximumBytes = 1 << 20
    var connection = Connection()

    var testDescription: String { name }

    /// Sends the text, and closes.
    init(_ name: String, _ text: String, _ outcome: Outcome, method: RequestMethod = .get) {
        self.init(name, [.text(text)], outcome, method: method)
    }

    init(_ name: String, _ steps: [Step], _ outcome: Outcome, method: RequestMethod = .get) {
        self.name = name
        self.steps = steps
        self.outcome = outcome
        self.method = method
    }

    func with(_ change: (inout BadServer) -> Void) -> BadServer {
        var copy = self
        change(&copy)
        return copy
    }
}

extension BadServer.Outcome {
    /// "(…)" in a sentence, or "…" at its end, stands for the words of a library, which differ between its versions.
    func matches(_ expected: Self) -> Bool {
        guard case .failure(let code, let sentence) = self, case .failure(let expectedCode, let pattern) = expected,
            code == expectedCode
        else { return self == expected }
        if pattern.hasSuffix(": …") { return sentence.hasPrefix(pattern.dropLast()) && sentence.count > pattern.count }
        guard let words = pattern.range(of: "(…)") else { return sentence == pattern }
        return sentence.hasPrefix(pattern[..<words.lowerBound] + "(")
            && sentence.hasSuffix(")" + pattern[words.upperBound...])
    }

    static func ok(_ body: String) -> Self { .response(200, body) }

    static func malformed(_ sentence: String) -> Self { .failure(.malformedResponse, sentence) }

    static func lost(_ sentence: String) -> Self { .failure(.connectionLost, sentence) }

    static func tooLarge(_ sentence: String) -> Self { .failure(.responseTooLarge, sentence) }
}

extension BadServer {
    /// Sends the request, and then a healthy one to the same server with the same transport.
    func check() async throws {
        let server = try RawServer(script)
        defer { server.stop() }
        let transport = CurlTransport(configuration: .init(maximumResponseBytes: maximumBytes))
        let scheme = language == .tls ? "https" : "http"
        let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(server.port)/bad"))
        var connection = connection
        if language == .http2 { connection.httpVersion = .http2PriorKnowledge }
        let request = TransportRequest(
            url: url, method: method, headers: headers, body: body, connection: connection)
        let events = await transport.events(of: request)
        let last = try #require(events.last)
        let found = Self.outcome(last, server.port)
        #expect(found.matches(outcome), "\(found) instead of \(outcome)")
        Self.checkWords(last)
        Self.checkOrder(events)
        let healthy = try #require(URL(string: server.host + "/healthy"))
        if language == .tls { connection = Connection() }
        let next = await transport.events(of: TransportRequest(url: healthy, connection: connection)).last
        #expect(next.map { Self.outcome($0, server.port) } == .ok("healthy"), "the request after it")
    }

    private var script: RawServer.Script {
        let (steps, connections) = (steps, Counter())
        switch language {
        case .http1: return { Self.serve(steps, $0) }
        case .http2:
            return { connection in
                guard HTTP2.readRequest(connection) else { return }
                let healthy: [Step] = [.bytes(HTTP2.response("healthy")), .linger]
                _ = Self.answer(connections.next() == 0 ? steps : healthy, connection, "")
            }
        case .tls:
            return { connection in
                if connections.next() == 0 {
                    _ = Self.answer(steps, connection, "")
                } else {
                    Self.serve([], connection)
                }
            }
        }
    }

    /// HTTP/1.1, with `steps` for the request that is to meet them.
    private static func serve(_ steps: [Step], _ connection: RawConnection) {
        while let head = connection.readHead() {
            let words = head.split(separator: " ")
            let isBad = words.count < 2 || words[1] == "/bad"
            guard answer(isBad ? steps : healthy(String(words[1])), connection, head) else { return }
        }
    }

    private static func healthy(_ target: String) -> [Step] {
        let text = String(target.dropFirst())
        return [.text("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"), .stay]
    }

    /// False when the connection is to be closed.
    private static func answer(_ steps: [Step], _ connection: RawConnection, _ head: String) -> Bool {
        for step in steps {
            switch step {
            case .bytes(let bytes): connection.send(named(bytes, head))
            case .endless(let piece): while connection.send(piece) {}
            case .readBody(let count): _ = connection.read(count)
            case .reset:
                connection.reset()
                return false
            case .stay: return true
            case .linger:
                connection.finishSending()
                connection.waitForEnd()
            case .wait: connection.waitForEnd()
            case .sync: HTTP2.sync(connection)
            }
        }
        return false
    }

    private static func named(_ bytes: Data, _ head: String) -> Data {
        guard bytes.range(of: Data("SERVER".utf8)) != nil else { return bytes }
        let host = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("host: ") }?.dropFirst(6) ?? ""
        return Data(String(decoding: bytes, as: UTF8.self).replacing("SERVER", with: host).utf8)
    }

    static func outcome(_ event: TransportEvent, _ port: Int) -> Outcome {
        switch event {
        case .finished(let response, _):
            return .response(
                response.statusCode ?? 0, response.body.map { String(decoding: $0.prefix(200), as: UTF8.self) } ?? "")
        case .failed(let error, _):
            return .failure(error.code, error.message.replacing("127.0.0.1:\(port)", with: "SERVER"))
        default: return .failure(.unknown, "no last event")
        }
    }

    /// Whatever the server sent: a message is a line of reasonable length that hides nothing.
    static func checkWords(_ event: TransportEvent) {
        guard let error = event.error else { return }
        let isPlain = error.description.unicodeScalars.allSatisfy {
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        #expect(isPlain, "\(error.description.debugDescription)")
        #expect((10...400).contains(error.description.count))
        #expect(error.description.first?.isLowercase == true || error.description.first?.isNumber == true)
    }

    /// One head at most, the body behind it, and one last event.
    static func checkOrder(_ events: [TransportEvent]) {
        let kinds = events.compactMap { event in
            switch event {
            case .head: "head"
            case .body, .received: "body"
            case .finished, .failed: "end"
            default: nil
            }
        }
        #expect(kinds.filter { $0 == "head" }.count <= 1)
        #expect(kinds.filter { $0 == "end" }.count == 1)
        #expect(kinds == kinds.sorted { Self.rank($0) < Self.rank($1) })
    }

    private static func rank(_ kind: String) -> Int { ["head": 0, "body": 1, "end": 2][kind] ?? 3 }
}
