import Foundation
import TestSupport
import Testing

@testable import OmbiCore

extension Transport {
    /// All events of one attempt.
    func events(of request: TransportRequest) async -> [TransportEvent] {
        let events = LoopbackLock<[TransportEvent]>([])
        return await withCheckedContinuation { continuation in
            _ = start(request) { event in
                let all = events.withLock { events in
                    events.append(event)
                    return events
                }
                if event.isLast { continuation.resume(returning: all) }
            }
        }
    }
}

extension [TransportEvent] {
    var sent: [TransferProgress] {
        compactMap {
            if case .sent(let bytes, let expected) = $0 { .init(bytes: bytes, expected: expected) } else { nil }
        }
    }

    var received: [TransferProgress] {
        compactMap {
            if case .received(let bytes, let expected) = $0 { .init(bytes: bytes, expected: expected) } else { nil }
        }
    }
}

extension TransportError {
    /// Code and message alone.
    var withoutResponse: TransportError { TransportError(code: code, message: message) }
}

extension NginxServer {
    /// A request that trusts the server.
    /// - Parameter host: That of another server; nil is the server itself.
    func request(
        _ path: String = "/", at host: String? = nil, _ change: (inout TransportRequest) -> Void = { _ in }
    ) throws -> TransportRequest {
        let url = try #require(URL(string: (host ?? self.host) + path))
        var request = TransportRequest(url: url, connection: Connection { $0.tls.caFile = authorityFile })
        change(&request)
        return request
    }
}
