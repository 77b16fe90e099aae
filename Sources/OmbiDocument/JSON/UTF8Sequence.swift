/// The bytes of one character beyond ASCII.
enum UTF8Sequence: Equatable {
    /// A character of this many bytes.
    case whole(Int)
    /// The beginning of a character whose rest is missing.
    case cut
    case wrong

    @inline(__always) init(at address: UnsafePointer<UInt8>, count: Int) {
        guard let lead = UTF8Lead(address[0]) else {
            self = .wrong
            return
        }
        for index in 1..<lead.length {
            guard index < count else {
                self = .cut
                return
            }
            guard lead.allows(address[index], at: index) else {
                self = .wrong
                return
            }
        }
        self = .whole(lead.length)
    }
}
