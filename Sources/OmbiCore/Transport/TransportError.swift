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
        /// More redirects than `RedirectPolicy.maximum`.
        case tooManyRedirects
        /// Longer than `CurlTransport.Configuration.maximumResponseBytes`.
        case responseTooLarge
        /// The stream of the request's body could not be read, or was not as long as it said.
        case requestBodyFailed
        /// A large response could not be kept: no memory, or no room for a temporary file.
        case responseNotStored
        /// libcurl does not know the scheme, or cannot read the URL.
        case unsupportedURL
        /// A setting of `Connection` that makes no sense, names a file that cannot be used, or asks for something that
        /// the transport cannot do with the library at hand.
        case unsupportedOption
        /// What the server sent is not HTTP, or breaks its rules.
        case malformedResponse
        /// The system has no file descriptor left for another connection.
        case noDescriptors
        /// The system has no memory, or no thread, for another request.
        case outOfMemory
        /// There is no libcurl on this machine, or it could not be set up.
        case transportUnavailable
        /// Anything else; the message says what.
        case unknown
    }

    /// What to decide by.
    public var code: Code
    /// A sentence for people: "could not connect to 127.0.0.1:1 (connection refused)". What a server sent stands in it
    /// cut to a length, and with control characters written out.
    public var message: String
    /// What to do about it, in terms of this library, where that is known: "check Connection.tls.caFile". The last part
    /// of `description`.
    public var advice: String?
    /// What had come before the failure: status, headers and the bytes so far; nil where no head had come.
    public var response: TransportResponse?

    /// For transports, stubs and tests. Without a message, the code describes the error.
    public init(code: Code, message: String = "", advice: String? = nil, response: TransportResponse? = nil) {
        self.code = code
        self.message = message
        self.advice = advice
        self.response = response
    }
}

extension TransportError.Code {
    /// Whether another attempt may fare better.
    public var isTransient: Bool {
        switch self {
        case .cancelled, .unsupportedURL, .unsupportedOption, .transportUnavailable, .responseTooLarge,
            .tooManyRedirects, .certificateNotTrusted, .requestBodyFailed, .responseNotStored:
            false
        case .cannotFindHost, .cannotConnectToHost, .connectionLost, .timedOut, .secureConnectionFailed,
            .malformedResponse, .noDescriptors, .outOfMemory, .unknown:
            true
        }
    }
}

extension TransportError: CustomStringConvertible {
    public var description: String { advice.map { "\(sentence); \($0)" } ?? sentence }

    /// Without the advice.
    var sentence: String { message.isEmpty ? code.rawValue : message }
}
