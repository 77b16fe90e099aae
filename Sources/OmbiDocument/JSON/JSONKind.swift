/// The kind of a JSON value.
public enum JSONKind: String, Sendable, CaseIterable {
    case object, array, string, number, `true`, `false`, null

    /// Creates the kind of a value by its first byte, which must be valid.
    @inline(__always) init(firstByte byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"): self = .object
        case UInt8(ascii: "["): self = .array
        case UInt8(ascii: "\""): self = .string
        case UInt8(ascii: "t"): self = .true
        case UInt8(ascii: "f"): self = .false
        case UInt8(ascii: "n"): self = .null
        default: self = .number
        }
    }

    /// True for objects and arrays.
    public var isContainer: Bool { self == .object || self == .array }
}
