import FlyingFox
import Foundation

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
