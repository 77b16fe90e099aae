/// A rule of RFC 6455 that the peer broke.
struct FrameViolation: Error, Equatable {
    /// The code that the peer is told (RFC 6455 §7.4.1).
    enum Code: UInt16 {
        case protocolError = 1002
        case invalidPayload = 1007
        case messageTooBig = 1009
    }

    let code: Code
    /// What the peer sent: the rest of a sentence that begins with "the peer sent".
    let what: String

    init(_ what: String) { self.init(.protocolError, what) }

    init(_ code: Code, _ what: String) {
        self.code = code
        self.what = what
    }
}
