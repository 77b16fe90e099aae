/// Escape sequences (ECMA-48): their ends and their kinds.
extension KeyDecoder {
    /// Nothing that a terminal sends is longer; a longer sequence is dropped as garbage.
    private static let maximumSequenceLength = 128
    private static let maximumStringLength = 4096

    /// `ESC [`, parameters, and a final byte.
    static func controlSequence(in bytes: ArraySlice<UInt8>, flush: Bool) -> Token? {
        let body = bytes.dropFirst(2)
        guard let first = body.first else {
            return flush ? Token(2, .key(Key(.character("["), .alt))) : nil
        }
        // Mouse reports of old terminals carry three raw bytes, function keys of the Linux console one.
        if first == 0x4D { return fixedSequence(in: bytes, length: 6, flush: flush) { oldMouse($0) } }
        if first == 0x5B { return fixedSequence(in: bytes, length: 4, flush: flush) { consoleKey($0) } }
        for (count, byte) in body.enumerated() {
            let length = count + 3
            if (0x40...0x7E).contains(byte) || endsOldShift(body.prefix(count + 1)) {
                return meaning(of: ControlSequence(body.prefix(count), final: byte), length: length)
            }
            // A control character or a byte above ASCII cannot be in here: the sequence was cut; start over at it.
            guard (0x20...0x3F).contains(byte) else { return Token(length - 1) }
            if length >= maximumSequenceLength { return Token(length) }
        }
        return flush ? Token(bytes.count) : nil
    }

    /// rxvt ends the sequence of a shifted key with `$`, which is not a final byte by the standard.
    private static func endsOldShift(_ body: ArraySlice<UInt8>) -> Bool {
        body.last == 0x24 && body.count > 1 && body.dropLast().allSatisfy(\.isASCIIDigit)
    }

    private static func fixedSequence(
        in bytes: ArraySlice<UInt8>, length: Int, flush: Bool, meaning: (ArraySlice<UInt8>) -> InputEvent?
    ) -> Token? {
        guard bytes.count >= length else { return flush ? Token(bytes.count) : nil }
        guard let event = meaning(bytes.prefix(length).dropFirst(3)) else { return Token(length) }
        return Token(length, event)
    }

    /// `ESC O`, optionally a digit for the modifiers, and a letter.
    static func shiftedSequence(in bytes: ArraySlice<UInt8>, flush: Bool) -> Token? {
        let alone = Token(2, .key(Key(.character("O"), .alt)))
        guard var final = bytes.dropFirst(2).first else { return flush ? alone : nil }
        var modifiers: Key.Modifiers = []
        var length = 3
        if (0x32...0x38).contains(final) {
            guard let next = bytes.dropFirst(3).first else { return flush ? Token(bytes.count) : nil }
            modifiers = self.modifiers(Int(final) - 0x30)
            final = next
            length = 4
        }
        guard var key = letterKey(final) ?? keypadKey(final) else { return alone }
        key.modifiers.formUnion(modifiers)
        return Token(length, .key(key))
    }

    /// A reply of the terminal (`ESC ]` or `ESC P` … BEL or `ESC \`). Replies to other programs' requests are dropped;
    /// anything that does not look like a reply is Alt and a key.
    static func commandString(in bytes: ArraySlice<UInt8>, flush: Bool) -> Token? {
        let introducer = bytes[bytes.startIndex + 1]
        let alone = Token(2, .key(Key(.character(Character(Unicode.Scalar(introducer))), .alt)))
        guard let third = bytes.dropFirst(2).first else { return flush ? alone : nil }
        let starts = introducer == 0x5D ? "0123456789" : "0123456789>!+$"
        guard starts.utf8.contains(third) else { return alone }
        var previous: UInt8 = 0
        for (count, byte) in bytes.dropFirst(2).enumerated() {
            if byte == 0x07 || (previous == 0x1B && byte == 0x5C) {
                let content = bytes.dropFirst(2).prefix(byte == 0x07 ? count : count - 1)
                return reply(introducer, content).map { Token(count + 3, $0) } ?? Token(count + 3)
            }
            if previous == 0x1B { return Token(count + 1) }
            if count >= maximumStringLength { return Token(count + 3) }
            previous = byte
        }
        return flush ? Token(bytes.count) : nil
    }

