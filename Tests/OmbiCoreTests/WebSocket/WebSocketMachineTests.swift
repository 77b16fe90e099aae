import Foundation
import Testing

@testable import OmbiCore

/// The protocol without a network and without a clock.
@Suite struct WebSocketMachineTests {
    private static func machine(limit: Int = 1 << 20) throws -> WebSocketMachine {
        var machine = WebSocketMachine(
            try OpeningHandshakeTests.handshake(), limits: .init(frame: limit, message: limit), mask: { 0x0102_0304 })
        _ = machine.takeBatch()
        return machine
    }

    private static func open(limit: Int = 1 << 20) throws -> WebSocketMachine {
        var machine = try machine(limit: limit)
        _ = machine.receive(Data(OpeningHandshakeTests.accepting().utf8))
        return machine
    }

    private static func receive(_ frames: WireFrame..., by machine: inout WebSocketMachine) -> [String] {
        machine.receive(frames.reduce(Data()) { $0 + $1.bytes }).map(words)
    }

    private static func words(_ event: WebSocketMachine.Event) -> String {
        switch event {
        case .opened(let head, let subprotocol): "opened \(head.statusCode) \(subprotocol ?? "-")"
        case .message(.text(let text)): "text \(text)"
        case .message(.binary(let data)): "binary \(Array(data))"
        case .ping: "ping"
        case .pong(let payload): "pong \(Array(payload))"
        case .closed(let code, let reason): "closed \(code) \(reason)"
        case .failed(let error): "failed: \(error)"
        }
    }

    private static func sent(_ machine: inout WebSocketMachine) -> [WireFrame] {
        var frames: [WireFrame] = []
        while var bytes = machine.takeBatch()?.bytes {
            while let frame = WireFrame.take(from: &bytes) { frames.append(frame) }
        }
        return frames
    }

    @Test func `the handshake goes out first, and frames may come with its answer`() throws {
        let handshake = try OpeningHandshakeTests.handshake()
        var machine = WebSocketMachine(handshake, limits: .init(frame: 10, message: 10))
        #expect(machine.takeBatch()?.bytes == handshake.bytes && machine.takeBatch() == nil)
        let answer = Data(OpeningHandshakeTests.accepting().utf8) + WireFrame.text("hi").bytes + WireFrame.ping().bytes
        #expect(machine.receive(answer).map(Self.words) == ["opened 101 -", "text hi", "ping"])
    }

    @Test func `a refusal ends it without a close frame`() throws {
        var machine = try Self.machine()
        let events = machine.receive(Data("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n".utf8)).map(Self.words)
        #expect(events == ["failed: 127.0.0.1:9000 refused the WebSocket: 404 Not Found"])
        #expect(!machine.hasClosed && machine.takeBatch() == nil)
        #expect(machine.receive(WireFrame.text("late").bytes).isEmpty)
    }

    @Test func `a ping is answered with its payload, a flood of them with the last`() throws {
        var machine = try Self.open()
        #expect(Self.receive(.ping([1, 2]), by: &machine) == ["ping"])
        #expect(Self.sent(&machine).map(\.payload) == [[1, 2]])
        for number in 0..<10_000 { _ = Self.receive(.ping([UInt8(number % 256)]), by: &machine) }
        let pongs = Self.sent(&machine)
        #expect(pongs.map(\.opcode) == [10] && pongs.map(\.payload) == [[15]])
        #expect(Self.receive(.pong([7]), by: &machine) == ["pong [7]"])
        #expect(Self.sent(&machine).isEmpty)
    }

    @Test func `a close frame is answered with its code, and nothing else goes out`() throws {
        var machine = try Self.open()
        machine.send([WireFrame.text("late").bytes], number: 1)
        machine.ping(Data())
        #expect(Self.receive(.close(4000, "bye"), .text("x"), by: &machine) == ["closed 4000 bye"])
        let frames = Self.sent(&machine)
        #expect(frames.map(\.opcode) == [8] && frames[0].payload == [0x0F, 0xA0] && frames[0].mask != nil)
        machine.close(.normal, reason: "")
        #expect(Self.sent(&machine).isEmpty && Self.receive(.text("later"), by: &machine).isEmpty)
    }

