/// Why an attempt got no complete response, in words that name what was tried.
public struct TransportError: Error, Equatable, Sendable {
    /// What went wrong. `isTransient` says whether another attempt may help.
    public enum Code: String, Sendable, CaseIterable {
        /// The name of the host, or of the proxy, has no address.
        case cannotFindHost
        /// Nobody listens there, or nothing leads there.
        case cannotConnectToHost
        /// The connection broke before the response was complete.
        case connectionLost
        /// The attempt took longer than its timeout.
        case timedOut
        /// The attempt was cancelled.
        case cancelled
        /// TLS failed for another reason than trust.
        case secureConnectionFailed
        /// The server did not prove who it is, or the file with the trusted certificates could not be used.
        case certificateNotTrusted
        /// More redirects than `CurlTransport.Configuration.maximumRedirects`.
        case tooManyRedirects
        /// Longer than `CurlTransport.Configuration.maximumResponseBytes`.
        case responseTooLarge
        /// The stream of the request's body could not be read, or was not as long as it said.
        case requestBodyFailed
        /// A large response could not be kept: no memory, or no room for a temporary file.
        case responseNotStored
        /// libcurl does not know the scheme, or cannot read the URL.
        case unsupportedURL
        /// There is no libcurl on this machine, or it could not be set up.
        case transportUnavailable
        /// Anything else; the message says what.
        case unknown
    }

    /// What to decide by.
    public var code: Code
    /// A sentence for people: "could not connect to 127.0.0.1:1 (connection refused)".
    public var message: String

    /// For transports, stubs and tests. Without a message, the code describes the error.
    public init(code: Code, message: String = "") {
        self.code = code
        self.message = message
    }
}

extension TransportError.Code {
    /// Whether another attempt may fare better.
    public var isTransient: Bool {
        switch self {
        case .cancelled, .unsupportedURL, .transportUnavailable, .responseTooLarge, .tooManyRedirects,
            .certificateNotTrusted, .requestBodyFailed, .responseNotStored:
            false
        case .cannotFindHost, .cannotConnectToHost, .connectionLost, .timedOut, .secureConnectionFailed, .unknown: true
        }
    }
}

extension TransportError: CustomStringConvertible {
    public var description: String { message.isEmpty ? code.rawValue : message }
}
