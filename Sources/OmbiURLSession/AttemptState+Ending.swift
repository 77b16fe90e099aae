import Foundation
import OmbiCore

// The end of an attempt: with a response, an error, or a timeout.
extension AttemptState {
    mutating func finish(at now: Duration) {
        guard let head else {
            return fail(
                TransportError(
                    code: .connectionLost, message: "the connection to \(hop.url.server) broke before a response came"),
                at: now)
        }
        emitReceived()
        end(.finished(response(head), metrics(at: now)))
    }

    mutating func fail(_ error: TransportError, at now: Duration) {
        guard !hasEnded else { return }
        var error = error
        if let head {
            error.response = response(head)
        } else if let redirect = redirects.last {
            error.response = redirect.response
        }
        // It is unknown whether the request was sent; only some failures exclude it.
        if phases.phase == .connect, !Self.comesBeforeSending(error.code) { enter(.send, at: now) }
        emitPart()
        actions.append(.stop)
        end(.failed(error, metrics(at: now)))
    }

    private static func comesBeforeSending(_ code: TransportError.Code) -> Bool {
        switch code {
        case .cannotFindHost, .cannotConnectToHost, .secureConnectionFailed, .certificateNotTrusted, .unsupportedURL,
            .unsupportedOption, .cancelled, .refused:
            true
        default: false
        }
    }

    /// Preserves the received part of a small body in a store that outlives the attempt.
    private mutating func emitPart() {
        guard !followsRedirect else { return }
        if body.store == nil {
            body.moveToStore(limits)
            if let store = body.store { emit(.body(store)) }
        }
        emitReceived()
    }

    private mutating func end(_ event: TransportEvent) {
        body.store?.finish()
        hasEnded = true
        body = ResponseBody()
        held = nil
        actions.append(.end(event))
    }

    private func response(_ head: ReceivedHead) -> TransportResponse {
        TransportResponse(
            url: hop.url, headers: head.headers, statusCode: head.statusCode,
            body: followsRedirect ? skipped : request.responseDelivery == .whole ? body.data : nil)
    }

    func failure(_ error: URLError) -> TransportError {
        SessionFailure(
            error: error, server: hop.url.server,
            host: hop.url.host(percentEncoded: false)?.excerpt() ?? hop.url.server,
            progress: head == nil ? nil : progress
        ).transportError
    }

    /// "512 of 2048 bytes"
    private var progress: String {
        head?.contentLength.map { "\(bytesReceived) of \($0) bytes" } ?? "\(bytesReceived) bytes"
    }

    // MARK: Time limits

    /// The earlier of the time limits; nil for none.
    private var limit: (at: Duration, text: String, isIdle: Bool)? {
        let total = request.attemptTimeout.map { (at: $0, text: $0.text, isIdle: false) }
        // The idle timeout does not run while the reader has paused.
        let idle = isPaused ? nil : request.idleTimeout.map { (at: lastByteAt + $0, text: $0.text, isIdle: true) }
        guard let total, let idle else { return total ?? idle }
        return total.at < idle.at ? total : idle
    }

    /// Sets a timer. One that fires too early checks the limits, and is set again.
    mutating func watchLimits() {
        guard !isWatched, let limit else { return }
        isWatched = true
        actions.append(.watch(limit.at))
    }

    mutating func checkLimits(at now: Duration) {
        isWatched = false
        guard !hasEnded else { return }
        guard let limit, limit.at <= now else { return watchLimits() }
        let message =
            head == nil || followsRedirect
            ? "no response from \(hop.url.server) within \(limit.text)"
            : limit.isIdle
                ? "the response from \(hop.url.server) stalled for \(limit.text) (\(progress))"
                : "the response from \(hop.url.server) was not complete within \(limit.text) (\(progress))"
        fail(TransportError(code: .timedOut, message: message), at: now)
    }

    // MARK: Metrics

    /// Returns the timings of the current hop: the session's measurements, or else those of its phases.
    func hopTimings(at now: Duration) -> Timings {
        if let measured { return measured.timings }
        var timings = phases.timings(until: now)
        for phase in RequestPhase.allCases { timings[phase] -= phasesBefore[phase] }
        return timings
    }

    private func metrics(at now: Duration) -> TransportMetrics {
        var timings = hopTimings(at: now)
        for phase in RequestPhase.allCases {
            for redirect in redirects { timings[phase] += redirect.timings[phase] }
        }
        return TransportMetrics(
            timings: timings, httpVersion: measured?.httpVersion, remoteAddress: measured?.remoteAddress,
            reusedConnection: redirects.isEmpty && measured?.reusedConnection == true,
            bytesReceived: measured?.bytesReceived ?? bytesReceived, bytesSent: bytesSent, redirects: redirects,
            tls: tlsReport)
    }

    private var tlsReport: TLSReport? {
        guard head != nil, hop.url.scheme?.lowercased() == "https" else { return nil }
        return TLSReport(
            version: measured?.tlsVersion, cipher: measured?.cipher,
            isVerified: request.connection.tls.verifiesServer || hop.trust != .own)
    }
}
