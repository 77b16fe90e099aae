#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A decoder for the frames of a server, split at any byte, which assembles messages (RFC 6455 §5).
///
/// Every rule is checked as soon as the bytes that violate it arrive. Only the current message is kept, within its
/// limits.
struct FrameDecoder {
    /// A decoded message or control frame.
    enum Item: Equatable {
        case text(String)
        case binary(Data)
        case ping(Data)
        case pong(Data)
        /// The code is nil if the frame had none.
        case close(UInt16?, reason: String)
    }

    /// Limits in bytes of payload.
    struct Limits: Equatable {
        var frame: Int
        var message: Int
    }

    /// The current payload.
    private struct Frame {
        var opcode: Opcode
        var isFinal: Bool
        var missing: Int
    }

    private struct Message {
        var isText: Bool
        var bytes = Data()
        var validator = UTF8Validator()
    }

    private let limits: Limits
    private var header = FrameHeader()
    private var frame: Frame?
    private var message: Message?
    private var control = Data()
    private var hasClosed = false

    init(limits: Limits) { self.limits = limits }

    /// Appends to `items`, which keeps the items before a violation. Bytes after a close frame are ignored.
    mutating func decode(_ bytes: UnsafeRawBufferPointer, into items: inout [Item]) throws(FrameViolation) {
        var rest = bytes[...]
        while !hasClosed {
            if frame == nil {
                guard try header.read(&rest) else { return }
                try begin()
            }
            guard let frame else { return }
            let count = min(frame.missing, rest.count)
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(count))
            rest = rest.dropFirst(count)
            try take(piece, of: frame)
            self.frame?.missing -= count
            guard count == frame.missing else { return }
            self.frame = nil
            try end(frame, &items)
        }
    }

    /// Checks a complete header against the current message and the limits.
    private mutating func begin() throws(FrameViolation) {
        guard let opcode = header.opcode else { return }
        let length = header.length
        let isFinal = header.isFinal
        header = FrameHeader()
        if opcode.isControl {
            control = Data()
        } else {
            try beginData(opcode, length: length)
        }
        frame = Frame(opcode: opcode, isFinal: isFinal, missing: length)
    }

    private mutating func beginData(_ opcode: Opcode, length: Int) throws(FrameViolation) {
        if opcode == .continuation {
            guard message != nil else { throw FrameViolation("a continuation frame without a message to continue") }
        } else {
            guard message == nil else { throw FrameViolation("a new message before the end of the one before") }
            message = Message(isText: opcode == .text)
        }
        guard length <= limits.frame else {
            throw FrameViolation(.messageTooBig, "a frame of \(length) bytes; the limit is \(limits.frame)")
        }
        guard length <= limits.message - (message?.bytes.count ?? 0) else {
            throw FrameViolation(.messageTooBig, "a message of more than \(limits.message) bytes")
        }
    }

    private mutating func take(_ piece: UnsafeRawBufferPointer, of frame: Frame) throws(FrameViolation) {
        guard !piece.isEmpty else { return }
        if frame.opcode.isControl { return control.append(contentsOf: piece) }
        if message?.isText == true, message?.validator.accept(piece) == false {
            throw FrameViolation(.invalidPayload, "a text message that is not UTF-8")
        }
        message?.bytes.append(contentsOf: piece)
    }

    private mutating func end(_ frame: Frame, _ items: inout [Item]) throws(FrameViolation) {
        switch frame.opcode {
        case .ping: items.append(.ping(control))
        case .pong: items.append(.pong(control))
        case .close: try endClose(&items)
        case .continuation, .text, .binary:
            guard frame.isFinal, let whole = message.take() else { return }
            guard whole.validator.isComplete else {
                throw FrameViolation(.invalidPayload, "a text message that ends within a character")
            }
            items.append(whole.isText ? .text(String(decoding: whole.bytes, as: UTF8.self)) : .binary(whole.bytes))
        }
    }

    /// Parses a close frame (RFC 6455 §5.5.1 and §7.4).
    private mutating func endClose(_ items: inout [Item]) throws(FrameViolation) {
        hasClosed = true
        guard !control.isEmpty else { return items.append(.close(nil, reason: "")) }
        guard control.count >= 2 else { throw FrameViolation("a close frame of one byte") }
        let code = control.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
        guard Self.isCloseCode(code) else { throw FrameViolation("the close code \(code), which no frame may carry") }
        guard let reason = String(validating: control.dropFirst(2), as: UTF8.self) else {
            throw FrameViolation(.invalidPayload, "a close reason that is not UTF-8")
        }
        items.append(.close(code, reason: reason))
    }

    /// Returns true if a close frame may carry the code: those of RFC 6455 §7.4.1 and of the IANA registry, those of
    /// libraries (from 3000), and those of applications (from 4000).
    static func isCloseCode(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// A validator for text in pieces, which rejects it at the first invalid byte (RFC 3629 §4).
struct UTF8Validator {
    /// The number of missing continuation bytes of the current character.
    private var missing = 0
    /// The range of the next continuation byte; narrower after some first bytes, to exclude overlong forms, surrogates,
    /// and values beyond U+10FFFF.
    private var next: ClosedRange<UInt8> = Self.anyContinuation

    private static let anyContinuation: ClosedRange<UInt8> = 0x80...0xBF

    /// True if the text may end here.
    var isComplete: Bool { missing == 0 }

    /// Returns false from the first invalid byte on.
    mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if missing == 0 {
                index = Self.endOfASCII(bytes, from: index)
                guard index < bytes.count else { return true }
                guard start(bytes[index]) else { return false }
            } else {
                guard next.contains(bytes[index]) else { return false }
                missing -= 1
                next = Self.anyContinuation
            }
            index += 1
        }
        return true
    }

    /// Returns the index of the first byte outside ASCII. Compares eight bytes at a time as long as possible.
    private static func endOfASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard word & 0x8080_8080_8080_8080 == 0 else { break }
            index += 8
        }
        while index < bytes.count, bytes[index] < 0x80 { index += 1 }
        return index
    }

    /// Starts a character with a byte outside ASCII.
    private mutating func start(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF: missing = 2
        case 0xF0...0xF4: missing = 3
        default: return false
        }
        switch byte {
        case 0xE0: next = 0xA0...0xBF
        case 0xED: next = 0x80...0x9F
        case 0xF0: next = 0x90...0xBF
        case 0xF4: next = 0x80...0x8F
        default: next = Self.anyContinuation
        }
        return true
    }
}
