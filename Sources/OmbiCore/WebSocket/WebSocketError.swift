/// Why a WebSocket could not be opened, or ended other than by a regular close.
public enum WebSocketError: Error, Sendable {
    /// No opening handshake could be made. The cause is a `MalformedRequest`, or whatever an interceptor has thrown.
    case malformedRequest(any Error)
    /// No connection, or it broke: no close frame had come. Time limits are among these (`TransportError.Code.timedOut`).
    case connectionError(TransportError)
    /// The server answered the opening handshake, but not by accepting it: why, and its response.
    case refused(String, TransportResponse)
    /// The peer broke the protocol, or sent more than `WebSocketOptions` allow: the code that it was told, and what it did.
    case protocolError(WebSocketCloseCode, String)
    /// The WebSocket is closed: the code and the reason of the close frame that came, or of the one that was sent first.
    case closed(WebSocketCloseCode, reason: String)
    /// A close code that cannot be sent, or a reason that is too long. Nothing was sent.
    case malformedClose(String)
    /// The Swift task was cancelled, or the WebSocket was.
    case cancelled

    /// What the server had sent where it refused the handshake; nil in all other cases but a connection that broke
    /// within such a response.
    public var response: TransportResponse? {
        switch self {
        case .refused(_, let response): response
        case .connectionError(let error): error.response
        case .malformedRequest, .protocolError, .closed, .malformedClose, .cancelled: nil
        }
    }
}

extension WebSocketError: CustomStringConvertible {
    /// A sentence for people, without a capital and without a full stop.
    public var description: String {
        switch self {
        case .malformedRequest(let cause): "the opening handshake could not be made: \(ErrorText.sentence(cause))"
        case .connectionError(let error): error.description
        case .refused(let reason, _): reason
        case .protocolError(_, let what): what
        case .closed(let code, let reason):
            "the WebSocket was closed with \(code)" + (reason.isEmpty ? "" : " (\"\(reason.visible)\")")
        case .malformedClose(let reason): reason
        case .cancelled: "cancelled"
        }
    }
}
