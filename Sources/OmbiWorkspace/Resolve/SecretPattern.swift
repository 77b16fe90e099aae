/// A pattern that finds a secret in bytes: each character plain, percent-encoded (RFC 3986, a form), or escaped as in JSON,
/// in any mixture.
struct SecretPattern: Hashable, Sendable {
    private let scalars: [Unicode.Scalar]

    init(_ secret: String) { scalars = Array(secret.unicodeScalars) }

    /// The minimum number of characters of a secret that is cut off.
    private static let minimumStart = 4

    /// The possible first bytes.
    var firstBytes: [UInt8] {
        guard let first = scalars.first else { return [] }
        return Array(String(first).utf8.prefix(1)) + Array((first == " " ? "%\\+" : "%\\").utf8)
    }

    /// Returns the end of the longest occurrence that begins at an index; nil if none does. The start of the secret counts
    /// if "…" follows it.
    func end(in bytes: [UInt8], from start: Int) -> Int? {
        var ends = [start]
        for (index, scalar) in scalars.enumerated() {
            var next: [Int] = []
            for end in ends { Self.read(scalar, in: bytes, from: end, into: &next) }
            if next.isEmpty {
                return index < Self.minimumStart ? nil : ends.last { bytes[$0...].starts(with: "…".utf8) }
            }
            ends = next.count == 1 ? next : Set(next).sorted()
        }
        return ends.last
    }

    private static func read(_ scalar: Unicode.Scalar, in bytes: [UInt8], from start: Int, into ends: inout [Int]) {
        guard start < bytes.count else { return }
        let text = UTF8.encode(scalar).map(Array.init) ?? []
        if bytes[start...].starts(with: text) { ends.append(start + text.count) }
        switch bytes[start] {
        case UInt8(ascii: "+") where scalar == " ": ends.append(start + 1)
        case UInt8(ascii: "%"):
            let isEscaped = text.enumerated().allSatisfy { index, byte in
                let place = start + 3 * index
                return bytes[safe: place] == UInt8(ascii: "%") && hexadecimal(bytes, place + 1, digits: 2) == Int(byte)
            }
            if isEscaped { ends.append(start + 3 * text.count) }
        case UInt8(ascii: "\\"):
            if let end = jsonEscape(of: scalar, in: bytes, from: start) { ends.append(end) }
        default: break
        }
    }

    /// RFC 8259 §7.
    private static func jsonEscape(of scalar: Unicode.Scalar, in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes[safe: start + 1] == UInt8(ascii: "u") else {
            return shortEscapes[scalar].flatMap { $0 == bytes[safe: start + 1] ? start + 2 : nil }
        }
        var end = start
        for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
            guard bytes[end...].starts(with: "\\u".utf8), hexadecimal(bytes, end + 2, digits: 4) == Int(unit) else {
                return nil
            }
            end += 6
        }
        return end
    }

    private static let shortEscapes: [Unicode.Scalar: UInt8] = [
        "\"": UInt8(ascii: "\""), "\\": UInt8(ascii: "\\"), "/": UInt8(ascii: "/"), "\u{8}": UInt8(ascii: "b"),
        "\u{C}": UInt8(ascii: "f"), "\n": UInt8(ascii: "n"), "\r": UInt8(ascii: "r"), "\t": UInt8(ascii: "t"),
    ]

    private static func hexadecimal(_ bytes: [UInt8], _ start: Int, digits: Int) -> Int? {
        guard start + digits <= bytes.count else { return nil }
        return bytes[start..<start + digits].reduce(into: Int?(0)) { value, byte in
            value = Character(Unicode.Scalar(byte)).hexDigitValue.flatMap { digit in value.map { $0 << 4 | digit } }
        }
    }
}