    @Test func `a close frame without a code is answered without one`() throws {
        var machine = try Self.open()
        #expect(Self.receive(.close(), by: &machine) == ["closed 1005 no status received "])
        #expect(Self.sent(&machine).map(\.payload) == [[]])
    }

    @Test func `the own close frame goes out last and once, and the answer is not answered`() throws {
        var machine = try Self.open()
        machine.close(.goingAway, reason: "bye")
        machine.send([WireFrame.text("first").bytes], number: 1)
        machine.close(.normal, reason: "again")
        let frames = Self.sent(&machine)
        #expect(frames.map(\.opcode) == [1, 8] && frames[1].payload == [0x03, 0xE9] + Array("bye".utf8))
        #expect(Self.receive(.text("on its way"), .ping(), by: &machine) == ["text on its way", "ping"])
        #expect(Self.receive(.close(1001), by: &machine) == ["closed 1001 going away "])
        #expect(Self.sent(&machine).isEmpty)
    }

    @Test(arguments: [
        (WireFrame(opcode: 1, payload: [0xFF]), 1007, "127.0.0.1:9000 sent a text message that is not UTF-8"),
        (WireFrame(opcode: 3, payload: []), 1002, "127.0.0.1:9000 sent a frame with the unknown opcode 3"),
        (
            WireFrame.binary(Array(repeating: 0, count: 17)), 1009,
            "127.0.0.1:9000 sent a frame of 17 bytes; the limit is 16"
        ),
    ])
    func `a violation is told in a close frame`(frame: WireFrame, code: Int, sentence: String) throws {
        var machine = try Self.open(limit: 16)
        machine.send([WireFrame.text("late").bytes], number: 1)
        #expect(Self.receive(.text("good"), frame, .text("bad"), by: &machine) == ["text good", "failed: \(sentence)"])
        #expect(Self.sent(&machine).map(\.closeCode) == [code])
        #expect(Self.receive(.close(), by: &machine).isEmpty)
    }

    @Test func `control frames go ahead of messages, between fragments too`() throws {
        var machine = try Self.open()
        let large = [UInt8](repeating: 1, count: 40_000).withUnsafeBytes {
            FrameEncoder.message(.binary, $0, fragment: 20_000) { 1 }
        }
        machine.send(large + large, number: 1)
        machine.send([WireFrame.text("end").bytes], number: 2)
        let first = machine.takeBatch()
        #expect(first?.messages == [] && first?.bytes.count ?? .max <= 65_536)
        machine.ping(Data([5]))
        _ = Self.receive(.ping([6]), by: &machine)
        let second = machine.takeBatch()
        var bytes = try #require(second).bytes
        #expect(WireFrame.take(from: &bytes)?.payload == [5])
        #expect(WireFrame.take(from: &bytes)?.payload == [6])
        #expect(second?.messages == [1, 2] && machine.takeBatch() == nil)
    }

    @Test func `many small frames go out in one batch, a large one by itself`() throws {
        var machine = try Self.open()
        for number in 1...100 { machine.send([WireFrame.text("\(number)").bytes], number: number) }
        machine.send([Data(count: 1_000_000)], number: 101)
        #expect(machine.takeBatch()?.messages == Array(1...100))
        #expect(machine.takeBatch()?.messages == [101])
    }

    @Test func `a message can be taken back until a part of it is out`() throws {
        var machine = try Self.open()
        let fragments = [UInt8](repeating: 1, count: 100_000).withUnsafeBytes {
            FrameEncoder.message(.binary, $0, fragment: 50_000) { 1 }
        }
        machine.send([WireFrame.text("one").bytes], number: 1)
        machine.send(fragments, number: 2)
        machine.send([WireFrame.text("three").bytes], number: 3)
        var other = machine
        #expect(other.takeBack(2) && !other.takeBack(2) && !other.takeBack(9))
        #expect(Self.sent(&other).map(\.text) == ["one", "three"])
        _ = machine.takeBatch()
        #expect(!machine.takeBack(1) && !machine.takeBack(2), "both have begun")
        #expect(Self.sent(&machine).map(\.opcode) == [0, 1])
    }
}
