import Foundation
import OmbiCore

extension Transport {
    /// All events of one attempt.
    package func allEvents(of request: TransportRequest) async -> [TransportEvent] {
        let events = LoopbackLock<[TransportEvent]>([])
        return await withCheckedContinuation { continuation in
            _ = start(request) { event in
                let all = events.withLock { events in
                    events.append(event)
                    return events
                }
                if event.isEnd { continuation.resume(returning: all) }
            }
        }
    }
}

extension TransportEvent {
    var isEnd: Bool {
        switch self {
        case .finished, .failed: true
        default: false
        }
    }
}

extension Data {
    /// Short text as it is, anything else by its length.
    var outline: String {
        guard count <= 60, let text = String(data: self, encoding: .utf8) else { return "\(count) bytes" }
        return "\"\(text)\""
    }
}

extension [TransportEvent] {
    /// What does not depend on the speed of the machine: the redirects, the head, the pieces together, and the end.
    func outline(_ hide: (String) -> String) -> [String] {
        var lines: [String] = []
        var pieces = Data()
        for event in self {
            switch event {
            case .redirected(let report): lines.append(hide(report.outline))
            case .head(let head): lines.append("head \(head.statusCode)")
            case .data(let piece): pieces += piece
            case .finished(let response, _):
                if !pieces.isEmpty { lines.append("pieces \(pieces.outline)") }
                let body = response.body.map { " \($0.outline)" } ?? ""
                lines.append("finished \(response.statusCode ?? 0)\(body)")
            case .failed(let error, _):
                if !pieces.isEmpty { lines.append("pieces \(pieces.outline)") }
                lines.append("failed \(error.code.rawValue): \(hide(error.message))")
                if let part = error.response {
                    lines.append("part \(part.statusCode ?? 0) \((part.body ?? Data()).outline)")
                }
            case .phase, .sent, .received, .body: break
            }
        }
        return lines
    }

    package var finalMetrics: TransportMetrics? {
        switch last {
        case .finished(_, let metrics), .failed(_, let metrics): metrics
        default: nil
        }
    }

    package var finalResponse: TransportResponse? {
        if case .finished(let response, _) = last { response } else { nil }
    }
}

extension RedirectReport {
    fileprivate var outline: String {
        let withheld = withheld.map { $0.name.lowercased() }.sorted().joined(separator: " ")
        return "redirected \(head.statusCode) to \(method.rawValue) \(target.absoluteString)"
            + (withheld.isEmpty ? "" : " without \(withheld)")
    }
}
