import FlyingFox
import Foundation

/// Network failures on demand: transient errors, delays, any status, broken connections.
func reliabilityRoutes(_ counters: Counters) -> [Route] {
    [
        Route("*", "/flaky", "fails, then works, then starts over; failures, status, key, retryAfter") {
            try await flaky($0, counters)
        },
        Route("*", "/slow", "answers after ms milliseconds") { request in
            let milliseconds = try request.integer("ms", default: 500, in: 0...60_000)
            try await Task.sleep(for: .milliseconds(milliseconds))
            return .json(
                .object([("waitedMilliseconds", .integer(milliseconds))]),
                headers: [("Server-Timing", "sleep;dur=\(milliseconds);desc=\"asleep, on purpose\"")])
        },
        Route("*", "/status/:code", "answers with that status, 200 to 599") { request in
            let status = try request.pathInteger("code", in: 200...599)
            if [204, 205, 304].contains(status) { return .empty(status: status) }
            let body = JSON.object([("status", .integer(status)), ("phrase", .string(StatusPhrase.of(status)))])
            return .json(body, status: status)
        },
        Route("GET", "/drop", "breaks the connection in the middle of the body") { _ in
            let stream = ByteStream { piece in
                if piece > 0 { throw APIError(status: 500, message: "dropped on purpose") }
                return Array(#"{"items":[1,2,3,"#.utf8)
            }
            return .stream(stream, length: 1_000, type: "application/json")
        },
        Route("GET", "/rates", "rates of exchange; a 503 with the header X-Down") { request in
            if request.header("X-Down") != nil { throw APIError(status: 503, message: "down, on purpose") }
            return .json(
                .object([("base", .string("EUR")), ("USD", .string("1.0842")), ("GBP", .string("0.8561"))]))
        },
        Route("POST", "/idempotent", "counts; the same Idempotency-Key counts once") { request in
            guard let key = request.header("Idempotency-Key"), !key.isEmpty else {
                throw APIError(status: 400, message: "the header Idempotency-Key is missing")
            }
            let calls = await counters.increment("idempotent \(key)")
            let body = JSON.object([
                ("key", .string(key)), ("calls", .integer(calls)), ("charged", .integer(1)),
                ("repeated", .bool(calls > 1)),
            ])
            return .json(body, status: calls > 1 ? 200 : 201)
        },
    ]
}

/// Fails `failures` times, then works once and starts over. `key` keeps clients apart.
private func flaky(_ request: DemoRequest, _ counters: Counters) async throws -> HTTPResponse {
    let failures = try request.integer("failures", default: 2, in: 0...1_000_000)
    let status = try request.integer("status", default: 503, in: 400...599)
    let wait = try request.integer("retryAfter", default: 0, in: 0...3600)
    let name = "flaky \(request.value("key") ?? "")"
    let attempt = await counters.increment(name)
    guard attempt > failures else {
        throw APIError(
            status: status, message: "failure \(attempt) of \(failures), on purpose",
            headers: wait > 0 ? [("Retry-After", String(wait))] : [])
    }
    await counters.reset(name)
    return .json(.object([("ok", .bool(true)), ("attempt", .integer(attempt)), ("failures", .integer(failures))]))
}

/// Bodies that arrive bit by bit.
let streamRoutes: [Route] = [
    Route("GET", "/stream", "lines of JSON, one every ms milliseconds; lines, ms") { request in
        let lines = try request.integer("lines", default: 10, in: 1...100_000)
        let milliseconds = try request.integer("ms", default: 100, in: 0...10_000)
        let stream = ByteStream { number in
            guard number < lines else { return nil }
            if number > 0 { try await Task.sleep(for: .milliseconds(milliseconds)) }
            let line = JSON.object([("line", .integer(number + 1)), ("of", .integer(lines))])
            return Array((line.text + "\n").utf8)
        }
        return .stream(stream, type: "application/x-ndjson")
    },
    Route("GET", "/events", "server-sent events, one every ms milliseconds; count, ms") { request in
        let count = try request.integer("count", default: 5, in: 1...100_000)
        let milliseconds = try request.integer("ms", default: 100, in: 0...10_000)
        let stream = ByteStream { number in
            guard number <= count else { return nil }
            if number == 0 { return Array(": ombi demo events\nretry: 1000\n\n".utf8) }
            if number > 1 { try await Task.sleep(for: .milliseconds(milliseconds)) }
            let data = JSON.object([("tick", .integer(number)), ("of", .integer(count))])
            return Array("id: \(number)\nevent: tick\ndata: \(data.text)\n\n".utf8)
        }
        return .stream(stream, type: "text/event-stream", headers: [("Cache-Control", "no-store")])
    },
    Route("GET", "/events/tokens", "an answer as language models send it, a word every ms milliseconds; ms") {
        request in
        let milliseconds = try request.integer("ms", default: 60, in: 0...10_000)
        let words = tokens.split(separator: " ", omittingEmptySubsequences: false)
        let stream = ByteStream { number in
            guard number < words.count else { return number == words.count ? Array("data: [DONE]\n\n".utf8) : nil }
            if number > 0 { try await Task.sleep(for: .milliseconds(milliseconds)) }
            let delta = JSON.object([("content", .string((number == 0 ? "" : " ") + words[number]))])
            let choice = JSON.object([("index", .integer(0)), ("delta", delta)])
            return Array("data: \(JSON.object([("choices", .array([choice]))]).text)\n\n".utf8)
        }
        return .stream(stream, type: "text/event-stream", headers: [("Cache-Control", "no-store")])
    },
]

private let tokens = """
    An event is a row here, and what it brings is a piece of a sentence.

    Joined, the pieces are the sentence again: it grows while the server writes it.
    """

/// Conversations in both directions.
let webSocketRoutes: [Route] = [
    Route("GET", "/socket/echo", "a WebSocket that greets, and sends back each message until a bye") { request in
        try await request.openWebSocket(EchoConversation())
    }
]

/// Greets, and answers each message with the same text.
private struct EchoConversation: WSMessageHandler {
    func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
        AsyncStream { messages in
            let task = Task {
                messages.yield(.text(JSON.object([("hello", .string("Ombi demo"))]).text))
                var count = 0
                for await message in client {
                    count += 1
                    switch message {
                    case .text("bye"):
                        messages.yield(.close(WSCloseCode(1000, reason: "bye")))
                        return messages.finish()
                    case .text(let text):
                        let answer = JSON.object([("echo", .string(text)), ("number", .integer(count))])
                        messages.yield(.text(answer.text))
                    case .data(let data): messages.yield(.data(data))
                    case .close: messages.yield(message)
                    }
                }
                messages.finish()
            }
            messages.onTermination = { _ in task.cancel() }
        }
    }
}
