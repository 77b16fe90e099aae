/// The reason why an attempt got no complete response, with a message that names the failed step.
public struct TransportError: Error, Equatable, Sendable {
    /// The kind of failure. `isTransient` is true if another attempt may help.
    public enum Code: String, Sendable, CaseIterable {
        /// The name of the host, or of the proxy, could not be resolved.
        case cannotFindHost
        /// The connection was refused, or there is no route.
        case cannotConnectToHost
        /// The connection broke before the response was complete.
        case connectionLost
        /// The attempt took longer than its timeout.
        case timedOut
        /// The attempt was cancelled.
        case cancelled
        /// TLS failed for a reason other than trust.
        case secureConnectionFailed
        /// The server could not be verified, or the file with the trusted certificates could not be used.
        case certificateNotTrusted
        /// There were more redirects than `RedirectPolicy.maximum`.
        case tooManyRedirects
        /// The redirect leads to another origin, and the policy stays in that of the request
        /// (`RedirectPolicy.staysInOrigin`).
        case redirectRefused
        /// The response was longer than `CurlTransport.Configuration.maximumResponseBytes`.
        case responseTooLarge
        /// The stream of the request's body could not be read, or did not have its stated length.
        case requestBodyFailed
        /// A large response could not be stored: no memory, or no room for a temporary file.
        case responseNotStored
        /// libcurl does not support the scheme, or cannot parse the URL.
        case unsupportedURL
        /// A setting of `Connection` is invalid, names an unusable file, or is not supported by the transport with the
        /// installed library.
        case unsupportedOption
        /// The response is not HTTP, or violates its rules.
        case malformedResponse
        /// The system has no file descriptor left for another connection.
        case noDescriptors
        /// The system has no memory, or no thread, for another request.
        case outOfMemory
        /// libcurl is missing on this machine, or could not be initialized.
        case transportUnavailable
        /// The gate of the request did not let it go to its destination (`RequestGate`).
        case refused
        /// Any other failure; see the message.
        case unknown
    }

    /// The kind of failure, for decisions.
    public var code: Code
    /// A sentence for people: "could not connect to 127.0.0.1:1 (connection refused)". Text from a server is truncated,
    /// with control characters escaped.
    public var message: String
    /// The remedy in terms of this library, if known: "check Connection.tls.caFile". The last part of `description`.
    public var advice: String?
    /// The part received before the failure: status, headers and the bytes so far; nil without a head.
    public var response: TransportResponse?

    /// Creates an error, for transports, stubs and tests. Without a message, the code describes the error.
    public init(code: Code, message: String = "", advice: String? = nil, response: TransportResponse? = nil) {
        self.code = code
        self.message = message
        self.advice = advice
        self.response = response
    }
}

extension TransportError.Code {
    /// True if another attempt may succeed.
    public var isTransient: Bool {
        switch self {
        case .cancelled, .unsupportedURL, .unsupportedOption, .transportUnavailable, .responseTooLarge,
            .tooManyRedirects, .redirectRefused, .certificateNotTrusted, .requestBodyFailed, .responseNotStored,
            .refused:
            false
        case .cannotFindHost, .cannotConnectToHost, .connectionLost, .timedOut, .secureConnectionFailed,
            .malformedResponse, .noDescriptors, .outOfMemory, .unknown:
            true
        }
    }
}

extension TransportError: CustomStringConvertible {
    public var description: String { advice.map { "\(sentence); \($0)" } ?? sentence }

    /// The message without the advice.
    var sentence: String { message.isEmpty ? code.rawValue : message }
}
