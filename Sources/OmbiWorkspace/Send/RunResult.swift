import OmbiCore

/// The end of a run, with every secret masked but in the body of the response, which is the server's.
public enum RunResult: Equatable, Sendable {
    case response(TransportResponse)
    /// No response: a sentence for people.
    case failure(String)
    case cancelled
}

extension RunResult {
    init(_ result: Result<TransportResponse, RequestError<NoError>>, _ redactor: Redactor) {
        switch result {
        case .success(let response): self = .response(redactor.redact(response))
        case .failure(.cancelled): self = .cancelled
        case .failure(let error): self = .failure(redactor.redact(message: Self.message(of: error)))
        }
    }

    /// With advice that names what a collection has, and not the library's members.
    private static func message(of error: RequestError<NoError>) -> String {
        guard case .connectionError(let cause) = error, cause.advice != nil else { return error.description }
        guard cause.code == .certificateNotTrusted else { return cause.message }
        return "\(cause.message); name the file of its authority in SSL_CERT_FILE, or set verifyTLS to false"
    }
}