    /// The colour of the background, `11;rgb:1e1e/1e1e/2e2e`: one to four hexadecimal digits a part.
    private static func reply(_ introducer: UInt8, _ content: ArraySlice<UInt8>) -> InputEvent? {
        let text = String(decoding: content, as: UTF8.self)
        guard introducer == 0x5D, let prefix = ["11;rgb:", "11;rgba:"].first(where: text.hasPrefix) else { return nil }
        let parts = text.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false).prefix(3)
        let values = parts.compactMap { part -> Double? in
            guard (1...4).contains(part.count), let value = Int(part, radix: 16), value >= 0 else { return nil }
            return Double(value) / Double(1 << (4 * part.count) - 1)
        }
        guard values.count == 3 else { return nil }
        return .background(Background(red: values[0], green: values[1], blue: values[2]))
    }
}

/// The decoding of complete escape sequences.
extension KeyDecoder {
    /// The parts of `ESC [ … final`.
    struct ControlSequence {
        /// `<`, `=`, `>` or `?` at the start: not a key but a mouse report or a reply.
        var mark: UInt8?
        /// The numbers between semicolons, each with its parts between colons; -1 for one left out.
        var numbers: [[Int]] = []
        /// The byte between the numbers and the end.
        var intermediate: UInt8?
        var final: UInt8

        init(_ body: ArraySlice<UInt8>, final: UInt8) {
            self.final = final
            var digits = body
            if let first = body.first, (0x3C...0x3F).contains(first) {
                mark = first
                digits = body.dropFirst()
            }
            if let last = digits.last, (0x20...0x2F).contains(last) {
                intermediate = last
                digits.removeLast()
            }
            if digits.isEmpty { return }
            numbers = digits.split(separator: 0x3B, omittingEmptySubsequences: false).map {
                $0.split(separator: 0x3A, omittingEmptySubsequences: false).map(Self.number)
            }
        }

        /// The nth number, or the default when it is missing.
        func number(_ n: Int, default missing: Int = 1) -> Int {
            guard numbers.indices.contains(n), let first = numbers[n].first, first >= 0 else { return missing }
            return first
        }

        /// The event type of kitty's protocol is release: 1 press, 2 repeat, 3 release.
        var isRelease: Bool { numbers.count > 1 && numbers[1].count > 1 && numbers[1][1] == 3 }

        private static func number(_ digits: ArraySlice<UInt8>) -> Int {
            if digits.isEmpty { return -1 }
            // Saturates: longer numbers than any terminal sends must not overflow.
            return digits.reduce(0) { min($0 * 10 + Int($1 & 0x0F), 9_999_999) }
        }
    }

    static func meaning(of sequence: ControlSequence, length: Int) -> Token {
        if sequence.mark == 0x3C, sequence.final == 0x4D || sequence.final == 0x6D {
            return Token(length, .mouse(mouse(sequence)))
        }
        // The state of the mode DECLRMM (DECRPM): set or reset, so it can be changed.
        if sequence.mark == 0x3F, sequence.intermediate == 0x24, sequence.final == 0x79, sequence.number(0) == 69,
            (1...2).contains(sequence.number(1, default: 0))
        {
            return Token(length, .margins)
        }
        guard sequence.mark == nil, sequence.intermediate == nil, !sequence.isRelease else { return Token(length) }
        if sequence.final == 0x7E, sequence.number(0) == 200 {
            var token = Token(length)
            token.startsPaste = true
            return token
        }
        if sequence.numbers.isEmpty, sequence.final == 0x49 || sequence.final == 0x4F {
            return Token(length, .focus(sequence.final == 0x49))
        }
        if sequence.final == 0x6E { return Token(length, .status) }
        guard let key = key(sequence) else { return Token(length) }
        return Token(length, .key(key))
    }

