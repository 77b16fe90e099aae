/// A description of an unexpected byte.
struct Found: CustomStringConvertible {
    private let byte: UInt8

    init(_ byte: UInt8) { self.byte = byte }

    var description: String {
        switch byte {
        case 0x0A: "a line break"
        case 0x21...0x7E: "'\(Unicode.Scalar(byte))'"
        case 0x20: "a space"
        case 0..<0x80: "U+00\(hexadecimal)"
        default: "the byte 0x\(hexadecimal)"
        }
    }

    private var hexadecimal: String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count < 2 ? "0" + digits : digits
    }
}
