/// Lays out JSON (RFC 8259) as indented lines in one pass over its bytes, and stops at the first byte that is not JSON.
/// Strings and numbers are kept exactly as they came. Depth is limited by memory only: there is no recursion.
struct JSONFormatter {
    struct Mistake: Error, Equatable {
        /// Counted from 1; columns in bytes.
        var line: Int
        var column: Int
        var reason: String
    }

    private let input: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var output: [UInt8] = []
    private var lineStarts = [0]
    /// One entry for each open container: whether it is an object.
    private var open: [Bool] = []

    /// The formatted bytes and the offset of each line in them.
    static func format(_ bytes: [UInt8]) throws(Mistake) -> (bytes: [UInt8], lineStarts: [Int]) {
        let result: Result<(bytes: [UInt8], lineStarts: [Int]), Mistake> = bytes.withUnsafeBufferPointer { input in
            var formatter = JSONFormatter(input: input)
            do throws(Mistake) {
                try formatter.run()
                return .success((formatter.output, formatter.lineStarts))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private init(input: UnsafeBufferPointer<UInt8>) {
        self.input = input
        output.reserveCapacity(input.count + input.count / 2)
        if input.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    private mutating func run() throws(Mistake) {
        try value()
        while !open.isEmpty { try afterValue() }
        skipBlanks()
        guard index == input.count else { throw mistake("more text after the end of the value") }
    }

    /// One scalar, or the start of a container up to its first scalar.
    private mutating func value() throws(Mistake) {
        while true {
            skipBlanks()
            guard index < input.count else { throw mistake("the body ends where a value is expected") }
            switch input[index] {
            case UInt8(ascii: "{"):
                if try begin(object: true) { return }
            case UInt8(ascii: "["):
                if try begin(object: false) { return }
            case UInt8(ascii: "\""): return try string()
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
            case UInt8(ascii: "t"): return try word("true")
            case UInt8(ascii: "f"): return try word("false")
            case UInt8(ascii: "n"): return try word("null")
            default: throw mistake("expected a value, found \(found)")
            }
        }
    }

    /// Opens a container. True when it was empty and is closed already.
    private mutating func begin(object: Bool) throws(Mistake) -> Bool {
        output.append(input[index])
        index += 1
        skipBlanks()
        let closing = object ? UInt8(ascii: "}") : UInt8(ascii: "]")
        if index < input.count, input[index] == closing {
            output.append(closing)
            index += 1
            return true
        }
        open.append(object)
        newLine()
        if object { try key() }
        return false
    }

    /// What may follow a value inside a container: a comma and the next value, or the end of the container.
    private mutating func afterValue() throws(Mistake) {
        guard let object = open.last else { return }
        skipBlanks()
        let closing = object ? UInt8(ascii: "}") : UInt8(ascii: "]")
        guard index < input.count else {
            throw mistake("the body ends inside \(object ? "an object" : "an array")")
        }
        if input[index] == closing {
            index += 1
            open.removeLast()
            newLine()
            return output.append(closing)
        }
        guard input[index] == UInt8(ascii: ",") else {
            throw mistake("expected ',' or '\(object ? "}" : "]")', found \(found)")
        }
        output.append(UInt8(ascii: ","))
        index += 1
        newLine()
        if object { try key() }
        try value()
    }

    private mutating func key() throws(Mistake) {
        skipBlanks()
        guard index < input.count, input[index] == UInt8(ascii: "\"") else {
            throw mistake("expected a name in quotes, found \(found)")
        }
        try string()
        skipBlanks()
        guard index < input.count, input[index] == UInt8(ascii: ":") else {
            throw mistake("expected ':' after the name, found \(found)")
        }
        index += 1
        output.append(UInt8(ascii: ":"))
        output.append(UInt8(ascii: " "))
    }

    private mutating func string() throws(Mistake) {
        let start = index
        index += 1
        while index < input.count {
            let byte = input[index]
            if byte == UInt8(ascii: "\"") {
                index += 1
                return output.append(contentsOf: input[start..<index])
            }
            if byte == UInt8(ascii: "\\") {
                try escape()
            } else if byte < 0x20 {
                throw mistake("a control character inside a string must be escaped")
            }
            index += 1
        }
        throw mistake("the body ends inside a string")
    }

    private mutating func escape() throws(Mistake) {
        index += 1
        guard index < input.count else { return }
        switch input[index] {
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                index += 1
                guard index < input.count, Self.isHexDigit(input[index]) else {
                    throw mistake("\\u needs four hexadecimal digits")
                }
            }
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            break
        default: throw mistake("unknown escape in a string: \(found) after a backslash")
        }
    }

    private mutating func number() throws(Mistake) {
        let start = index
        if input[index] == UInt8(ascii: "-") { index += 1 }
        let leadingZero = index < input.count && input[index] == UInt8(ascii: "0")
        let whole = digits()
        guard whole > 0 else { throw mistake("expected a digit, found \(found)") }
        if leadingZero, whole > 1 { throw mistake("a number must not start with 0") }
        if index < input.count, input[index] == UInt8(ascii: ".") {
            index += 1
            guard digits() > 0 else { throw mistake("expected a digit after the point, found \(found)") }
        }
        if index < input.count, input[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < input.count, input[index] == UInt8(ascii: "+") || input[index] == UInt8(ascii: "-") {
                index += 1
            }
            guard digits() > 0 else { throw mistake("expected a digit in the exponent, found \(found)") }
        }
        output.append(contentsOf: input[start..<index])
    }

    private mutating func digits() -> Int {
        let start = index
        while index < input.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(input[index]) { index += 1 }
        return index - start
    }

    private mutating func word(_ word: StaticString) throws(Mistake) {
        for offset in 0..<word.utf8CodeUnitCount {
            guard index + offset < input.count, input[index + offset] == word.utf8Start[offset] else {
                throw mistake("expected \(word)")
            }
        }
        output.append(contentsOf: input[index..<(index + word.utf8CodeUnitCount)])
        index += word.utf8CodeUnitCount
    }

    private mutating func skipBlanks() {
        while index < input.count, [0x20, 0x0A, 0x0D, 0x09].contains(input[index]) { index += 1 }
    }

    private mutating func newLine() {
        output.append(UInt8(ascii: "\n"))
        lineStarts.append(output.count)
        output.append(contentsOf: Self.blanks.prefix(2 * open.count))
    }

    /// Deeper lines are indented no further: at depth 100,000 the blanks alone would be gigabytes.
    private static let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 2 * 200)

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    private var found: String {
        guard index < input.count else { return "the end of the body" }
        let byte = input[index]
        return (0x21..<0x7F).contains(byte)
            ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x" + String(byte, radix: 16)
    }

    private func mistake(_ reason: String) -> Mistake {
        let before = input[..<min(index, input.count)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let lineStart = (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        return Mistake(line: line, column: min(index, input.count) - lineStart + 1, reason: reason)
    }
}
