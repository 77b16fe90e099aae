/// Credentials of a scheme that authenticates a connection and not a request, which the transport itself negotiates.
///
/// All requests of such a negotiation are one attempt: the run sees the response that ends it. They go to the origin of
/// the request alone, over a connection that no other request uses. A WebSocket has none.
package final class ConnectionAuthentication: Sendable {
    package enum Scheme: Sendable, Hashable {
        /// Negotiate (RFC 4559) with the Kerberos ticket of the user.
        case negotiate
        /// NTLM. The user name may have a domain in front: `DOMAIN\user`.
        case ntlm(username: String, password: String)
    }

    package let scheme: Scheme

    package init(_ scheme: Scheme) { self.scheme = scheme }
}

extension ConnectionAuthentication: Equatable {
    package static func == (left: ConnectionAuthentication, right: ConnectionAuthentication) -> Bool {
        left === right || left.scheme == right.scheme
    }
}

extension ConnectionAuthentication.Scheme: CustomStringConvertible, CustomReflectable {
    /// The name of the scheme alone.
    package var description: String {
        switch self {
        case .negotiate: "Negotiate"
        case .ntlm: "NTLM"
        }
    }

    /// Keeps the password out of debuggers and failing tests.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension ConnectionAuthentication: CustomStringConvertible {
    package var description: String { scheme.description }
}

extension ConnectionAuthentication {
    /// The error of a request for which the transport cannot negotiate.
    package func unsupported(_ reason: String) -> TransportError {
        TransportError(code: .unsupportedOption, message: "\(scheme) authentication \(reason)")
    }
}
