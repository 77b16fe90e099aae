import OmbiDocument

/// Turns the bytes a terminal sends into keys, mouse events and pastes. It is total: any bytes, split anywhere, give
/// the same events as in one piece, and broken text or an unknown sequence never holds up the keys after it.
/// It replaces the input side of ncurses, which loses keys after a broken one.
struct KeyDecoder: Sendable {
    /// A paste of more bytes than this is delivered in pieces, so that a lost end mark cannot fill the memory.
    static let maximumPasteLength = 16 << 20
    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    /// Keys by the bytes that the terminal's own description gives for them.
    private var terminalKeys: [KeySequence]
    /// Bytes of a sequence that has not ended.
    private var pending: ArraySlice<UInt8> = []
    /// The bytes of a paste that has not ended.
    private var paste: [UInt8]?
    /// The time of an Esc that came alone, until anything else comes.
    private var loneEscape: Duration?
    /// True while the pending bytes begin with an Esc that has acted as a key: what followed it may have been typed.
    private var isLate = false

    /// - Parameter terminalKeys: the byte strings of two or more bytes that this terminal sends for keys.
    init(terminalKeys: [KeySequence] = []) {
        self.terminalKeys = terminalKeys.filter { $0.bytes.count >= 2 }
    }

    mutating func learn(_ keys: [KeySequence]) { terminalKeys += keys.filter { $0.bytes.count >= 2 } }

    /// The time to wait for more before `timedOut()` is called; nil while nothing is expected.
    var patience: Duration? {
        if paste != nil { return Self.pastePatience }
        guard !pending.isEmpty else { return nil }
        if isLate { return Self.latePatience }
        return isKeyByItself ? Self.escapePatience : Self.sequencePatience
    }

    /// The time to wait for more bytes after an Esc, which may be a key or start a longer sequence.
    static let escapePatience = Duration.milliseconds(30)
    /// The bytes so far have begun a sequence, which slow lines deliver in pieces.
    static let sequencePatience = Duration.seconds(1)
    /// A paste whose end mark is lost must not swallow all keys for ever. Lines that stall in the middle of one take less.
    static let pastePatience = Duration.seconds(5)

    /// The maximum delay of the rest of a sequence whose Esc was already delivered as a key.
    static let restPatience = Duration.seconds(1)
    /// The maximum delay of a rest that arrives byte by byte. Shorter, because a single byte may be a key, which waits
    /// for the next one.
    static let latePatience = Duration.milliseconds(250)

    /// - Parameter now: the time of the read, on any clock that never goes back.
    mutating func decode(_ bytes: some Sequence<UInt8>, at now: Duration = .zero) -> [InputEvent] {
        var events: [InputEvent] = []
        var rest = Array(bytes)[...]
        isLate = isLate || isStartOfRest(rest, at: now)
        if loneEscape != nil, isLate || isRestOfEscape(rest, at: now) { rest.insert(0x1B, at: rest.startIndex) }
        loneEscape = nil
        while let byte = rest.first {
            if paste != nil {
                appendToPaste(byte, &events)
                rest = rest.dropFirst()
            } else {
                pending += rest
                settle(flush: false, &events)
                rest = []
                if paste != nil { swap(&rest, &pending) }
            }
        }
        return events
    }

    /// Returns true for several bytes at once that would complete a sequence, soon after a lone Esc: a slow line split
    /// it. As keys, each of them would run a command.
    private func isRestOfEscape(_ bytes: ArraySlice<UInt8>, at now: Duration) -> Bool {
        guard let time = loneEscape, now - time < Self.restPatience, bytes.count > 1, let first = bytes.first,
            "[]OP".utf8.contains(first)
        else { return false }
        var joined = bytes
        joined.insert(0x1B, at: joined.startIndex)
        // Two bytes are Alt and a key, behind which nobody waits.
        return token(in: joined, flush: false).map { $0.length > 2 } ?? true
    }

    /// Returns true for a single byte that may continue a sequence, very soon after a lone Esc.
    private func isStartOfRest(_ bytes: ArraySlice<UInt8>, at now: Duration) -> Bool {
        guard let time = loneEscape, now - time < Self.latePatience, bytes.count == 1, let byte = bytes.first else {
            return false
        }
        return "[]OP".utf8.contains(byte)
    }

    /// Returns true for a token that terminals send, rather than keys typed after an Esc that happen to look like one.
    private static func isSent(_ token: Token, in bytes: ArraySlice<UInt8>) -> Bool {
        let body = bytes.prefix(token.length).dropFirst(2)
        guard let first = body.first, let last = body.last else { return false }
        if token.startsPaste || !token.events.isEmpty { return true }
        return (0x41...0x5A).contains(last) || body.count > 1 && first != 0x5B
    }

