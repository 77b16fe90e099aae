import Foundation
import Testing

@testable import OmbiCore

/// Who may go when, without any network.
@Suite struct ConnectionQueueTests {
    static func origin(_ text: String, _ change: (inout Connection) -> Void = { _ in }) throws -> CurlOrigin {
        CurlOrigin(try #require(URL(string: text)), ConnectionBox(Connection(change)))
    }

    static func id(_ number: Int) -> CurlTransferID { CurlTransferID(loop: 0, slot: 0, number: UInt32(number)) }

    /// The numbers of those that may go now.
    static func next(_ queue: inout ConnectionQueue) -> [Int] {
        var numbers: [Int] = []
        while let id = queue.next() { numbers.append(Int(id.number)) }
        return numbers
    }

    func expect(_ queue: inout ConnectionQueue, next: [Int], sourceLocation: SourceLocation = #_sourceLocation) {
        let numbers = Self.next(&queue)
        #expect(numbers == next, sourceLocation: sourceLocation)
    }

    @Test func `the first to come are the first to go`() throws {
        var queue = ConnectionQueue(maximum: 100, maximumStreams: 100)
        let slot = queue.slot(of: try Self.origin("http://a"))
        let went = (0..<10).filter { queue.enter(Self.id($0), at: slot, limit: 3) }
        #expect(went == [0, 1, 2])
        expect(&queue, next: [])
        queue.leave(slot)
        queue.leave(slot)
        expect(&queue, next: [3, 4])
        var mayGo = queue.enter(Self.id(10), at: slot, limit: 3)
        #expect(!mayGo)
        for number in 5...10 {
            queue.leave(slot)
            expect(&queue, next: [number])
        }
        for _ in 0..<3 { queue.leave(slot) }
        #expect(queue.active == 0 && queue.isIdle(at: slot))
        mayGo = queue.enter(Self.id(11), at: slot, limit: 3)
        #expect(mayGo)
    }

    @Test func `origins take turns`() throws {
        var queue = ConnectionQueue(maximum: 2, maximumStreams: 100)
        let slots = try ["http://a", "http://b", "http://c"].map { queue.slot(of: try Self.origin($0)) }
        // Ten from each, those of the first long before the others.
        let went = (0..<30).filter { queue.enter(Self.id($0), at: slots[$0 / 10], limit: 8) }
        #expect(went == [0, 1])
        var order: [Int] = []
        for _ in 0..<6 {
            queue.leave(slots[(went + order)[order.count] / 10])
            order += Self.next(&queue)
        }
        #expect(order == [2, 10, 20, 3, 11, 21])
    }

    @Test func `a full origin holds up no other`() throws {
        var queue = ConnectionQueue(maximum: 100, maximumStreams: 100)
        let full = queue.slot(of: try Self.origin("http://a"))
        let free = queue.slot(of: try Self.origin("http://b"))
        for number in 0..<50 { _ = queue.enter(Self.id(number), at: full, limit: 8) }
        let mayGo = queue.enter(Self.id(50), at: free, limit: 8)
        #expect(mayGo && queue.active == 9)
    }

    @Test func `shared connections have more room`() throws {
        var queue = ConnectionQueue(maximum: 1000, maximumStreams: 20)
        let slot = queue.slot(of: try Self.origin("https://a"))
        #expect(queue.isMultiplexed(at: slot) == nil)
        let went = (0..<50).filter { queue.enter(Self.id($0), at: slot, limit: 8) }
        #expect(went.count == 8)
        queue.learn(isMultiplexed: true, at: slot)
        expect(&queue, next: Array(8..<20))
        queue.learn(isMultiplexed: false, at: slot)
        queue.leave(slot)
        expect(&queue, next: [])
    }

    @Test func `those that leave the line are skipped`() throws {
        var queue = ConnectionQueue(maximum: 100, maximumStreams: 100)
        let slot = queue.slot(of: try Self.origin("http://a"))
        for number in 0..<2000 { _ = queue.enter(Self.id(number), at: slot, limit: 1) }
        let left = (1..<1999).map { queue.withdraw(Self.id($0), at: slot) }
        #expect(left.allSatisfy { $0 })
        let twice = queue.withdraw(Self.id(1), at: slot)
        let underWay = queue.withdraw(Self.id(0), at: slot)
        #expect(!twice && !underWay)
        queue.leave(slot)
        expect(&queue, next: [1999])
    }

    /// The first in the line wants a lower limit than those behind it, and goes away.
    @Test func `a lower limit holds up nobody when it is gone`() throws {
        var queue = ConnectionQueue(maximum: 100, maximumStreams: 100)
        let slot = queue.slot(of: try Self.origin("http://a"))
        for number in 0..<2 { _ = queue.enter(Self.id(number), at: slot, limit: 8) }
        let went = [(2, 1), (3, 8)].filter { queue.enter(Self.id($0.0), at: slot, limit: $0.1) }
        #expect(went.isEmpty)
        _ = queue.withdraw(Self.id(2), at: slot)
        expect(&queue, next: [3])
    }

    @Test func `without descriptors fewer go at once`() throws {
        var queue = ConnectionQueue(maximum: 100, maximumStreams: 100)
        let slot = queue.slot(of: try Self.origin("http://a"))
        for number in 0..<4 { _ = queue.enter(Self.id(number), at: slot, limit: 100) }
        var waits = queue.goBack(Self.id(3), at: slot, limit: 100)
        #expect(waits && queue.active == 3)
        expect(&queue, next: [])
        var mayGo = queue.enter(Self.id(4), at: slot, limit: 100)
        #expect(!mayGo)
        queue.leave(slot)
        expect(&queue, next: [3])
        for _ in 0..<3 {
            queue.leave(slot)
            _ = Self.next(&queue)
        }
        #expect(queue.active == 1)
        waits = queue.goBack(Self.id(4), at: slot, limit: 100)
        #expect(!waits, "nobody else could free a descriptor")
        queue.leave(slot)
        // All that it has is free again.
        mayGo = (5..<105).allSatisfy { queue.enter(Self.id($0), at: slot, limit: 100) }
        #expect(mayGo)
    }

    @Test func `origins without traffic are forgotten`() throws {
        var queue = ConnectionQueue(maximum: 100, maximumStreams: 100)
        let busy = queue.slot(of: try Self.origin("https://busy"))
        _ = queue.enter(Self.id(0), at: busy, limit: 8)
        queue.learn(isMultiplexed: true, at: busy)
        var highest = 0
        for number in 0..<5000 { highest = max(highest, queue.slot(of: try Self.origin("https://h\(number)"))) }
        #expect(highest < 1001)
        let again = queue.slot(of: try Self.origin("https://busy"))
        #expect(again == busy)
        #expect(queue.isMultiplexed(at: busy) == true)
        let other = queue.slot(of: try Self.origin("https://h1"))
        #expect(queue.isMultiplexed(at: other) == nil)
    }

    @Test(arguments: [
        ("http://a/b", "http://a"), ("http://a?b", "http://a"), ("http://a#b", "http://a"),
        ("HTTP://A:8080/B", "http://a:8080"),
        ("https://a:443/", "https://a"), ("http://a:80/", "http://a"), ("https://a:80/", "https://a:80"),
        ("http://u:p@a/x", "http://a"), ("http://[::1]:80/", "http://[::1]"), ("https://[::1]/a:443", "https://[::1]"),
    ])
    func `an origin is scheme host and port`(url: String, server: String) throws {
        #expect(try Self.origin(url).server == server)
        #expect(try Self.origin(url) == Self.origin(server))
        #expect(try Self.origin(url).copy == Self.origin(server))
    }

    @Test func `what cannot share a connection is known at once`() throws {
        #expect(try !Self.origin("http://a").mayMultiplex)
        #expect(try Self.origin("https://a").mayMultiplex)
        #expect(try !Self.origin("https://a") { $0.httpVersion = .http1 }.mayMultiplex)
        #expect(try Self.origin("http://a") { $0.httpVersion = .http2PriorKnowledge }.mayMultiplex)
        #expect(try Self.origin("https://a") != Self.origin("https://a") { $0.httpVersion = .http1 })
        #expect(try Self.origin("http://a") != Self.origin("http://a") { $0.unixSocket = "/s" })
    }
}
