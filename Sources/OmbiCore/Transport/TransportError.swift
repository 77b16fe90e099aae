/// Why an attempt got no complete response, in words that name what was tried.
public struct TransportError: Error, Equatable, Sendable {
    public enum Code: String, Sendable, CaseIterable {
        case cannotFindHost
        case cannotConnectToHost
        case connectionLost
        case timedOut
        case cancelled
        case secureConnectionFailed
        /// The server did not prove who it is, or the file with the trusted certificates could not be used.
        case certificateNotTrusted
        case tooManyRedirects
        case responseTooLarge
        /// The stream of the request's body could not be read, or was not as long as it said.
        case requestBodyFailed
        /// A large response could not be kept: no memory, or no room for a temporary file.
        case responseNotStored
        case unsupportedURL
        case transportUnavailable
        case unknown
    }

    public var code: Code
    /// A sentence for people: "could not connect to 127.0.0.1:1 (connection refused)".
    public var message: String

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
