#if canImport(CCurl)
internal import CCurl

// Schemes that libcurl negotiates for a connection.
extension CurlSetup {
    /// Sets the options of one hop; they are gone with its settings. libcurl uses the scheme alone, and never Basic.
    ///
    /// Negotiate belongs to a connection, as NTLM does, but not every libcurl keeps its connections apart: each hop makes
    /// one of its own, and closes it.
    func apply(_ authentication: ConnectionAuthentication, _ connection: Connection) throws(TransportError) {
        try CurlTransport.check(authentication, features)
        guard [.automatic, .http1].contains(connection.httpVersion) else {
            throw authentication.unsupported(
                "needs HTTP/1.1; Connection.httpVersion asks for \(connection.httpVersion.rawValue)")
        }
        handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        switch authentication.scheme {
        case .negotiate:
            handle.set(CURLOPT_HTTPAUTH, OMB_AUTH_NEGOTIATE)
            // Without a user libcurl sends nothing; the ticket names the user.
            handle.set(CURLOPT_USERPWD, ":")
        case .ntlm(let username, let password):
            handle.set(CURLOPT_HTTPAUTH, OMB_AUTH_NTLM)
            handle.set(CURLOPT_USERNAME, username)
            handle.set(CURLOPT_PASSWORD, password)
        }
        // The requests of a negotiation count as redirects; a server could ask for ever more of them.
        handle.set(CURLOPT_MAXREDIRS, Self.maximumNegotiationRequests)
        handle.set(CURLOPT_FORBID_REUSE, true)
        handle.reconnect()
        guard !handle.hasRefused else {
            handle.forgetRefusals()
            throw authentication.unsupported(CurlTransport.lacking(features))
        }
    }

    private static let maximumNegotiationRequests = 10
}

extension CurlTransport {
    /// Returns the error of every request with a scheme that the libcurl of this system was built without; nil if it has the
    /// scheme. Loads libcurl, and sends nothing.
    package static func refusal(of scheme: ConnectionAuthentication.Scheme) -> TransportError? {
        do throws(TransportError) {
            try check(ConnectionAuthentication(scheme), try CurlLibrary.shared.get().features)
            return nil
        } catch {
            return error
        }
    }

    /// Throws for a scheme that a libcurl was built without.
    static func check(
        _ authentication: ConnectionAuthentication, _ features: CurlFeatures
    ) throws(TransportError) {
        let feature =
            switch authentication.scheme {
            case .negotiate: CURL_VERSION_SPNEGO
            case .ntlm: CURL_VERSION_NTLM
            }
        guard !features.has(feature) else { return }
        throw authentication.unsupported(lacking(features))
    }

    fileprivate static func lacking(_ features: CurlFeatures) -> String {
        "is not in the libcurl of this system (\(features.version)); nothing was sent"
    }
}
#endif