    private static func key(_ sequence: ControlSequence) -> Key? {
        let modifiers = modifiers(sequence.number(1))
        switch sequence.final {
        case 0x7E where sequence.number(0) == 27:
            return characterKey(sequence.number(2, default: 0), shifted: nil, modifiers)
        case 0x7E: return numberedKey(sequence.number(0, default: 0)).map { Key($0, modifiers) }
        case 0x24: return numberedKey(sequence.number(0, default: 0)).map { Key($0, .shift) }
        case 0x5E: return numberedKey(sequence.number(0, default: 0)).map { Key($0, .control) }
        case 0x40: return numberedKey(sequence.number(0, default: 0)).map { Key($0, [.control, .shift]) }
        case 0x75:
            let code = sequence.numbers.first ?? []
            return characterKey(sequence.number(0, default: 0), shifted: code.count > 1 ? code[1] : nil, modifiers)
        // Not F3, but the place of the cursor, which a program before this one has asked for.
        case 0x52 where sequence.number(0) != 1: return nil
        default:
            guard var key = letterKey(sequence.final) else { return nil }
            if (0x61...0x64).contains(sequence.final) { key.modifiers = .shift }
            key.modifiers.formUnion(modifiers)
            return key
        }
    }

    /// The modifiers of xterm and kitty: one more than the sum of shift 1, alt 2, control 4; others are ignored.
    static func modifiers(_ number: Int) -> Key.Modifiers {
        Key.Modifiers(rawValue: UInt8(truncatingIfNeeded: max(0, number - 1) & 7))
    }

    /// The final letter of cursor and function keys; small letters are rxvt's.
    static func letterKey(_ final: UInt8) -> Key? {
        switch final {
        case 0x41: Key(.up)
        case 0x42: Key(.down)
        case 0x43: Key(.right)
        case 0x44: Key(.left)
        case 0x46: Key(.end)
        case 0x48: Key(.home)
        case 0x50...0x53: Key(.function(Int(final) - 0x4F))
        case 0x5A: Key(.tab, .shift)
        case 0x61: Key(.up, .control)
        case 0x62: Key(.down, .control)
        case 0x63: Key(.right, .control)
        case 0x64: Key(.left, .control)
        default: nil
        }
    }

    /// The keypad in application mode: `ESC O j` is `*`, and so on.
    static func keypadKey(_ final: UInt8) -> Key? {
        switch final {
        case 0x4D: Key(.enter)
        case 0x49: Key(.tab)
        case 0x58: Key(.character("="))
        case 0x6A...0x79: Key(.character(Character(Unicode.Scalar(final - 0x40))))
        default: nil
        }
    }

    private static func numberedKey(_ number: Int) -> Key.Code? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23...26: .function(number - 12)
        case 28, 29: .function(number - 13)
        case 31...34: .function(number - 14)
        default: nil
        }
    }

    /// A key by its code point (kitty's `CSI u`, xterm's modifyOtherKeys).
    private static func characterKey(_ code: Int, shifted: Int?, _ modifiers: Key.Modifiers) -> Key? {
        if let named = namedKey(code) { return Key(named, modifiers) }
        guard code >= 0x20, !(0x7F...0x9F).contains(code), !(0xE000...0xF8FF).contains(code),
            let scalar = Unicode.Scalar(UInt32(code))
        else { return nil }
        var key = Key(.character(Character(scalar)), modifiers)
        let isLetter = scalar.properties.isAlphabetic
        if modifiers.contains(.control), isLetter {
            let lower = String(scalar).lowercased()
            if lower.count == 1, let character = lower.first { key.code = .character(character) }
        } else if modifiers.contains(.shift) {
            key.modifiers.remove(.shift)
            let upper =
                shifted.flatMap { Unicode.Scalar(UInt32(max(0, $0))) }.map(String.init)
                ?? String(scalar).uppercased()
            if upper.count == 1, let character = upper.first { key.code = .character(character) }
        }
        return key
    }

    private static func namedKey(_ code: Int) -> Key.Code? {
        let keypad: [Key.Code] = [
            .left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .insert, .delete,
        ]
        switch code {
        case 8, 127: return .backspace
        case 9: return .tab
        case 13, 57414: return .enter
        case 27: return .escape
        case 57376...57398: return .function(code - 57376 + 13)
        case 57399...57408: return .character(Character(Unicode.Scalar(UInt8(code - 57399 + 0x30))))
        case 57409...57413: return .character(Array("./*-+")[code - 57409])
        case 57415: return .character("=")
        case 57417...57426: return keypad[code - 57417]
        default: return nil
        }
    }

    /// `ESC [ [ A` to `E` are F1 to F5 of the Linux console.
    static func consoleKey(_ bytes: ArraySlice<UInt8>) -> InputEvent? {
        guard let letter = bytes.first, (0x41...0x45).contains(letter) else { return nil }
        return .key(Key(.function(Int(letter) - 0x40)))
    }
}
