/// The code of a close frame (RFC 6455 §7.4 and the IANA registry). Codes from 4000 to 4999 belong to applications:
/// `WebSocketCloseCode(rawValue: 4001)`.
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    /// The number in the close frame.
    public let rawValue: UInt16

    /// Creates a code from any number; not all are sendable (`isSendable`).
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// 1000: the purpose of the connection is fulfilled.
    public static let normal = Self(rawValue: 1000)
    /// 1001: the server shuts down, or the client leaves.
    public static let goingAway = Self(rawValue: 1001)
    /// 1002: the peer violated the protocol.
    public static let protocolError = Self(rawValue: 1002)
    /// 1003: the kind of message is not accepted.
    public static let unsupportedData = Self(rawValue: 1003)
    /// 1005: the close frame had no code. Never sent.
    public static let noStatus = Self(rawValue: 1005)
    /// 1006: the connection ended without a close frame. Never sent.
    public static let abnormal = Self(rawValue: 1006)
    /// 1007: text that is not UTF-8, or other data inconsistent with the kind of message.
    public static let invalidPayload = Self(rawValue: 1007)
    /// 1008: a message violated the receiver's policy.
    public static let policyViolation = Self(rawValue: 1008)
    /// 1009: a message exceeded the receiver's limit.
    public static let messageTooBig = Self(rawValue: 1009)
    /// 1010: the server did not negotiate an extension that the client requires.
    public static let missingExtension = Self(rawValue: 1010)
    /// 1011: an error of the server.
    public static let internalError = Self(rawValue: 1011)
    /// 1012: the server restarts.
    public static let serviceRestart = Self(rawValue: 1012)
    /// 1013: the server is overloaded.
    public static let tryAgainLater = Self(rawValue: 1013)
    /// 1014: a gateway got no valid response from the upstream server.
    public static let badGateway = Self(rawValue: 1014)

    /// True if a close frame may carry the code: not those that stand for a missing code, nor unassigned ones.
    public var isSendable: Bool { FrameDecoder.isCloseCode(rawValue) }

    /// True for a regular end: 1000 and 1001, and a close frame without a code.
    var isRegular: Bool { [.normal, .goingAway, .noStatus].contains(self) }
}

extension WebSocketCloseCode: CustomStringConvertible {
    /// "1001 going away"; the number alone for an unregistered code.
    public var description: String { Self.names[rawValue].map { "\(rawValue) \($0)" } ?? "\(rawValue)" }

    private static let names: [UInt16: String] = [
        1000: "normal closure", 1001: "going away", 1002: "protocol error", 1003: "unsupported data",
        1005: "no status received", 1006: "abnormal closure", 1007: "invalid payload", 1008: "policy violation",
        1009: "message too big", 1010: "missing extension", 1011: "internal error", 1012: "service restart",
        1013: "try again later", 1014: "bad gateway",
    ]
}
