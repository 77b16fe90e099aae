import Dispatch
import Foundation
import TestSupport
import Testing

@testable import OmbiCore

@Suite struct ResponseStoreTests {
    static let piece = Data((0..<1 << 20).map { PatternReader.byte(at: $0) })

    func store(capacity: Int = 64 << 20, memoryLimit: Int = 1 << 20, folder: String? = nil) -> ResponseStore {
        ResponseStore(
            capacity: capacity, memoryLimit: memoryLimit,
            temporaryFolder: folder ?? CurlTransport.Configuration.defaultTemporaryFolder)
    }

    func url(_ server: LoopbackServer) throws -> URL { try #require(URL(string: server.host + "/")) }

    /// Whether the bytes are the piece over and over.
    static func isPattern(_ bytes: UnsafeRawBufferPointer) -> Bool {
        piece.withUnsafeBytes { piece in
            stride(from: 0, to: bytes.count, by: piece.count).allSatisfy { start in
                let count = min(piece.count, bytes.count - start)
                guard let left = bytes.baseAddress, let right = piece.baseAddress else { return false }
                return memcmp(left + start, right, count) == 0
            }
        }
    }

    @Test(arguments: [0, 1, 4096, 1 << 20, 5 << 20, 64 << 20]) func `it grows without moving`(memoryLimit: Int) throws {
        let store = store(memoryLimit: memoryLimit)
        var addresses: Set<UInt> = []
        try Self.piece.withUnsafeBytes { piece in
            for start in stride(from: 0, to: piece.count, by: 100_000) {
                try store.append(UnsafeRawBufferPointer(rebasing: piece[start..<min(start + 100_000, piece.count)]))
                store.withUnsafeBytes { _ = addresses.insert(UInt(bitPattern: $0.baseAddress)) }
            }
            for _ in 1..<20 { try store.append(piece) }
        }
        store.withUnsafeBytes { _ = addresses.insert(UInt(bitPattern: $0.baseAddress)) }
        #expect(addresses.count == 1)
        #expect(store.count == 20 << 20)
        #expect(store.withUnsafeBytes(Self.isPattern))
        store.finish()
        #expect(store.withUnsafeBytes(Self.isPattern))
    }

    @Test func `others read while it grows`() async throws {
        let store = store(memoryLimit: 2 << 20)
        let total = 40 << 20
        let isRight = Task.detached {
            var isRight = true
            while store.count < total {
                isRight = isRight && store.withUnsafeBytes(Self.isPattern)
                await Task.yield()
            }
            return isRight && store.withUnsafeBytes(Self.isPattern)
        }
        try Self.piece.withUnsafeBytes { piece in
            for _ in 0..<40 { try store.append(piece) }
        }
        #expect(await isRight.value)
    }

    @Test func `its data keeps it alive`() throws {
        var held: ResponseStore? = store()
        weak let watched = held
        try Self.piece.withUnsafeBytes { try held?.append($0) }
        var data = held?.data
        let address = held?.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        held = nil
        #expect(watched != nil)
        #expect(data?.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } == address, "the bytes were copied")
        #expect(data == Self.piece)
        data = nil
        #expect(watched == nil)
    }

    @Test func `stores share a budget`() throws {
        let budget = MemoryBudget(bytes: 3 << 20)
        func store() throws -> ResponseStore {
            let store = ResponseStore(
                capacity: 64 << 20, memoryLimit: 2 << 20, budget: budget,
                temporaryFolder: CurlTransport.Configuration.defaultTemporaryFolder)
            for _ in 0..<4 { try Self.piece.withUnsafeBytes(store.append) }
            return store
        }
        var first: ResponseStore? = try store()
        let second = try store()
        let third = try store()
        // Two steps went to the first, one to the second, none to the third.
        #expect(!budget.take(1))
        for store in [first, second, third] { #expect(store?.withUnsafeBytes(Self.isPattern) == true) }
        first = nil
        #expect(budget.take(2 << 20))
        #expect(!budget.take(1))
    }

    @Test func `what a store does not use goes back to the budget`() throws {
        let budget = MemoryBudget(bytes: 1 << 20)
        let store = ResponseStore(capacity: 64 << 20, memoryLimit: 2 << 20, budget: budget, temporaryFolder: "/tmp")
        try Data([1]).withUnsafeBytes(store.append)
        #expect(!budget.take(1))
        store.finish()
        #expect(budget.take((1 << 20) - max(Int(sysconf(Int32(_SC_PAGESIZE))), 4096)))
        #expect(store.data == Data([1]))
    }

    @Test func `no more than its capacity fits`() throws {
        let store = store(capacity: 10)
        try Data(repeating: 1, count: 10).withUnsafeBytes { try store.append($0) }
        #expect(throws: TransportError(code: .responseTooLarge, message: "the response is larger than 10 bytes")) {
            try Data([1]).withUnsafeBytes { try store.append($0) }
        }
        #expect(store.count == 10)
    }

    @Test func `an empty store is empty data`() {
        let store = store()
        #expect(store.data == Data())
        store.finish()
        #expect(store.withUnsafeBytes { $0.isEmpty })
    }

    @Test func `a large response is read while it arrives`() async throws {
        let server = try LoopbackServer { _ in .repeated(Self.piece, times: 100) }
        defer { server.stop() }
        let transport = CurlTransport(configuration: .init(memoryLimit: 1 << 20))
        let events = LoopbackLock<[TransportEvent]>([])
        let wrong = Counter()
        let last: TransportEvent = try await withCheckedThrowingContinuation { continuation in
            do {
                _ = transport.start(TransportRequest(url: try url(server))) { event in
                    events.withLock { $0.append(event) }
                    if case .received(let bytes, _) = event, let store = events.withLock({ $0.store }) {
                        if store.count < bytes || !store.withUnsafeBytes(Self.isPattern) { _ = wrong.next() }
                    }
                    if event.isLast { continuation.resume(returning: event) }
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        let all = events.withLock { $0 }
        let body = try #require(last.response?.body)
        #expect(body.count == 100 << 20)
        #expect(body.withUnsafeBytes(Self.isPattern))
        #expect(wrong.value == 0)
        #expect(all.received.last == TransferProgress(bytes: 100 << 20, expected: 100 << 20))
        let head = try #require(all.firstIndex { if case .head = $0 { true } else { false } })
        #expect(all[head + 1] == .body(try #require(all.store)))
        #if os(Linux)
        let anonymous = try body.withUnsafeBytes { try AnonymousMemory.bytes(in: $0) }
        #expect(anonymous <= 1 << 20, "\(anonymous) bytes of the body lie in memory")
        #endif
    }

    @Test func `a small response has no store`() async throws {
        let server = try LoopbackServer {
            $0.target == "/" ? .ok(String(repeating: "x", count: 65_536)) : .repeated(Self.piece, times: 1)
        }
        defer { server.stop() }
        let small = await CurlTransport().events(of: TransportRequest(url: try url(server)))
        #expect(small.last?.response?.body?.count == 65_536)
        #expect(small.store == nil)
        let large = TransportRequest(url: try url(server).appending(path: "large"))
        #expect(await CurlTransport().events(of: large).store != nil)
    }

    @Test func `a response of unknown length has a store`() async throws {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
        let server = try LoopbackServer { _ in .raw(Data(text.utf8)) }
        defer { server.stop() }
        let events = await CurlTransport().events(of: TransportRequest(url: try url(server)))
        #expect(events.last?.response?.body == Data("abcde".utf8))
        #expect(events.store?.count == 5)
        #expect(events.received.last == TransferProgress(bytes: 5, expected: nil))
    }

    @Test func `a folder that cannot be written to is named`() async throws {
        let server = try LoopbackServer { _ in .repeated(Self.piece, times: 1) }
        defer { server.stop() }
        let transport = CurlTransport(configuration: .init(memoryLimit: 0, temporaryFolder: "/nowhere"))
        #expect(
            await transport.events(of: TransportRequest(url: try url(server))).last?.error?.withoutResponse
                == TransportError(
                    code: .responseNotStored,
                    message:
                        "the response could not be kept in /nowhere: No such file or directory; set TMPDIR to a folder with room for it"
                ))
    }

    @Test func `the limit holds for a store`() async throws {
        let server = try LoopbackServer { _ in .repeated(Self.piece, times: 8) }
        defer { server.stop() }
        let transport = CurlTransport(configuration: .init(maximumResponseBytes: 3 << 20))
        #expect(
            await transport.events(of: TransportRequest(url: try url(server))).last?.error?.withoutResponse
                == TransportError(
                    code: .responseTooLarge,
                    message: "the response from 127.0.0.1:\(server.port) is larger than 3145728 bytes"))
    }

    @Test func `what has arrived is read and cancelling frees it`() async throws {
        let server = try LoopbackServer { $0.number == 1 ? .stalled(length: 1 << 20, sent: 500_000) : .ok("") }
        defer { server.stop() }
        let transport = CurlTransport()
        let request = TransportRequest(url: try url(server))
        let (events, told) = AsyncStream<TransportEvent>.makeStream()
        let task = transport.start(request) { event in
            told.yield(event)
            if event.isLast { told.finish() }
        }
        weak var watched: ResponseStore?
        var error: TransportError?
        for await event in events {
            error = event.error
            guard case .body(let store) = event else { continue }
            watched = store
            while store.count < 500_000 { await Task.yield() }
            #expect(store.count == 500_000)
            #expect(store.withUnsafeBytes { bytes in bytes.allSatisfy { $0 == UInt8(ascii: "x") } })
            task.cancel()
        }
        #expect(error?.code == .cancelled)
        // When the loop has answered once more it has let go of the transfer before.
        #expect(await transport.events(of: request).last?.response?.statusCode == 200)
        #expect(watched == nil)
    }
}

extension [TransportEvent] {
    var store: ResponseStore? {
        lazy.compactMap { if case .body(let store) = $0 { store } else { nil } }.first
    }
}

/// Bodies that wait for their readers.
@Suite struct PacedStoreTests {
    @Test func `a body waits once it is too far ahead, and goes on when half of that is read`() throws {
        let store = ResponseStore()
        let resumed = Lock(0)
        try store.append(Data(count: 100))
        #expect(!store.mustWait { resumed.withLock { $0 += 1 } })
        store.setReader(lead: 40)
        #expect(store.mustWait { resumed.withLock { $0 += 1 } })
        for (position, count) in [(50, 0), (79, 0), (80, 1), (100, 1)] {
            store.read(upTo: position)
            #expect(resumed.withLock { $0 } == count)
        }
        #expect(!store.mustWait {})
        try store.append(Data(count: 41))
        #expect(store.mustWait {})
    }

    @Test func `a stream is received as fast as it is read`() async throws {
        let piece = Data(repeating: 0x61, count: 64 << 10)
        let server = try ConversationServer { peer, _ in
            guard peer.readHead() != nil else { return }
            peer.write(
                "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: \(piece.count * 200)\r\n\r\n")
            for _ in 0..<200 { peer.write(String(decoding: piece, as: UTF8.self)) }
        }
        defer { server.stop() }
        let lead = 512 << 10
        let furthest = Lock(0)
        let kept = Lock<ResponseStore?>(nil)
        let transport = CurlTransport()
        let request = TransportRequest(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        let last: TransportEvent = await withCheckedContinuation { continuation in
            let queue = DispatchQueue(label: "reader")
            let task = transport.start(request) { event in
                switch event {
                case .body(let store):
                    store.setReader(lead: lead)
                    kept.withLock { $0 = store }
                case .received(let bytes, _):
                    queue.async {
                        guard let store = kept.withLock({ $0 }) else { return }
                        furthest.withLock { $0 = max($0, store.count - bytes) }
                        store.read(upTo: bytes)
                    }
                case .finished, .failed: continuation.resume(returning: event)
                default: break
                }
            }
            withExtendedLifetime(task) {}
        }
        #expect(last.response?.body?.count == piece.count * 200)
        #expect(furthest.withLock { $0 } <= 2 * lead)
    }
}
