import FlyingFox
import Foundation

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
