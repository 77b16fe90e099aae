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

    /// - Parameter terminalKeys: the byte strings of two or more bytes that this terminal sends for keys.
    init(terminalKeys: [KeySequence] = []) {
        self.terminalKeys = terminalKeys.filter { $0.bytes.count >= 2 }
    }

    /// Decodes keys of this terminal from now on, too.
    mutating func learn(_ keys: [KeySequence]) { terminalKeys += keys.filter { $0.bytes.count >= 2 } }

    /// The time to wait for more before `timedOut()` is called; nil while nothing is expected.
    var patience: Duration? {
        if paste != nil { return Self.pastePatience }
        guard !pending.isEmpty else { return nil }
        return isKeyByItself ? Self.escapePatience : Self.sequencePatience
    }

    /// The bytes so far may be a key by themselves (Esc, or Alt and a key) or the start of a longer sequence.
    static let escapePatience = Duration.milliseconds(30)
    /// The bytes so far have begun a sequence, which slow lines deliver in pieces.
    static let sequencePatience = Duration.seconds(1)
    /// A paste whose end mark is lost must not swallow all keys for ever. Lines that stall in the middle of one take less.
    static let pastePatience = Duration.seconds(5)

    mutating func decode(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        var events: [InputEvent] = []
        var rest = Array(bytes)[...]
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

    /// Decodes the pending bytes as they are: nothing followed.
    mutating func timedOut() -> [InputEvent] {
        if let text = paste {
            paste = nil
            return text.isEmpty ? [] : [.paste(Self.text(ofPaste: text[...]))]
        }
        var events: [InputEvent] = []
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

    /// The arrows of nearly all terminals need no lookup in this one's description.
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
