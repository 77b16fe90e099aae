/// The syntax of header fields (RFC 9110 §5).
enum HeaderSyntax {
    /// A token: letters, digits and some signs.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: signs.contains(byte)
                }
            }
    }

    private static let signs = Set("!#$%&'*+-.^_`|~".utf8)

    /// Anything but control characters; a tab is fine.
    static func isValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}
