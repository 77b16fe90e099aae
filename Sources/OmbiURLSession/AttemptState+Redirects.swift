import Foundation
import OmbiCore

// Redirects, followed by the same rules as in the other transport.
extension AttemptState {
    private var policy: RedirectPolicy { request.connection.redirects }

    func isRedirect(_ head: ReceivedHead) -> Bool {
        policy.maximum > 0 && Hop.isRedirect(head.statusCode) && head.headers[.location] != nil
    }

    /// Skips the body of a redirect.
    mutating func skip(_ count: Int, at now: Duration) {
        bytesSkipped += count
        guard bytesSkipped > Self.maximumSkippedBytes else { return }
        actions.append(.stop)
        follow(at: now)
    }

    mutating func follow(at now: Duration) {
        guard let head else { return }
        do throws(TransportError) {
            let target = try target(of: head)
            try hop.check(target)
            var next = hop
            let withheld = try next.follow(to: target, statusCode: head.statusCode)
            let report = RedirectReport(
                head: responseHead(head), target: target, method: next.method, withheld: withheld,
                timings: hopTimings(at: now), remoteAddress: measured?.remoteAddress)
            redirects.append(report)
            emit(.redirected(report))
            begin(next, at: now)
        } catch {
            fail(error, at: now)
        }
    }

    private func target(of head: ReceivedHead) throws(TransportError) -> URL {
        guard redirects.count < policy.maximum else {
            let url = LogMask.url(request.url, of: request).excerpt()
            throw TransportError(
                code: .tooManyRedirects, message: "\(url) redirects more than \(policy.maximum) times")
        }
        let location = head.headers[.location]?.text ?? ""
        guard let target = URL(string: location, relativeTo: hop.url)?.absoluteURL,
            ["http", "https"].contains(target.scheme?.lowercased()), target.host()?.isEmpty == false
        else {
            throw TransportError(
                code: .unsupportedURL,
                message:
                    "\(hop.url.server) redirects to \"\(LogMask.url(location).excerpt())\", which is not an HTTP URL")
        }
        return target
    }

    private mutating func begin(_ next: Hop, at now: Duration) {
        hop = next
        number += 1
        phasesBefore = phases.timings(until: now)
        head = nil
        followsRedirect = false
        bytesSkipped = 0
        bytesSent = 0
        measured = nil
        enter(.connect, at: now)
        actions.append(.send(hop, number: number))
    }
}
