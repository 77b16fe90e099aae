/// Hexadecimal digits as ASCII.
enum Hexadecimal {
    static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(digit - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    /// Returns at least four lowercase digits.
    static func fourDigits(of code: UInt32) -> String {
        let digits = String(code, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Returns the value of four digits at `address`; nil when one of them is not a digit.
    static func fourDigits(at address: UnsafePointer<UInt8>) -> UInt32? {
        var result: UInt32 = 0
        for index in 0..<4 {
            guard let digit = value(address[index]) else { return nil }
            result = result << 4 | digit
        }
        return result
    }
}
