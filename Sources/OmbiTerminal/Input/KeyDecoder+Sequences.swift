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
        body.last == 0x24 && body.count > 1 && body.dropLast().allSatisfy { (0x30...0x39).contains($0) }
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

    /// A reply of the terminal (`ESC ]` or `ESC P` … BEL or `ESC \`). Those that Ombi did not request, or another program
    /// did, are dropped; before anything that does not look like one, it is Alt and a key.
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
