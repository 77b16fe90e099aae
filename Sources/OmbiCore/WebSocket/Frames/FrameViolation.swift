/// A violation of RFC 6455 by the peer.
struct FrameViolation: Error, Equatable {
    /// The close code sent to the peer (RFC 6455 §7.4.1).
    enum Code: UInt16 {
        case protocolError = 1002
        case invalidPayload = 1007
        case messageTooBig = 1009
    }

    let code: Code
    /// The received data: the rest of a sentence that starts with "the peer sent".
    let what: String

    init(_ what: String) { self.init(.protocolError, what) }

    init(_ code: Code, _ what: String) {
        self.code = code
        self.what = what
    }
}
