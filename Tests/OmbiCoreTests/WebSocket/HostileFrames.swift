import Foundation

/// Servers that break the rules of frames, or go to their borders.
extension HostileCase {
    static let frames: [HostileCase] = headers + fragments + lengths + text + closes + broken + odd

    private static let reserved = "PEER sent a frame with reserved bits, though no extension was agreed on"
    private static let masked = "PEER sent a masked frame, which only a client may send"
    private static let orphan = "PEER sent a continuation frame without a message to continue"
    private static let nested = "PEER sent a new message before the end of the one before"
    private static let notText = "PEER sent a text message that is not UTF-8"
    private static let lost = "PEER closed the connection without a close frame"

    private static let headers: [HostileCase] =
        [
            frames("first reserved bit", reserved, told: 1002, by: WireFrame(reserved: 4, opcode: 1, payload: [])),
            frames("second reserved bit", reserved, told: 1002, by: WireFrame(reserved: 2, opcode: 2, payload: [1])),
            frames("third reserved bit", reserved, told: 1002, by: WireFrame(reserved: 1, opcode: 8, payload: [])),
            frames(
                "all reserved bits of a ping", "ok", reserved, told: 1002, by: .text("ok"),
                WireFrame(reserved: 7, opcode: 9, payload: [])),
            frames("masked text", masked, told: 1002, by: WireFrame(opcode: 1, mask: [1, 2, 3, 4], payload: [65])),
            frames(
                "masked close", masked, told: 1002, by: WireFrame(opcode: 8, mask: [0, 0, 0, 0], payload: [3, 232])),
        ]
        + [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map { (opcode: UInt8) in
            frames(
                "opcode \(opcode)", "before", "PEER sent a frame with the unknown opcode \(opcode)", told: 1002,
                by: .text("before"), WireFrame(opcode: opcode, payload: [1, 2]), .text("behind"))
        }

    private static let fragments: [HostileCase] = [
        frames(
            "ping in fragments", "PEER sent a ping frame in fragments", told: 1002,
            by: WireFrame(isFinal: false, opcode: 9, payload: [])),
        frames(
            "pong in fragments", "PEER sent a pong frame in fragments", told: 1002,
            by: WireFrame(isFinal: false, opcode: 10, payload: [])),
        frames(
            "close in fragments", "PEER sent a close frame in fragments", told: 1002,
            by: WireFrame(isFinal: false, opcode: 8, payload: [])),
        frames("continuation first", orphan, told: 1002, by: .continuation([65])),
        frames(
            "continuation behind the end", "ab", orphan, told: 1002, by: .text("a", isFinal: false),
            .continuation([98]),
            .continuation([99])),
        frames("text within text", nested, told: 1002, by: .text("a", isFinal: false), .text("b")),
        frames(
            "bytes within text", nested, told: 1002, by: .text("a", isFinal: false), .ping(),
            .binary([1], isFinal: false)),
    ]

    private static let lengths: [HostileCase] = [
        frames(
            "ping of 126 bytes", "PEER sent a ping frame of more than 125 bytes", told: 1002,
            by: .ping(Array(repeating: 0, count: 126))),
        frames(
            "pong of 64 KiB", "PEER sent a pong frame of more than 125 bytes", told: 1002,
            by: .pong(Array(repeating: 0, count: 65_536))),
        frames(
            "length of 5 in two bytes", "PEER sent a length of 5 in more bytes than it needs", told: 1002,
            by: WireFrame(opcode: 2, payload: [1, 2, 3, 4, 5], lengthBytes: 2)),
        frames(
            "length of 126 in eight bytes", "PEER sent a length of 126 in more bytes than it needs", told: 1002,
            by: WireFrame(opcode: 2, payload: Array(repeating: 0, count: 126), lengthBytes: 8)),
        frames(
            "length with the 64th bit", "PEER sent a length of more than 63 bits", told: 1002,
            by: WireFrame(opcode: 2, payload: [], claimedLength: .max)),
        frames(
            "giant length", "PEER sent a frame of 4611686018427387904 bytes; the limit is 100000", told: 1009,
            by: WireFrame(opcode: 2, payload: [], claimedLength: 1 << 62)),
        frames(
            "one byte too many", "PEER sent a frame of 100001 bytes; the limit is 100000", told: 1009,
            by: .binary(Array(repeating: 0, count: 100_001))),
        frames(
            "a message too long in fragments", "PEER sent a message of more than 100000 bytes", told: 1009,
            by: .binary(Array(repeating: 0, count: 60_000), isFinal: false),
            .continuation(Array(repeating: 0, count: 60_000))),
        frames(
            "just short enough", "(100000 bytes)", "end", told: 1000, by: .binary(Array(repeating: 7, count: 100_000)),
            .close(1000)),
    ]

    private static let text: [HostileCase] = [
        frames("not UTF-8", notText, told: 1007, by: WireFrame(opcode: 1, payload: [0xFF])),
        frames("surrogate", notText, told: 1007, by: WireFrame(opcode: 1, payload: [0xED, 0xA0, 0x80])),
        frames("overlong slash", notText, told: 1007, by: WireFrame(opcode: 1, payload: [0xC0, 0xAF])),
        frames("beyond Unicode", notText, told: 1007, by: WireFrame(opcode: 1, payload: [0xF4, 0x90, 0x80, 0x80])),
        frames(
            "wrong across fragments", notText, told: 1007,
            by: WireFrame(isFinal: false, opcode: 1, payload: [0xE2, 0x82]),
            .ping(), .continuation([0x41])),
        frames(
            "wrong before the message has ended", notText, told: 1007,
            by: WireFrame(isFinal: false, opcode: 1, payload: [0x80])),
        frames(
            "ends within a character", "PEER sent a text message that ends within a character", told: 1007,
            by: WireFrame(opcode: 1, payload: [0xF0, 0x9F, 0x92])),
        frames(
            "a character across fragments", "💶", "end", told: 1000,
            by: WireFrame(isFinal: false, opcode: 1, payload: [0xF0, 0x9F]), .continuation([0x92], isFinal: false),
            .continuation([0xB6]), .close(1000)),
        frames("bytes need not be UTF-8", "[255, 192]", "end", told: 1000, by: .binary([0xFF, 0xC0]), .close(1000)),
    ]

    private static let closes: [HostileCase] =
        [
            frames(
                "close with one byte", "PEER sent a close frame of one byte", told: 1002,
                by: WireFrame(opcode: 8, payload: [3])),
            frames(
                "close of 126 bytes", "PEER sent a close frame of more than 125 bytes", told: 1002,
                by: .close(1000, String(repeating: "x", count: 124))),
            frames(
                "reason that is not UTF-8", "PEER sent a close reason that is not UTF-8", told: 1007,
                by: WireFrame(opcode: 8, payload: [3, 232, 0xC3])),
            frames("no code", "end", by: .close()),
            frames("the longest reason", "end", told: 1001, by: .close(1001, String(repeating: "x", count: 123))),
            frames("a code of libraries", "the WebSocket was closed with 3000", told: 3000, by: .close(3000)),
            frames(
                "a code of applications", "the WebSocket was closed with 4999 (\"no\")", told: 4999,
                by: .close(4999, "no")),
            frames(
                "a reason with control characters",
                "the WebSocket was closed with 1008 policy violation (\"\\u{1B}[2J\")",
                told: 1008, by: .close(1008, "\u{1B}[2J")),
            frames(
                "messages behind the close", "first", "end", told: 1000, by: .text("first"), .close(1000),
                .text("late"),
                .close(1008)),
            frames(
                "nonsense behind the close", "end", told: 1000, by: .close(1000),
                WireFrame(reserved: 7, opcode: 15, payload: [], claimedLength: .max)),
        ]
        + [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535].map { (code: UInt16) in
            frames(
                "close code \(code)", "PEER sent the close code \(code), which no frame may carry", told: 1002,
                by: .close(code, "why"))
        }

    private static let broken: [HostileCase] = [
        HostileCase("end within a header", lost) { server, _ in
            server.connection.send(server.acceptance + [0x82])
            server.connection.finishSending()
        },
        HostileCase("end within a payload", "whole", lost) { server, _ in
            server.connection.send(server.acceptance + WireFrame.text("whole").bytes + [0x82, 5, 1, 2])
            server.connection.finishSending()
        },
        HostileCase("end within a message", lost) { server, _ in
            server.connection.send(server.acceptance + WireFrame.text("half", isFinal: false).bytes)
            server.connection.finishSending()
        },
        HostileCase("end within a ping", lost) { server, _ in
            server.connection.send(server.acceptance + [0x89, 3, 1])
            server.connection.finishSending()
        },
        HostileCase(
            "silence", "no sign of life from PEER within 20s of a ping", wait: .seconds(30)
        ) { server, pass in
            server.accept()
            server.write(.ping([1]))
            // The pong shows that the client listens; its own ping comes after 30 s, and its end after 20 more.
            _ = server.read()
            pass()
            _ = server.read()
            pass()
        },
        HostileCase("a close that is never followed by the end", "end", told: 1000, wait: .seconds(5)) { server, pass in
            server.accept()
            server.write(.close(1000))
            let close = server.read()
            pass()
            if let close { server.connection.unread(close.bytes) }
        },
        HostileCase("a violation that is never followed by the end", reserved, told: 1002, wait: .seconds(5)) {
            server, pass in
            server.accept()
            server.write(WireFrame(reserved: 4, opcode: 1, payload: []))
            let close = server.read()
            pass()
            if let close { server.connection.unread(close.bytes) }
        },
        HostileCase("a flood behind a violation", reserved, told: 1002) { server, _ in
            server.accept()
            server.write(WireFrame(reserved: 4, opcode: 1, payload: []))
            for _ in 0..<64 { server.connection.send(Data(count: 65_536)) }
            server.connection.finishSending()
        },
    ]

    private static let odd: [HostileCase] = [
        HostileCase("a flood of pings", "after the flood", "end", told: 1000) { server, _ in
            server.accept()
            for number in 0..<100 {
                server.connection.send(
                    (0..<100).reduce(Data()) { data, _ in data + WireFrame.ping([UInt8(number)]).bytes })
            }
            server.write(.text("after the flood"), .close(1000))
            server.connection.finishSending()
        },
        HostileCase("a flood of empty fragments", "x", "end", told: 1000) { server, _ in
            server.accept()
            server.write(.text("", isFinal: false))
            let empty = (0..<1000).reduce(Data()) { data, _ in data + WireFrame.continuation([], isFinal: false).bytes }
            for _ in 0..<10 { server.connection.send(empty) }
            server.write(.continuation(Array("x".utf8)), .close(1000))
            server.connection.finishSending()
        },
        HostileCase("pongs that nobody asked for", "end", told: 1000) { server, _ in
            server.accept()
            for _ in 0..<1000 { server.write(.pong([0, 0, 0, 0, 0, 0, 0, 1])) }
            server.write(.close(1000))
            server.connection.finishSending()
        },
        HostileCase("a drip", "drop", "end", told: 1000) { server, _ in
            server.accept()
            for byte in WireFrame.text("drop").bytes + WireFrame.close(1000).bytes {
                server.connection.send(Data([byte]))
            }
            server.connection.finishSending()
        },
        HostileCase("empty messages", "", "[]", "", "end", told: 1000) { server, _ in
            server.accept()
            server.write(.text(""), .binary([]), .text("", isFinal: false), .continuation([]), .close(1000))
            server.connection.finishSending()
        },
        HostileCase("a pong with the payload of the ping", "same", "end", told: 1000) { server, _ in
            server.accept()
            let payload = (0..<125).map { UInt8($0) }
            server.write(.ping(payload))
            server.write(.text(server.read()?.payload == payload ? "same" : "other"), .close(1000))
            server.connection.finishSending()
        },
    ]
}
