/// Error messages.
extension JSONScanner {
    /// Records the error. Returns false, the result of a step that cannot go on.
    mutating func fail(at offset: Int, _ reason: String) -> Bool {
        failure = (offset, reason)
        return false
    }

    /// Stops where the index would exceed a limit.
    mutating func stop(at limit: IndexLimit) -> Bool {
        self.limit = limit
        return fail(at: position, "this is JSON \(limit); the rest is not indexed")
    }

    /// Returns the error that `byte` is not what was expected at `position`.
    func unexpected(_ byte: UInt8) -> String {
        "expected \(expectation), found \(found(byte))"
    }

    /// The error when the body ends at `position`; nil when it may end there.
    var truncation: String? {
        switch state {
        case .start, .root:
            if position < end { return "expected a value, found the end of the body inside \(foundWord)" }
            return roots == .many || rootCount > 0 ? nil : "expected a value, found an empty body"
        case .key: return "the body ends inside a key"
        case .string: return "the body ends inside a string"
        case .number: return numberPhase.isWhole ? nil : "\(numberPhase.missing), found the end of the body"
        default:
            let found = position < end ? "the end of the body inside \(foundWord)" : "the end of the body"
            return "expected \(expectation), found \(found)"
        }
    }

    private var expectation: String {
        switch state {
        case .start: "a value"
        case .root: rootCount == 0 ? "a value" : roots == .one ? "the end of the body after the value" : "white space"
        case .element: isInObject ? "a value after ':'" : "an element after ','"
        case .elementOrEnd: "an element or ']'"
        case .member: "a key in double quotes after ','"
        case .memberOrEnd: "a key in double quotes or '}'"
        case .colon: "':' after the key"
        case .commaOrEnd: isInObject ? "',' or '}' after the member" : "',' or ']' after the element"
        case .key, .string, .number: "the rest of it"
        }
    }

    /// Returns a description of the byte, with a hint where other formats allow it.
    private func found(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "'"): return "''' (JSON has double quotes only)"
        case UInt8(ascii: "/"), UInt8(ascii: "#"): return "\(Found(byte)) (JSON has no comments)"
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            let isTrailing = state == .member || state == .element && !isInObject
            return "\(Found(byte))" + (isTrailing ? " (JSON has no trailing commas)" : "")
        case 0xFE, 0xFF: return "\(Found(byte))" + (position == 0 ? " (UTF-16? JSON is UTF-8)" : "")
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): return foundWord
        default: return "\(Found(byte))"
        }
    }

    /// The word at `position`, as far as it has arrived, up to 20 bytes.
    var foundWord: String {
        var word = ""
        while position + word.utf8.count < end, word.utf8.count < 20 {
            let byte = base[position + word.utf8.count]
            guard byte | 0x20 >= 0x61, byte | 0x20 <= 0x7A || byte == 0x5F else { break }
            word.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return word.isEmpty ? "\(Found(base[position]))" : "'\(word)'"
    }
}
