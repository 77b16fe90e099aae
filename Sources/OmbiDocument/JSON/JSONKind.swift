/// What a JSON value is.
public enum JSONKind: String, Sendable, CaseIterable {
    case object, array, string, number, `true`, `false`, null

    /// The kind of the value that begins with `byte`, which is known to begin one.
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

    /// Whether a value of this kind holds others.
    public var isContainer: Bool { self == .object || self == .array }
}
