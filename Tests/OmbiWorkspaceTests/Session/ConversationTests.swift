import Dispatch
import Foundation
import TestSupport
import Testing

@testable import OmbiCore
@testable import OmbiWorkspace

/// The messages of a WebSocket belong to its run until that ends.
@Suite struct ConversationTests {
    private static func conversation(onGrowth: @escaping @Sendable (Int) -> Void = { _ in }) -> Conversation {
        let manager = RequestManager(host: "http://a.test", transport: StubTransport.webSocket())
        return Conversation(
            manager.webSocket("/"), [], RunMask(Redactor()), since: .now,
            fill: { (text: String) throws(ResolveError) -> String in text }, onGrowth: onGrowth)
    }

    @Test func `a message that comes after the end is neither kept nor an event`() {
        let events = Lock(0)
        let conversation = Self.conversation { _ in events.withLock { $0 += 1 } }
        conversation.received(.text("first"))
        conversation.end()
        conversation.received(.text("late"))
        conversation.note("not sent", "late")
        #expect(
            String(decoding: conversation.store.data, as: UTF8.self)
                == "id: 1\nevent: received\nbytes: 5\ndata: first\n\n")
        #expect(events.withLock { $0 } == 1)
    }

    @Test func `finishing it twice does not wait for a server that never closes`() async throws {
        let server = try ConversationServer { peer, _ in
            guard let head = peer.readHead() else { return }
            let name = "Sec-WebSocket-Key: "
            let key = head.components(separatedBy: "\r\n").first { $0.hasPrefix(name) }?.dropFirst(name.count)
            guard let key else { return }
            peer.write(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: \(HandshakeKey(String(key)).accept)\r\n\r\n")
            peer.waitForEnd()
        }
        defer { server.stop() }
        var request = SavedRequest(name: "silent", path: "/silent")
        request.webSocket = SavedWebSocket()
        let collection = Collection(
            name: "c", environments: [Environment(name: "local", host: server.host)], items: [.request(request)])
        let order = RunOrder(id: 1, request: request, collection: collection, environment: "local", file: "/c.json")
        let (events, continuation) = AsyncStream<SessionEvent>.makeStream()
        let session = Session(secrets: { _ in .none })
        let run = session.send(order, on: DispatchQueue(label: "test")) { continuation.yield($0) }
        for await event in events {
            if case .step(.bodyReceived) = event { for _ in 0..<2 { run.finish() } }
            guard case .ended(let result) = event else { continue }
            let body = String(decoding: result.receivedResponse?.body ?? Data(), as: UTF8.self)
            #expect(result.passed && body.contains("event: opened") && !body.contains("event: closed"), "\(body)")
            break
        }
    }

    @Test func `a run that has ended does not keep its messages, and takes no others`() {
        let run = SessionRun()
        weak var kept: Conversation?
        do {
            let conversation = Self.conversation()
            kept = conversation
            run.attach(conversation)
        }
        #expect(kept != nil)
        run.release()
        #expect(kept == nil)
        run.send(.text("late"))
        run.finish()
    }
}
