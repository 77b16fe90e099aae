/// Why an attempt got no complete response, in words that name what was tried.
public struct TransportError: Error, Equatable, Sendable {
    public enum Code: String, Sendable, CaseIterable {
        case cannotFindHost
        case cannotConnectToHost
        case connectionLost
        case timedOut
        case cancelled
        case secureConnectionFailed
        case tooManyRedirects
        case responseTooLarge
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

extension TransportError: CustomStringConvertible {
    public var description: String { message.isEmpty ? code.rawValue : message }
}
