import Foundation
import Testing

@testable import OmbiCore

/// Back-pressure, cancellation, and what is left in the end.
@Suite struct WebSocketFlowTests {
    private let channels = ManualChannels()
    private let clock = ManualClock()

    private func socket(_ change: (inout WebSocketOptions) -> Void = { _ in }) -> WebSocket {
        RequestManager(host: "http://127.0.0.1:9000", transport: channels, clock: clock)
            .webSocket("/", options: WebSocketOptions(change))
    }

    // Back-pressure.

    @Test func `the pace of the reader is that of the connection`() async throws {
        let socket = socket { $0.bufferBytes = 1000 }
        let channel = await channels.open()
        for number in 0..<50 { channel.give(.text("\(number) " + String(repeating: "x", count: 100))) }
        #expect(!channel.isReading && channel.backlog > 40)
        var messages = socket.messages.makeAsyncIterator()
        for number in 0..<50 {
            #expect(try await messages.next()?.text?.hasPrefix("\(number) ") == true)
            #expect(socket.core.withState { $0.inboxBytes } < 1200)
        }
        #expect(channel.isReading && socket.core.withState { $0.inboxBytes } == 0)
    }

    @Test func `empty messages fill the buffer too`() async throws {
        let socket = socket { $0.bufferBytes = 1000 }
        let channel = await channels.open()
        for _ in 0..<100 { channel.give(.text("")) }
        #expect(channel.backlog == 100 - 16 && socket.core.withState { $0.inbox.count } == 16)
    }

