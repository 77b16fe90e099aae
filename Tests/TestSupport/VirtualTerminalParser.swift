/// Splits what a program writes to a terminal into characters, controls and sequences (ECMA-48).
struct VirtualTerminalParser: Sendable {
    struct Sequence: Sendable {
        /// The mark before the numbers, what stands between them and the last letter, and the letter: `?h`, `m`.
        var name: String
        var numbers: [Int]

        func number(_ n: Int, _ missing: Int) -> Int {
            numbers.indices.contains(n) && numbers[n] >= 0 ? numbers[n] : missing
        }
    }

    enum Step: Sendable {
        case print(Unicode.Scalar)
        case control(UInt8)
        case escape(String)
        case sequence(Sequence)
    }

    private enum State {
        case ground, escape, sequence, string, stringEscape
    }

    private var state = State.ground
    private var collected: [UInt8] = []
    private(set) var lastPrinted: Unicode.Scalar?

    mutating func take(_ byte: UInt8) -> Step? {
        switch state {
        case .ground: return ground(byte)
        case .escape: return escape(byte)
        case .sequence: return sequence(byte)
        case .string:
            if byte == 0x07 { state = .ground } else if byte == 0x1B { state = .stringEscape }
        case .stringEscape: state = byte == 0x5C ? .ground : .string
        }
        return nil
    }

    private mutating func ground(_ byte: UInt8) -> Step? {
        if byte == 0x1B {
            state = .escape
            collected = []
            return nil
        }
        if byte < 0x20 || byte == 0x7F { return .control(byte) }
        collected.append(byte)
        let needed = collected[0] < 0x80 ? 1 : collected[0] < 0xE0 ? 2 : collected[0] < 0xF0 ? 3 : 4
        guard collected.count >= needed else { return nil }
        let scalar = String(decoding: collected, as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"
        collected = []
        lastPrinted = scalar
        return .print(scalar)
    }

    private mutating func escape(_ byte: UInt8) -> Step? {
        collected.append(byte)
        if collected.count == 1 {
            switch byte {
            case 0x5B:
                state = .sequence
                collected = []
                return nil
            case 0x5D, 0x50, 0x5F, 0x5E:
                state = .string
                collected = []
                return nil
            default: break
            }
        }
        if (0x20...0x2F).contains(byte) { return nil }
        return finish(.escape(String(decoding: collected, as: UTF8.self)))
    }

    private mutating func sequence(_ byte: UInt8) -> Step? {
        collected.append(byte)
        guard (0x40...0x7E).contains(byte) else { return nil }
        let body = collected.dropLast()
        let digits = body.filter { (0x30...0x3B).contains($0) }
        let name = body.filter { !(0x30...0x3B).contains($0) } + [byte]
        let numbers =
            digits.isEmpty
            ? []
            : digits.split(separator: 0x3B, omittingEmptySubsequences: false).map {
                Int(String(decoding: $0, as: UTF8.self)) ?? -1
            }
        return finish(.sequence(Sequence(name: String(decoding: name, as: UTF8.self), numbers: numbers)))
    }

    private mutating func finish(_ step: Step) -> Step {
        state = .ground
        collected = []
        return step
    }
}
