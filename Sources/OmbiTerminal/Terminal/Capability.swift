import CNcurses

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The capabilities of the current terminal: its entry in the terminfo database.
@MainActor
enum Capability {
    /// The bytes of a string, without the padding notes of old terminals (`$<5>`); empty when there is none.
    static func bytes(_ name: String) -> [UInt8] {
        guard let value = ombi_capability(name) else { return [] }
        var bytes: [UInt8] = []
        var rest = Array(String(cString: value).utf8)[...]
        while let byte = rest.first {
            if byte == 0x24, rest.dropFirst().first == 0x3C, let end = rest.firstIndex(of: 0x3E) {
                rest = rest[(end + 1)...]
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return bytes
    }

    /// True for a string that the terminal has in exactly that form.
    static func `is`(_ name: String, _ value: String) -> Bool {
        ombi_capability(name).map { strcmp($0, value) == 0 } ?? false
    }

    static func exists(_ name: String) -> Bool { ombi_capability(name) != nil }

    /// A flag of the terminal.
    static func isSet(_ name: String) -> Bool { ombi_flag(name) }

    /// A number of the terminal; 0 when there is none.
    static func number(_ name: String) -> Int { Int(ombi_number(name)) }
}