    @Test func `a full buffer does not keep the close from being seen`() async throws {
        let socket = socket { $0.bufferBytes = 10 }
        let channel = await channels.open()
        channel.give(.text("unread"))
        channel.give(.text("not delivered"))
        #expect(!channel.isReading)
        let closing = Task { try await socket.close() }
        await socket.waitFor("closing")
        channel.give(.close(1000))
        channel.end()
        try await closing.value
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == "unread")
        #expect(try await messages.next() == nil)
    }

    @Test func `several readers share the messages`() async throws {
        let socket = socket()
        let channel = await channels.open()
        let readers = (0..<3).map { _ in Task { try await socket.core.nextMessage() } }
        while socket.core.withState({ $0.readers.count }) < 3 { await Task.yield() }
        channel.give(.text("a"), .text("b"), .text("c"))
        var texts: Set<String> = []
        for reader in readers { texts.insert(try await reader.value?.text ?? "") }
        #expect(texts == ["a", "b", "c"])
    }

    @Test func `a channel that answers within its calls twenty thousand times needs no stack`() async throws {
        let socket = socket { $0.bufferBytes = .max }
        let channel = await channels.channel()
        channel.connect()
        channel.accept()
        socket.core.change { state in
            // While effects are held up, what the server has for the client piles up.
            state.effects.append { for number in 0..<20_000 { channel.give(.text("\(number)")) } }
        }
        #expect(socket.core.withState { $0.inbox.count } == 20_000)
    }

    // Cancellation.

    @Test func `a reader that is cancelled loses no message`() async throws {
        let socket = socket()
        let channel = await channels.open()
        let reader = Task { try await socket.core.nextMessage() }
        while socket.core.withState({ $0.readers.count }) == 0 { await Task.yield() }
        reader.cancel()
        #expect(await sentence { try await reader.value } == "cancelled")
        channel.give(.text("for the next"))
        #expect(try await socket.core.nextMessage() == "for the next")
    }

    @Test func `a task that is cancelled before it waits gets no further`() async throws {
        let socket = socket()
        let channel = await channels.open()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let texts = [
                await sentence { try await socket.send("x") }, await sentence { try await socket.ping() },
                await sentence { try await socket.core.nextMessage() },
            ]
            return texts
        }
        #expect(await task.value == ["cancelled", "cancelled", "cancelled"])
        #expect(channel.frames.isEmpty && socket.core.withState { $0.outgoing.isEmpty && $0.pingTimes.isEmpty })
    }

    @Test func `a message is taken back when its task is cancelled in time`() async throws {
        let socket = socket()
        let channel = await channels.open()
        channel.holdWrites()
        let tasks = (0..<3).map { number in Task { try await socket.send("\(number)") } }
        while socket.core.withState({ $0.outgoing.count }) < 3 { await Task.yield() }
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await sentence { try await task.value } == "cancelled") }
        channel.letWriteThrough()
        let closing = Task { try await socket.close() }
        await channel.wait { $0.isWriting }
        channel.letWriteThrough()
        let frames = await channel.frames(count: 2)
        #expect(frames.map(\.opcode) == [1, 8], "the first was on its way already")
        closing.cancel()
        try await closing.value
    }

    @Test func `whoever waits for the close may be cancelled, and the close goes on`() async throws {
        let socket = socket()
        let channel = await channels.open()
        let closing = Task { try await socket.close() }
        await socket.waitFor("closing")
        closing.cancel()
        try await closing.value
        #expect(!channel.isClosed)
        channel.give(.close(1000))
        channel.end()
        #expect(await socket.story.last == "closed")
    }

    @Test func `a watcher can be cancelled`() async throws {
        let socket = socket()
        _ = await channels.open()
        let watcher = Task { await socket.story }
        while socket.core.withState({ $0.watchers.count }) == 0 { await Task.yield() }
        watcher.cancel()
        #expect(await watcher.value == ["connecting 1", "connected 101"])
    }

    // The end.

    @Test func `dropping the handle tells the peer, closes the connection and leaves nothing`() async throws {
        weak var core: WebSocketCore?
        let story: Task<[String], Never>
        do {
            let socket = socket()
            core = socket.core
            _ = await channels.open()
            try await socket.send("x")
            let events = socket.events
            story = Task { await events.reduce(into: []) { $0.append($1.words) } }
        }
        let channel = await channels.channel()
        await channel.wait { $0.isClosed }
        #expect(channel.frames.map(\.opcode) == [1, 8] && channel.frames.last?.closeCode == 1001)
        #expect(await story.value.suffix(2) == ["closing 1001 >", "closed"])
        #expect(core == nil && clock.timerCount == 0)
    }

    @Test(arguments: [0, 1, 2]) func `dropping the handle ends an opening, a wait and a close`(stage: Int) async throws
    {
        weak var core: WebSocketCore?
        let channel: ManualChannel
        do {
            let socket = socket { $0.reconnect = RetryPolicy(retries: 9, backoff: .constant(.seconds(1))) }
            core = socket.core
            channel = await channels.channel()
            if stage > 0 {
                channel.connect()
                channel.accept()
            }
            if stage == 1 { channel.end() }
            if stage == 2 {
                let closing = Task { try await socket.close() }
                await socket.waitFor("closing")
                closing.cancel()
                try await closing.value
            }
        }
        await channel.wait { $0.isClosed }
        #expect(core == nil && clock.timerCount == 0)
    }

    @Test func `a peer that does not read holds up the end no longer than the limit`() async throws {
        weak var core: WebSocketCore?
        let channel: ManualChannel
        do {
            let socket = socket()
            core = socket.core
            channel = await channels.open()
            channel.holdWrites()
            let sending = Task { try await socket.send("stuck") }
            await channel.wait { $0.isWriting }
            sending.cancel()
            _ = await sending.result
        }
        #expect(!channel.isClosed)
        clock.advance(by: .seconds(5))
        #expect(channel.isClosed && core == nil && clock.timerCount == 0)
    }

    @Test func `an iterator keeps the WebSocket open, its events do not`() async throws {
        var iterator: WebSocket.Messages.Iterator?
        do {
            let socket = socket()
            iterator = socket.messages.makeAsyncIterator()
        }
        let channel = await channels.open()
        channel.give(.text("still here"))
        #expect(try await iterator?.next() == "still here")
        iterator = nil
        await channel.wait { $0.isClosed }
    }

    @Test func `the manager and what a request holds are let go at the end`() async throws {
        final class Token: Sendable {}
        weak var token: Token?
        weak var manager: RequestManager?
        let socket: WebSocket
        do {
            let held = Token()
            token = held
            let made = RequestManager(host: "http://127.0.0.1:9000", transport: channels, clock: clock)
            manager = made
            made.requestInterceptors = [
                RequestInterceptor { request in
                    withExtendedLifetime(held) { request }
                }
            ]
            socket = made.webSocket("/")
        }
        #expect(manager != nil && token != nil)
        let channel = await channels.open()
        channel.give(.close(1000))
        channel.end()
        for try await _ in socket.messages {}
        #expect(manager == nil && token == nil)
    }

    // Events.

    @Test func `a watcher that comes late or is slow gets the newest events and a count of the others`() async throws {
        let socket = socket { $0.bufferBytes = .max }
        let channel = await channels.open()
        for _ in 0..<300 { channel.give(.text("x")) }
        var late = socket.events.makeAsyncIterator()
        #expect(await late.next()?.words == "skipped 46")
        #expect(await late.next()?.words == "received text 1")
        for _ in 0..<300 { channel.give(.text("y")) }
        #expect(await late.next()?.words == "skipped 299")
        socket.cancel()
        var rest: [String] = []
        while let event = await late.next() { rest.append(event.words) }
        // The last one took the place of the oldest.
        #expect(rest.count == 257 && rest.first == "skipped 1" && rest.last == "closed: cancelled")
    }
}
