/// The order of JSON numbers by their exact values: 1e2 is 100, and 9007199254740993 is not 9007199254740992.
enum JSONNumberOrder {
    /// Returns a value below 0, 0 or above 0. Exponents are clamped to 10^15.
    static func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
        if let small = smallInteger(left), let other = smallInteger(right) {
            return small < other ? -1 : small > other ? 1 : 0
        }
        let (left, right) = (Decimal(left), Decimal(right))
        if left.isZero || right.isZero || left.isNegative != right.isNegative {
            return left.sign - right.sign
        }
        let order = left.compareSize(right)
        return left.isNegative ? -order : order
    }

    /// Returns true if the exact value is whole: 1.0 and 10e-1 are, 1.5 is not.
    static func isInteger(_ digits: UnsafeBufferPointer<UInt8>) -> Bool {
        smallInteger(digits) != nil || Decimal(digits).isWhole
    }

    /// Returns the text that all numbers of one value share; nil for one that is that text.
    static func canonical(_ digits: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        if let small = smallInteger(digits) { return small == 0 && digits.count > 1 ? [0x30] : nil }
        return Decimal(digits).canonical(maximumInteger: maximumSmall)
    }

    /// The maximum length in bytes of an integer that is read without a `Decimal`.
    private static let maximumSmall = 18

    /// Returns the value of an integer without exponent or fraction, of at most 18 bytes; nil otherwise.
    private static func smallInteger(_ digits: UnsafeBufferPointer<UInt8>) -> Int? {
        guard digits.count <= maximumSmall else { return nil }
        var result = 0
        var isNegative = false
        for byte in digits {
            if byte == UInt8(ascii: "-") {
                isNegative = true
            } else if byte &- 0x30 < 10 {
                result = result * 10 + Int(byte &- 0x30)
            } else {
                return nil
            }
        }
        return isNegative ? -result : result
    }
}

/// A number as its digits, in place, and its decimal exponent.
private struct Decimal {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The index of the first nonzero digit, and the end of the digits.
    private var first: Int
    private let end: Int
    /// The exponent n of the number written as 0.d… × 10^n, where d is the first nonzero digit.
    private var magnitude = 0
    let isNegative: Bool

    var isZero: Bool { first == end }
    var sign: Int { isZero ? 0 : isNegative ? -1 : 1 }

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        isNegative = bytes.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        end = bytes.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? bytes.count
        let point = bytes[start..<end].firstIndex(of: UInt8(ascii: ".")) ?? end
        first = bytes[start..<end].firstIndex { $0 != UInt8(ascii: "0") && $0 != UInt8(ascii: ".") } ?? end
        magnitude = (first < point ? point - first : point - first + 1) + exponent()
    }

    private func exponent() -> Int {
        guard end < bytes.count else { return 0 }
        var result = 0
        for byte in bytes[(end + 1)...] where byte &- 0x30 < 10 {
            result = min(result * 10 + Int(byte &- 0x30), 1_000_000_000_000_000)
        }
        return bytes[end + 1] == UInt8(ascii: "-") ? -result : result
    }

    /// Returns an integer of so many bytes as it is written, and any other number as its digits and its exponent.
    func canonical(maximumInteger: Int) -> [UInt8] {
        guard !isZero else { return [0x30] }
        var text: [UInt8] = []
        var index = first
        while index < end { text.append(digit(&index)) }
        while text.last == 0x30 { text.removeLast() }
        let sign = isNegative ? [UInt8(ascii: "-")] : []
        if magnitude >= text.count, magnitude + sign.count <= maximumInteger {
            return sign + text + [UInt8](repeating: 0x30, count: magnitude - text.count)
        }
        return sign + text + Array("e\(magnitude)".utf8)
    }

    /// True if all digits after the point are zeros.
    var isWhole: Bool {
        var (index, places) = (first, 0)
        while index < end {
            let digit = digit(&index)
            places += 1
            if places > magnitude, digit != UInt8(ascii: "0") { return false }
        }
        return true
    }

    /// Compares the magnitudes of two nonzero numbers.
    func compareSize(_ other: Decimal) -> Int {
        if magnitude != other.magnitude { return magnitude < other.magnitude ? -1 : 1 }
        var (left, right) = (first, other.first)
        while left < end || right < other.end {
            let (mine, others) = (digit(&left), other.digit(&right))
            if mine != others { return mine < others ? -1 : 1 }
        }
        return 0
    }

    /// Returns the digit at `index` and advances it; zeros past the last.
    private func digit(_ index: inout Int) -> UInt8 {
        if index < end, bytes[index] == UInt8(ascii: ".") { index += 1 }
        guard index < end else { return UInt8(ascii: "0") }
        index += 1
        return bytes[index - 1]
    }
}
