#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A decoder for the frames of a server, in any portions, which assembles messages (RFC 6455 §5).
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

    /// The current message.
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
            guard frame.isFinal, let whole = message else { return }
            message = nil
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
