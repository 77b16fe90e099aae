/// The attributes of text as a terminal has them (SGR, ECMA-48 §8.3.117): bold and its like, and two colours.
struct TextAttributes: Equatable {
    /// Bit n for the attribute n, from bold (1) to crossed out (9).
    private var flags: UInt16 = 0
    private var foreground: Color?
    private var background: Color?

    private enum Color: Equatable {
        /// A number in the palette.
        case index(Int)
        case rgb(Int, Int, Int)
    }

    init() {}

    /// - Parameters:
    ///   - flags: the numbers of attributes that are on, from 1 to 9.
    ///   - foreground: a colour of the palette; nil for the terminal's own.
    init(flags: [Int], foreground: Int?, background: Int?) {
        for flag in flags { self.flags |= 1 << UInt16(flag) }
        self.foreground = foreground.map(Color.index)
        self.background = background.map(Color.index)
    }

    /// Takes over a sequence `ESC [ … m`. Returns false, and changes nothing, where it is not understood.
    mutating func take(_ sequence: UnsafeBufferPointer<UInt8>) -> Bool {
        guard sequence.count >= 3, sequence[1] == 0x5B, sequence.last == 0x6D else { return false }
        var changed = self
        var numbers: [Int] = [0]
        for byte in sequence[2..<sequence.count - 1] {
            switch byte {
            case 0x30...0x39 where numbers[numbers.count - 1] < 1000:
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - 0x30)
            case 0x3B: numbers.append(0)
            default: return false
            }
        }
        var rest = numbers[...]
        while !rest.isEmpty { guard changed.take(&rest) else { return false } }
        self = changed
        return true
    }

    /// Takes the first of the numbers, and those that belong to it.
    private mutating func take(_ numbers: inout ArraySlice<Int>) -> Bool {
        let number = numbers.removeFirst()
        switch number {
        case 0: self = TextAttributes()
        case 1...9: flags |= 1 << UInt16(number)
        case 22: flags &= ~0b110
        case 23...25, 27...29: flags &= ~(1 << UInt16(number - 20))
        case 30...37: foreground = .index(number - 30)
        case 39: foreground = nil
        case 40...47: background = .index(number - 40)
        case 49: background = nil
        case 90...97: foreground = .index(number - 82)
        case 100...107: background = .index(number - 92)
        case 38, 48:
            guard let color = Self.color(&numbers) else { return false }
            if number == 38 { foreground = color } else { background = color }
        default: return false
        }
        return true
    }

    private static func color(_ numbers: inout ArraySlice<Int>) -> Color? {
        let values = Array(numbers.prefix(4))
        if values.count >= 2, values[0] == 5 {
            numbers.removeFirst(2)
            return .index(values[1])
        }
        guard values.count == 4, values[0] == 2 else { return nil }
        numbers.removeFirst(4)
        return .rgb(values[1], values[2], values[3])
    }

    /// The shortest sequence that this type knows from other attributes to these.
    /// - Parameter shown: nil for unknown ones.
    func sequence(after shown: TextAttributes?) -> [UInt8] {
        var bytes: [UInt8] = [0x1B, 0x5B]
        var shown = shown
        if shown.map(loses) ?? true {
            shown = TextAttributes()
            // Nothing at all resets, too.
            if self != TextAttributes() { bytes += [0x30, 0x3B] }
        }
        for flag in UInt8(1)...9 where (flags & ~(shown?.flags ?? 0)) >> UInt16(flag) & 1 == 1 {
            bytes += [0x30 + flag, 0x3B]
        }
        if let foreground, foreground != shown?.foreground { bytes += Self.code(of: foreground, over: 30).utf8 }
        if let background, background != shown?.background { bytes += Self.code(of: background, over: 40).utf8 }
        if bytes.last == 0x3B { bytes.removeLast() }
        return bytes + [0x6D]
    }

    /// True where the others have something that these lack: only a reset takes it away.
    private func loses(_ others: TextAttributes) -> Bool {
        others.flags & ~flags != 0 || others.foreground != nil && foreground == nil
            || others.background != nil && background == nil
    }

    /// With a semicolon at its end.
    private static func code(of color: Color, over base: Int) -> String {
        switch color {
        case .index(let index) where index < 8: "\(base + index);"
        case .index(let index) where index < 16: "\(base + 52 + index);"
        case .index(let index): "\(base + 8);5;\(index);"
        case .rgb(let red, let green, let blue): "\(base + 8);2;\(red);\(green);\(blue);"
        }
    }
}
