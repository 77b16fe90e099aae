import Foundation
import OmbiAuthentication

/// What an engine does with an authenticator: credentials before each attempt, one refresh after a 401.
struct AuthenticatedRun {
    let authenticator: any Authenticator
    let transport: any Transport

    struct Outcome {
        let response: TransportResponse
        /// Each attempt, as it was sent.
        let sent: [TransportRequest]
    }

    func send(_ request: TransportRequest) async throws -> Outcome {
        let first = try await authenticator.authenticate(request)
        let response = try await attempt(first)
        guard response.statusCode == 401, try await authenticator.refresh(after: response, to: first) else {
            return Outcome(response: response, sent: [first])
        }
        let second = try await authenticator.authenticate(request)
        return Outcome(response: try await attempt(second), sent: [first, second])
    }

    private func attempt(_ request: TransportRequest) async throws -> TransportResponse {
        let response: TransportResponse = try await withCheckedThrowingContinuation { continuation in
            _ = transport.start(request) { event in
                switch event {
                case .finished(let response, _): continuation.resume(returning: response)
                case .failed(let error, _): continuation.resume(throwing: error)
                default: return
                }
            }
        }
        if response.statusCode != 401 { authenticator.accepted(response, to: request) }
        return response
    }
}

/// Sends requests as they are, as a browser does.
struct NoCredentials: Authenticator {
    func authenticate(_ request: TransportRequest) -> TransportRequest { request }
    func refresh(after response: TransportResponse, to request: TransportRequest) -> Bool { false }

    static func send(_ address: String, method: RequestMethod = .get) async throws -> TransportResponse {
        guard let url = URL(string: address) else { throw TransportError(code: .unsupportedURL, message: address) }
        let run = AuthenticatedRun(authenticator: NoCredentials(), transport: CurlTransport())
        return try await run.send(TransportRequest(url: url, method: method)).response
    }
}

/// Files beside the tests.
enum PeerFile {
    static func path(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Peers/\(name)").path
    }
}