    /// Decodes the pending bytes as they are: nothing followed.
    mutating func timedOut(at now: Duration = .zero) -> [InputEvent] {
        if let text = paste {
            paste = nil
            return text.isEmpty ? [] : [.paste(Self.text(ofPaste: text[...]))]
        }
        var events: [InputEvent] = []
        if pending.last == 0x1B { loneEscape = now }
        settle(flush: true, &events)
        return events
    }

    /// False for the start of a sequence (`ESC [`, `ESC O`, `ESC ]`, `ESC P`) and for a part of a character.
    private var isKeyByItself: Bool {
        guard let next = pending.first(where: { $0 != 0x1B }) else { return true }
        return next < 0x80 && !"[O]P".utf8.contains(next)
    }

    /// Takes whole tokens off the front of the pending bytes.
    private mutating func settle(flush: Bool, _ events: inout [InputEvent]) {
        while !pending.isEmpty, paste == nil {
            guard let token = token(in: pending, flush: flush) else { return }
            if isLate {
                isLate = false
                if !Self.isSent(token, in: pending) {
                    pending = pending.dropFirst()
                    continue
                }
            }
            pending = pending.dropFirst(max(1, token.length))
            events += token.events
            if token.startsPaste { paste = [] }
        }
    }

    private func token(in bytes: ArraySlice<UInt8>, flush: Bool) -> Token? {
        guard !terminalKeys.isEmpty, bytes.first == 0x1B, !Self.isArrow(bytes) else {
            return Self.token(in: bytes, flush: flush)
        }
        for length in 2..<max(2, bytes.count + 1) {
            let start = bytes.prefix(length)
            let continued = terminalKeys.filter { $0.bytes.starts(with: start) }
            if let whole = continued.first(where: { $0.bytes.count == length }) {
                return Token(length, .key(whole.key))
            }
            if continued.isEmpty { return Self.token(in: bytes, flush: flush) }
        }
        return flush ? Self.token(in: bytes, flush: flush) : nil
    }

    /// Returns true for the arrows of nearly all terminals, which need no lookup in the description.
    private static func isArrow(_ bytes: ArraySlice<UInt8>) -> Bool {
        let sequence = bytes.prefix(3)
        guard sequence.count == 3, let last = sequence.last else { return false }
        return sequence.dropFirst().first == UInt8(ascii: "[")
            && (UInt8(ascii: "A")...UInt8(ascii: "D")).contains(last)
    }

    private mutating func appendToPaste(_ byte: UInt8, _ events: inout [InputEvent]) {
        paste?.append(byte)
        guard let collected = paste?.count else { return }
        if byte == 0x7E, let text = paste, text.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
            events.append(.paste(Self.text(ofPaste: text.dropLast(Self.pasteEnd.count))))
            paste = nil
        } else if collected >= Self.maximumPasteLength, let text = paste {
            // The end mark may be split here: its first bytes stay for the next piece.
            let kept = text.suffix(Self.pasteEnd.count - 1)
            events.append(.paste(Self.text(ofPaste: text.dropLast(kept.count))))
            paste = Array(kept)
        }
    }

    /// Terminals send a carriage return for the end of a line.
    private static func text(ofPaste bytes: ArraySlice<UInt8>) -> String {
        var lines: [UInt8] = []
        lines.reserveCapacity(bytes.count)
        var previous: UInt8 = 0
        for byte in bytes {
            if byte == 0x0D {
                lines.append(0x0A)
            } else if byte != 0x0A || previous != 0x0D {
                lines.append(byte)
            }
            previous = byte
        }
        return String(decoding: lines, as: UTF8.self)
    }
}

extension KeyDecoder {
    /// The length of a token at the front of the input, and its events: none when the token is ignored.
    struct Token {
        var length: Int
        var events: [InputEvent]
        var startsPaste = false

        init(_ length: Int, _ events: InputEvent...) {
            self.length = length
            self.events = events
        }
    }
}

/// Single characters: ASCII, control characters, UTF-8, and Esc before any of them (Alt).
extension KeyDecoder {
    /// The first token of the bytes; nil when more bytes are needed to decide, which is never so with `flush`.
    /// The result depends on the token's own bytes alone, so that it does not matter how reads have split them.
    static func token(in bytes: ArraySlice<UInt8>, flush: Bool) -> Token? {
        guard let first = bytes.first else { return nil }
        if first == 0x1B { return escapeToken(in: bytes, flush: flush) }
        if first < 0x20 || first == 0x7F { return Token(1, .key(controlKey(first))) }
        if first < 0x80 { return Token(1, .key(Key(.character(Character(Unicode.Scalar(first)))))) }
        return encodedToken(in: bytes, flush: flush)
    }

