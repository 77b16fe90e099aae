/// The single pass over a body that checks it against RFC 8259 and writes its tape. It does not recurse: nesting and memory
/// are bounded by limits. It stops at any byte when no more have come, and resumes there.
///
/// It holds machine words only: the pass runs on a copy in a local variable, which the compiler keeps in registers.
struct JSONScanner {
    /// The tokens that may come next.
    enum State: UInt8 {
        case start, root, element, elementOrEnd, member, memberOrEnd, colon, commaOrEnd
        /// Inside a token when no more bytes have come.
        case key, string, number
    }

    /// The body. Its bytes stay the same; their address may change when more have come.
    var base: UnsafePointer<UInt8>
    let tape: JSONTape
    let roots: JSONRoots
    let limits: IndexLimits
    let maximumCount: Int

    /// Everything before it is in the tape, except the current string or number.
    var position = 0
    /// The end of the received bytes.
    var end = 0
    var state = State.start
    /// The start of the current string or number.
    var tokenStart = 0
    var hasEscapes = false
    var numberPhase = JSONNumberPhase.minus
    var isInObject = false
    /// The open containers, outermost first: twice their index, and one more for an object.
    var open: [UInt32] = []

    var count = 0
    var rootCount = 0
    private var chunk: JSONTape.Chunk

    var hasByteOrderMark = false
    /// True once a key has escapes; until then keys can be compared as bytes.
    var hasEscapedKeys = false
    /// True once a string has an escape of four digits, which may be half of a character.
    var hasUnicodeEscapes = false
    /// The first error; nothing is read after it.
    var failure: (offset: Int, reason: String)?
    /// The limit that is the failure.
    var limit: IndexLimit?

    init(base: UnsafePointer<UInt8>, tape: JSONTape, roots: JSONRoots, limits: IndexLimits) {
        self.base = base
        self.tape = tape
        self.roots = roots
        self.limits = limits
        maximumCount = min(limits.memory / JSONTape.entrySize, JSONTape.maximumCount - 1)
        chunk = tape.grow(at: 0)
    }

    /// Reads on to the end of the received bytes.
    mutating func scan(upTo limit: Int) {
        end = limit
        guard failure == nil else { return }
        while step() {}
    }

    /// Reads one token. Returns false when its bytes have not all come, or it is invalid.
    @inline(__always) private mutating func step() -> Bool {
        if state.rawValue >= State.key.rawValue { return resume() }
        skipWhitespace()
        guard position < end else { return false }
        let byte = base[position]
        switch state {
        case .commaOrEnd: return commaOrEnd(byte)
        case .member: return key(byte)
        case .colon: return colon(byte)
        case .element: return value(byte)
        case .elementOrEnd: return byte == UInt8(ascii: "]") ? close() : value(byte)
        case .memberOrEnd: return byte == UInt8(ascii: "}") ? close() : key(byte)
        case .root: return root(byte)
        case .start: return start(byte)
        case .key, .string, .number: return false
        }
    }

    private mutating func resume() -> Bool {
        switch state {
        case .key: keyRest()
        case .string: stringRest()
        default: numberRest()
        }
    }

    @inline(__always) private mutating func skipWhitespace() {
        // Usually there is none, or one space.
        guard position < end, base[position] <= 0x20 else { return }
        if base[position] == 0x20 { position += 1 }
        while position < end, base[position] <= 0x20 {
            guard position + ByteBlock.size <= end else {
                guard Self.isWhitespace(base[position]) else { return }
                position += 1
                continue
            }
            let length = ByteBlock(at: base + position).whitespaceLength
            position += length
            if length < ByteBlock.size { return }
        }
    }

    @inline(__always) static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}

/// One token each.
extension JSONScanner {
    @inline(__always) private mutating func value(_ byte: UInt8) -> Bool {
        guard count < maximumCount else { return stop(at: .memory(limits.memory)) }
        tokenStart = position
        switch byte {
        case UInt8(ascii: "\""):
            position += 1
            hasEscapes = false
            state = .string
            return stringRest()
        case UInt8(ascii: "{"): return push(isObject: true)
        case UInt8(ascii: "["): return push(isObject: false)
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            position += 1
            numberPhase = JSONNumberPhase(firstByte: byte)
            state = .number
            return numberRest()
        case UInt8(ascii: "t"): return literal("true")
        case UInt8(ascii: "f"): return literal("false")
        case UInt8(ascii: "n"): return literal("null")
        default: return fail(at: position, unexpected(byte))
        }
    }

