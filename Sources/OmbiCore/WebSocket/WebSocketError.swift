/// The failure of a WebSocket: it could not be opened, or did not end by a regular close.
public enum WebSocketError: Error, Sendable {
    /// The opening handshake could not be built. The cause is a `MalformedRequest`, or the error of an interceptor.
    case malformedRequest(any Error)
    /// The authenticator threw the cause.
    case authenticationFailed(any Error)
    /// A middleware threw the cause.
    case middlewareFailed(any Error)
    /// The connection failed, or broke without a close frame. Includes time limits (`TransportError.Code.timedOut`).
    case connectionError(TransportError)
    /// The server did not accept the opening handshake: the reason, and its response.
    case refused(String, TransportResponse)
    /// The peer violated the protocol, or a limit of `WebSocketOptions`: the close code sent to it, and the violation.
    case protocolError(WebSocketCloseCode, String)
    /// The WebSocket is closed: the code and the reason of the received close frame, or of the one that was sent first.
    case closed(WebSocketCloseCode, reason: String)
    /// The close code is not sendable, or the reason is too long. Nothing was sent.
    case malformedClose(String)
    /// The Swift task or the WebSocket was cancelled.
    case cancelled

    /// The server's response to a refused handshake, complete or cut off; nil in all other cases.
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
    /// A sentence in lower case without a full stop.
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