    private static func controlKey(_ byte: UInt8) -> Key {
        switch byte {
        case 0: Key(.character(" "), .control)
        case 8, 0x7F: Key(.backspace)
        case 9: Key(.tab)
        case 13: Key(.enter)
        case 0x1B: Key(.escape)
        case 1...26: Key(.character(Character(Unicode.Scalar(byte + 0x60))), .control)
        default: Key(.character(Character(Unicode.Scalar(byte + 0x40))), .control)
        }
    }

    private static func escapeToken(in bytes: ArraySlice<UInt8>, flush: Bool) -> Token? {
        let rest = bytes.dropFirst()
        guard let second = rest.first else { return flush ? Token(1, .key(Key(.escape))) : nil }
        switch second {
        case 0x5B: return controlSequence(in: bytes, flush: flush)
        case 0x4F: return shiftedSequence(in: bytes, flush: flush)
        case 0x5D, 0x50: return commandString(in: bytes, flush: flush)
        case 0x1B:
            guard let third = rest.dropFirst().first else { return flush ? Token(1, .key(Key(.escape))) : nil }
            guard third == 0x5B || third == 0x4F else { return Token(1, .key(Key(.escape))) }
            return altToken(before: rest, flush: flush)
        default: return altToken(before: rest, flush: flush)
        }
    }

    /// Esc and a key is that key with Alt held. Before anything else, such as a reply of the terminal, it is Esc itself.
    private static func altToken(before rest: ArraySlice<UInt8>, flush: Bool) -> Token? {
        guard let token = token(in: rest, flush: flush) else { return nil }
        guard case .key(var key)? = token.events.first else { return Token(1, .key(Key(.escape))) }
        key.modifiers.insert(.alt)
        return Token(1 + token.length, .key(key))
    }

    /// A scalar in UTF-8 (RFC 3629). Invalid bytes become U+FFFD, one for each broken start, and the byte that broke it
    /// is decoded again.
    private static func encodedToken(in bytes: ArraySlice<UInt8>, flush: Bool) -> Token? {
        let first = bytes[bytes.startIndex]
        guard let lead = UTF8Lead(first) else { return Token(1, .key(Key(.character("\u{FFFD}")))) }
        let length = lead.length
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for (count, byte) in bytes.dropFirst().prefix(length - 1).enumerated() {
            guard lead.allows(byte, at: count + 1) else {
                return Token(count + 1, .key(Key(.character("\u{FFFD}"))))
            }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        guard bytes.count >= length else {
            return flush ? Token(bytes.count, .key(Key(.character("\u{FFFD}")))) : nil
        }
        guard let scalar = Unicode.Scalar(value), !(0x80...0x9F).contains(value) else { return Token(length) }
        return Token(length, .key(Key(.character(Character(scalar)))))
    }
}

/// Mouse reports: xterm's SGR form (mode 1006) and the old form of three bytes (mode 1000).
extension KeyDecoder {
    static func mouse(_ sequence: ControlSequence) -> Mouse {
        mouse(
            code: sequence.number(0, default: 0), column: sequence.number(1), row: sequence.number(2),
            isRelease: sequence.final == 0x6D)
    }

    static func oldMouse(_ bytes: ArraySlice<UInt8>) -> InputEvent? {
        let values = bytes.map { Int($0) - 32 }
        guard values.count == 3, values[0] >= 0 else { return nil }
        let isRelease = values[0] & 0x43 == 3
        return .mouse(mouse(code: values[0], column: values[1], row: values[2], isRelease: isRelease))
    }

    /// Low bits: the button; 4 shift, 8 alt, 16 control; 32 moved; 64 a wheel; 128 further buttons.
    private static func mouse(code: Int, column: Int, row: Int, isRelease: Bool) -> Mouse {
        var modifiers: Key.Modifiers = []
        if code & 4 != 0 { modifiers.insert(.shift) }
        if code & 8 != 0 { modifiers.insert(.alt) }
        if code & 16 != 0 { modifiers.insert(.control) }
        let position = Point(column: max(0, column - 1), row: max(0, row - 1))
        if code & 64 != 0 {
            let wheels: [Mouse.Kind] = [.wheelUp, .wheelDown, .wheelLeft, .wheelRight]
            return Mouse(wheels[code & 3], position: position, modifiers: modifiers)
        }
        let buttons: [Mouse.Button] = [.left, .middle, .right, .none]
        let kind: Mouse.Kind = isRelease ? .release : code & 32 != 0 ? .drag : .press
        return Mouse(
            kind, button: code & 128 != 0 ? .other : buttons[code & 3], position: position, modifiers: modifiers)
    }
}