    @inline(__always) private mutating func key(_ byte: UInt8) -> Bool {
        guard byte == UInt8(ascii: "\"") else { return fail(at: position, unexpected(byte)) }
        tokenStart = position
        position += 1
        hasEscapes = false
        state = .key
        return keyRest()
    }

    @inline(__always) private mutating func colon(_ byte: UInt8) -> Bool {
        guard byte == UInt8(ascii: ":") else { return fail(at: position, unexpected(byte)) }
        position += 1
        state = .element
        return true
    }

    @inline(__always) private mutating func commaOrEnd(_ byte: UInt8) -> Bool {
        if byte == UInt8(ascii: ",") {
            position += 1
            state = isInObject ? .member : .element
            return true
        }
        guard byte == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
            return fail(at: position, unexpected(byte))
        }
        return close()
    }

    @inline(__always) private mutating func push(isObject: Bool) -> Bool {
        guard open.count < limits.depth else { return stop(at: .depth(limits.depth)) }
        open.append(UInt32(truncatingIfNeeded: count) << 1 | (isObject ? 1 : 0))
        append(offset: position, link: UInt32(truncatingIfNeeded: count))
        position += 1
        isInObject = isObject
        state = isObject ? .memberOrEnd : .elementOrEnd
        return true
    }

    /// Writes the closing entry, and links its container past it.
    @inline(__always) private mutating func close() -> Bool {
        guard count < maximumCount else { return stop(at: .memory(limits.memory)) }
        guard let container = open.popLast() else { return false }
        let index = Int(container >> 1)
        append(offset: position, link: container >> 1)
        let slot = (index & JSONTape.chunkMask) << 1
        tape.table[index >> JSONTape.chunkShift][slot + 1] = UInt32(truncatingIfNeeded: count)
        position += 1
        finishValue()
        return true
    }

    @inline(__always) private mutating func keyRest() -> Bool {
        guard scanString() else { return false }
        if hasEscapes { hasEscapedKeys = true }
        state = .colon
        return true
    }

    @inline(__always) private mutating func stringRest() -> Bool {
        guard scanString() else { return false }
        appendScalar()
        return true
    }

    @inline(__always) private mutating func numberRest() -> Bool {
        guard scanNumber() else { return false }
        appendScalar()
        return true
    }

    @inline(__always) mutating func appendScalar() {
        let length = min(position - tokenStart, Int(JSONTape.maximumLength))
        let flags = JSONTape.scalarBit | (hasEscapes ? JSONTape.escapeBit : 0)
        append(offset: tokenStart, link: UInt32(truncatingIfNeeded: length) | flags)
        hasEscapes = false
        finishValue()
    }

    @inline(__always) private mutating func finishValue() {
        guard let last = open.last else {
            rootCount += 1
            state = .root
            return
        }
        isInObject = last & 1 == 1
        state = .commaOrEnd
    }

    @inline(__always) private mutating func append(offset: Int, link: UInt32) {
        let slot = (count & JSONTape.chunkMask) << 1
        if slot == 0, count > 0 { chunk = tape.grow(at: count) }
        chunk[slot] = UInt32(truncatingIfNeeded: offset)
        chunk[slot + 1] = link
        count += 1
    }
}

/// Values that are in no container.
extension JSONScanner {
    /// Reads the first byte of the body that is not white space, or a byte order mark.
    private mutating func start(_ byte: UInt8) -> Bool {
        guard position == 0, byte == 0xEF else {
            state = .root
            return root(byte)
        }
        guard end >= 3 else { return false }
        guard base[1] == 0xBB, base[2] == 0xBF else { return fail(at: 0, unexpected(byte)) }
        hasByteOrderMark = true
        position = 3
        state = .root
        return true
    }

    private mutating func root(_ byte: UInt8) -> Bool {
        guard rootCount > 0 else { return value(byte) }
        guard roots == .many else { return fail(at: position, unexpected(byte)) }
        // Values without an end of their own, such as numbers, need white space after them.
        let before = base[position - 1]
        let isApart = Self.isWhitespace(before) || before == 0x22 || before == 0x5D || before == 0x7D
        return isApart ? value(byte) : fail(at: position, unexpected(byte))
    }
}
