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
