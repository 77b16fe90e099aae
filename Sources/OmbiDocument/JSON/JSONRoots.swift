/// The number of values that a body may hold.
public enum JSONRoots: Sendable {
    /// One, as in RFC 8259: anything but white space after it is an error.
    case one
    /// Any number, none included: JSON Lines, or values one after another.
    case many
}
