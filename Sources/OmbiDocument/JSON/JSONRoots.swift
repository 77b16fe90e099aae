/// How many values a body may hold.
public enum JSONRoots: Sendable {
    /// One, as RFC 8259 has it: anything but white space behind it is an error.
    case one
    /// Any number, none included: JSON Lines, or values one after another.
    case many
}
