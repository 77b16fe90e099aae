import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A message to send on the WebSocket of a run.
public enum OutgoingMessage: Equatable, Sendable {
    case text(String)
    /// The message of the request with that index.
    case saved(Int)
}

/// The messages of a WebSocket in both directions, kept as a body of server-sent events: one event for each message,
/// with its direction as the type, its number as the id and its text as the data.
///
/// So they are shown, filtered, joined and printed as any other stream is.
final class Conversation: Sendable {
    let socket: WebSocket
    let store = ResponseStore()
    private let messages: [SavedMessage]
    private let mask: RunMask
    /// Fills in the templates of a message that was typed.
    private let fill: @Sendable (String) throws(ResolveError) -> String
    private let onGrowth: @Sendable (_ bytes: Int) -> Void
    private let written = Lock(Written())

    private struct Written {
        /// The number of messages.
        var count = 0
        var isEnded = false
    }

    /// Bytes of a message without text that are shown.
    private static let maximumDigits = 4096

    init(
        _ socket: WebSocket, _ messages: [SavedMessage], _ mask: RunMask, since start: ContinuousClock.Instant,
        fill: @escaping @Sendable (String) throws(ResolveError) -> String,
        onGrowth: @escaping @Sendable (_ bytes: Int) -> Void
    ) {
        (self.socket, self.messages, self.mask, self.onGrowth) = (socket, messages, mask, onGrowth)
        self.fill = fill
        store.recordArrivals(since: start)
    }

    // MARK: Out

    func send(_ message: OutgoingMessage) async throws {
        switch message {
        case .text(let text): try await send(try fill(text))
        case .saved(let index): if messages.indices.contains(index) { try await send(messages[index].text) }
        }
    }

    /// Sends all saved messages in turn. The peer may close meanwhile.
    func sendAll() async {
        for message in messages {
            do { try await send(message.text) } catch { return note("not sent", error.description) }
        }
    }

    private func send(_ text: String) async throws(WebSocketError) {
        // Before its answer.
        noteMessage("sent", mask.redactor.redact(text), bytes: text.utf8.count)
        try await socket.send(text)
    }

    // MARK: In

    func received(_ message: WebSocketMessage) {
        switch message {
        case .text(let text): noteMessage("received", text, bytes: text.utf8.count)
        case .binary(let data):
            let rest = data.count > Self.maximumDigits ? " …" : ""
            let digits = data.prefix(Self.maximumDigits).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            noteMessage("received binary", digits.joined(separator: " ") + rest, bytes: data.count)
        }
    }

    /// Notes a step other than a message.
    func note(_ type: String, _ text: String) { write(["event: " + type] + Self.data(text)) }

    private func noteMessage(_ type: String, _ text: String, bytes: Int) {
        write(["event: \(type)", "bytes: \(bytes)"] + Self.data(text), isMessage: true)
    }

    private static func data(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }.map { "data: " + $0 }
    }

    private func write(_ lines: [String], isMessage: Bool = false) {
        // In the order of their numbers, and none of them after the end of the run.
        written.withLock { written in
            guard !written.isEnded else { return }
            if isMessage { written.count += 1 }
            let id = isMessage ? ["id: \(written.count)"] : []
            let text = (id + lines).joined(separator: "\n") + "\n\n"
            // A message without room for it is not kept.
            try? store.append(Data(text.utf8))
            onGrowth(store.count)
        }
    }

    /// Ends the notes: what is sent or comes later belongs to no run.
    func end() {
        written.withLock { $0.isEnded = true }
        store.finish()
    }
}
