import Foundation
import OmbiCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
        measured?.timings ?? phases.timings(until: now) - phasesBefore
    }

    private func metrics(at now: Duration) -> TransportMetrics {
        TransportMetrics(
            timings: redirects.reduce(hopTimings(at: now)) { $0 + $1.timings },
            httpVersion: measured?.httpVersion, remoteAddress: measured?.remoteAddress,
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

/// Pieces of a body that arrived before their reader took them, where a session cannot be paused: in memory up to a
/// limit, then in temporary files, which go as they have been read.
struct HeldPieces {
    private let limits: ResponseLimits
    /// The parts of the body that are not read yet, the oldest first.
    private var stores: [ResponseStore] = []
    /// The bytes of the first part that have been read.
    private var position = 0
    private var count = 0
    private let partLength: Int
    private static let maximumPiece = 64 << 10

    init(limits: ResponseLimits, partLength: Int = 64 << 20) {
        self.limits = limits
        self.partLength = partLength
    }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ data: Data) throws(TransportError) {
        guard data.count <= limits.maximumBytes - count else {
            throw TransportError(
                code: .responseTooLarge,
                message: "more than \(limits.maximumBytes) bytes of the response wait for their reader")
        }
        if stores.last?.count ?? partLength >= partLength {
            stores.append(ResponseStore(capacity: .max, limits: limits))
        }
        guard let store = stores.last else { return }
        let result = data.withUnsafeBytes { bytes in Result { () throws(TransportError) in try store.append(bytes) } }
        try result.get()
        count += data.count
    }

    /// Returns the next piece; nil if none is left.
    mutating func next() -> Data? {
        if let first = stores.first, position == first.count, stores.count > 1 {
            stores.removeFirst()
            position = 0
        }
        let start = position
        guard let piece = stores.first?.withUnsafeBytes({ Data($0[start...].prefix(Self.maximumPiece)) }) else {
            return nil
        }
        position += piece.count
        count -= piece.count
        return piece.isEmpty ? nil : piece
    }
}

/// The status and the fields of a response. `HTTPURLResponse` neither preserves the order of the fields nor separates
/// those of one name: here they are sorted by name, and joined values stay joined (RFC 9110 §5.3) except those of
/// `Set-Cookie`.
struct ReceivedHead: Sendable, Equatable {
    let statusCode: Int
    let headers: RequestHeaders

    init(_ response: HTTPURLResponse) {
        let fields = response.allHeaderFields.map { (name: "\($0.key)", value: "\($0.value)") }
        self.init(statusCode: response.statusCode, fields: fields)
    }

    init(statusCode: Int, fields: [(name: String, value: String)]) {
        self.statusCode = statusCode
        let sorted = fields.sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
        headers = RequestHeaders(
            sorted.flatMap { name, value in
                let key = RequestHeaders.Key(name)
                let values = key == .setCookie ? Self.cookies(in: value) : [value]
                return values.map { RequestHeaders.Field(key, .string($0)) }
            })
    }

    /// True for 1xx other than 101, which is followed by another response (RFC 9110 §15.2).
    var isInterim: Bool { 100..<200 ~= statusCode && statusCode != 101 }

    /// The value of `Content-Length`, unless the body is encoded.
    var contentLength: Int? {
        guard headers[.contentEncoding] == nil else { return nil }
        return headers[.contentLength].flatMap { Int($0.text) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Splits several `Set-Cookie` fields joined by commas. A comma starts another cookie if a name and "=" follow:
    /// neither a cookie's value nor a date has such a comma (RFC 6265 §4.1.1).
    static func cookies(in joined: String) -> [String] {
        var cookies: [String] = []
        for part in joined.split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.prefix { $0 != "=" && $0 != ";" }.drop { $0 == " " }
            let isStart = name.endIndex < part.endIndex && part[name.endIndex] == "=" && isToken(name)
            if let last = cookies.last, !isStart {
                cookies[cookies.count - 1] = "\(last),\(part)"
            } else {
                cookies.append(String(part.drop { $0 == " " }))
            }
        }
        return cookies
    }

    private static func isToken(_ name: Substring) -> Bool { RequestMethod(rawValue: String(name)) != nil }
}
