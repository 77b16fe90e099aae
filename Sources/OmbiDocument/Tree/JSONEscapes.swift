/// The styles of the escapes in a string.
struct JSONEscapes {
    private let source: Bytes
    private let literal: ByteRange

    /// - Parameter literal: A string with its quotes, or the received part of one.
    init(in source: Bytes, literal: ByteRange) {
        self.source = source
        self.literal = literal
    }

    /// Returns the styles of a part of the literal, in order.
    func styles(of part: ByteRange) -> [StyledRange] {
        var styles: [StyledRange] = []
        var (plain, next) = (part.lowerBound, start(before: part.lowerBound))
        while next < part.upperBound {
            guard source.base[next] == 0x5C, next + 1 < literal.upperBound else {
                next += 1
                continue
            }
            let end = min(next + (source[next + 1] == UInt8(ascii: "u") ? 6 : 2), literal.upperBound)
            let style = style(of: next)
            if style != .string {
                if plain < next { styles.append(StyledRange(plain..<next, .string)) }
                styles.append(StyledRange(next..<end, style))
                plain = end
            }
            next = end
        }
        if plain < part.upperBound { styles.append(StyledRange(plain..<part.upperBound, .string)) }
        return styles
    }

    /// Returns the start of the escape around `offset`, or `offset`.
    private func start(before offset: Int) -> Int {
        for back in stride(from: min(5, offset - literal.lowerBound), to: 0, by: -1) {
            let start = offset - back
            guard source.base[start] == 0x5C else { continue }
            var run = start
            while run > literal.lowerBound, source.base[run - 1] == 0x5C { run -= 1 }
            guard (start - run) & 1 == 0 else { continue }
            let length = source[start + 1] == UInt8(ascii: "u") ? 6 : 2
            if start + length > offset { return start }
        }
        return offset
    }

    /// Returns the style of an escape: common ones look like text, others are styled by what they encode.
    private func style(of escape: Int) -> TextStyle {
        switch source[escape + 1] {
        case UInt8(ascii: "u"): break
        case UInt8(ascii: "b"), UInt8(ascii: "f"): return .control
        case UInt8(ascii: "/"): return .code
        default: return .string
        }
        guard let unit = unit(at: escape) else { return .string }
        if unit < 0x20 || 0x7F..<0xA0 ~= unit { return .control }
        switch unit & 0xFC00 {
        case 0xD800: return self.unit(at: escape + 6).map { $0 & 0xFC00 == 0xDC00 } == true ? .code : .invalid
        case 0xDC00: return isSecond(escape) ? .code : .invalid
        default: return .code
        }
    }

    private func isSecond(_ escape: Int) -> Bool {
        guard escape - 6 > literal.lowerBound, let before = unit(at: escape - 6), before & 0xFC00 == 0xD800 else {
            return false
        }
        var run = escape - 6
        while run > literal.lowerBound, source.base[run - 1] == 0x5C { run -= 1 }
        return (escape - 6 - run) & 1 == 0
    }

    /// Returns the code unit of `\u` and four digits.
    private func unit(at escape: Int) -> UInt32? {
        guard escape + 6 < literal.upperBound, source.base[escape] == 0x5C, source.base[escape + 1] == UInt8(ascii: "u")
        else { return nil }
        return Hexadecimal.fourDigits(at: source.base + escape + 2)
    }
}
