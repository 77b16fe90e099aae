/// The failure of a WebSocket: it could not be opened, or did not end by a regular close.
public enum WebSocketError: Error, Sendable {
    /// The opening handshake could not be built. The cause is a `MalformedRequest`, or an error that an interceptor threw.
    case malformedRequest(any Error)
    /// The authenticator threw.
    case authenticationFailed(any Error)
    /// A middleware threw.
    case middlewareFailed(any Error)
    /// There was no connection, or it broke without a close frame. Includes time limits (`TransportError.Code.timedOut`).
    case connectionError(TransportError)
    /// The server did not accept the opening handshake: the reason, and its response.
    case refused(String, TransportResponse)
    /// The peer broke the protocol, or a limit of `WebSocketOptions`: the close code that it got, and what it did.
    case protocolError(WebSocketCloseCode, String)
    /// The WebSocket is closed: the code and the reason of the close frame that came, or of the one that was sent first.
    case closed(WebSocketCloseCode, reason: String)
    /// A close code that cannot be sent, or a reason that is too long. Nothing was sent.
    case malformedClose(String)
    /// The Swift task was cancelled, or the WebSocket was.
    case cancelled

    /// The server's response to a refused handshake, also one that was cut off; nil in all other cases.
    public var response: TransportResponse? {
        switch self {
        case .refused(_, let response): response
        case .connectionError(let error): error.response
        case .malformedRequest, .authenticationFailed, .middlewareFailed, .protocolError, .closed, .malformedClose,
            .cancelled:
            nil
        }
    }
}

extension WebSocketError: CustomStringConvertible {
    /// A sentence for people, without a capital and without a full stop.
    public var description: String {
        switch self {
        case .malformedRequest(let cause): "the opening handshake could not be built: \(ErrorText.sentence(cause))"
        case .authenticationFailed(let cause): "the authentication failed: \(ErrorText.sentence(cause))"
        case .middlewareFailed(let cause): "a middleware failed: \(ErrorText.sentence(cause))"
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
