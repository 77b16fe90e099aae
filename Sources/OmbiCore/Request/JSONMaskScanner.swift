#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A scanner that copies JSON text without the values of sensitive members. It only examines strings and brackets, so
/// that text that is not JSON, or ends early, does no harm.
struct JSONMaskScanner {
    private let bytes: [UInt8]
    private var index = 0
    private var result: [UInt8] = []

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func masked() -> String {
        while index < bytes.count {
            guard bytes[index] == quote else {
                result.append(bytes[index])
                index += 1
                continue
            }
            let name = takeString()
            result += name
            if takeColon(), LogMask.isSensitive(Self.text(of: name)) { skipValue() }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Takes the string that starts here, with its quotation marks; the rest of the text if it is unterminated.
    private mutating func takeString() -> ArraySlice<UInt8> {
        let start = index
        index += 1
        while index < bytes.count, bytes[index] != quote { index += bytes[index] == backslash ? 2 : 1 }
        index = min(index + 1, bytes.count)
        return bytes[start..<index]
    }

    private mutating func takeColon() -> Bool {
        let start = index
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else {
            index = start
            return false
        }
        index += 1
        skipSpace()
        result += bytes[start..<index]
        return true
    }

    private mutating func skipSpace() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    /// Skips a value, except null, which reveals nothing and shows that there is no value.
    private mutating func skipValue() {
        guard index < bytes.count, !bytes[index...].starts(with: "null".utf8) else { return }
        var depth = 0
        repeat {
            switch bytes[index] {
            case quote:
                _ = takeString()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0: return writeMask()
            default: break
            }
            if depth < 0 { return writeMask() }
            index += 1
        } while index < bytes.count
        writeMask()
    }

    private mutating func writeMask() { result += Array("\"\(LogMask.mask)\"".utf8) }

    /// Returns the name in a string literal, with escapes resolved so that they do not hide it.
    private static func text(of literal: ArraySlice<UInt8>) -> String {
        if literal.contains(backslash), let name = try? JSONDecoder().decode(String.self, from: Data(literal)) {
            return name
        }
        return String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
    }

    private var quote: UInt8 { 0x22 }
    private var backslash: UInt8 { 0x5C }
    private static var backslash: UInt8 { 0x5C }
}
