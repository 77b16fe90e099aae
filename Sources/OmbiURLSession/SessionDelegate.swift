import Foundation
import OmbiCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An event of one task of a session, in order. `completed` is the last.
enum SessionTaskEvent: Sendable {
    /// The body bytes sent so far.
    case sent(Int)
    case head(ReceivedHead)
    case data(Data)
    case measured(SessionMetrics)
    /// Includes the head, because some heads are not reported before.
    case completed(URLError?, ReceivedHead?)
}

typealias SessionListener = @Sendable (SessionTaskEvent) -> Void

/// The delegate of one session. It passes the events of each task to the listener of that task.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let verifiesServer: Bool
    private let entries = Lock<[Int: Entry]>([:])

    private struct Entry {
        let task: SessionTask
        let request: SessionRequest
        let listener: SessionListener
    }

    init(verifiesServer: Bool) { self.verifiesServer = verifiesServer }

    func task(for request: SessionRequest, in session: URLSession, listener: @escaping SessionListener) -> SessionTask {
        let task = session.dataTask(with: request.urlRequest)
        let id = task.taskIdentifier
        let made = SessionTask(task) { [weak self] in _ = self?.removeEntry(id) }
        entries.withLock { $0[id] = Entry(task: made, request: request, listener: listener) }
        return made
    }

    /// The listener is released outside the lock.
    private func removeEntry(_ id: Int) -> Entry? { entries.withLock { $0.removeValue(forKey: id) } }

    private func report(_ event: SessionTaskEvent, of task: URLSessionTask) {
        entries.withLock { $0[task.taskIdentifier] }?.listener(event)
    }

    private func complete(_ task: URLSessionTask, _ error: (any Error)?) {
        let head = (task.response as? HTTPURLResponse).map(ReceivedHead.init)
        let error = error.map { $0 as? URLError ?? URLError(.unknown, userInfo: ($0 as NSError).userInfo) }
        removeEntry(task.taskIdentifier)?.listener(.completed(error, head))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        entries.withLock { $0[task.taskIdentifier] }?.task.unlessCancelled { completionHandler(nil) }
    }

    /// Called if the body has to be sent again, because the reused connection had been closed meanwhile.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(entries.withLock { $0[task.taskIdentifier] }?.request.openBody())
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        report(.sent(Int(totalBytesSent)), of: task)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { report(.head(ReceivedHead(response)), of: dataTask) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        report(.data(data), of: dataTask)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        if let metrics = SessionMetrics(metrics) { report(.measured(metrics), of: task) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        complete(task, error)
    }

    #if canImport(FoundationNetworking)
    /// Called after a response with the status 401 was received completely. Default handling would leave the task
    /// waiting forever, and credentials are handled by OmbiCore: the response is kept, and the task is ended.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        complete(task, nil)
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
    #else
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard !verifiesServer, challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
            let trust = challenge.protectionSpace.serverTrust
        else { return completionHandler(.performDefaultHandling, nil) }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
    #endif
}

/// A task of a session that can be ended without further events.
final class SessionTask: Sendable {
    private let task: URLSessionTask
    private let removeEntry: @Sendable () -> Void
    private let isCancelled = Lock(false)

    init(_ task: URLSessionTask, removeEntry: @escaping @Sendable () -> Void) {
        self.task = task
        self.removeEntry = removeEntry
    }

    func resume() { task.resume() }

    #if canImport(FoundationNetworking)
    // Foundation on Linux would send the request again.
    func holdUp() {}
    func goOn() {}
    #else
    /// Pauses receiving. Each call requires one of `goOn`.
    func holdUp() { task.suspend() }
    func goOn() { task.resume() }
    #endif

    func cancel() {
        removeEntry()
        isCancelled.withLock { isCancelled in
            isCancelled = true
            task.cancel()
        }
    }

    /// Calls a completion handler of the session unless the task was cancelled. Foundation on Linux traps on a call
    /// after a cancellation: the lock keeps the two in order.
    func unlessCancelled(_ answer: () -> Void) {
        isCancelled.withLock { isCancelled in
            if !isCancelled { answer() }
        }
    }
}

/// A session's measurements of one task. Foundation on Linux measures nothing.
struct SessionMetrics: Sendable {
    var timings: Timings
    /// "1.1", "2", "3"
    var httpVersion: String?
    var remoteAddress: String?
    var reusedConnection: Bool
    /// The body bytes on the wire.
    var bytesReceived: Int
    /// "TLSv1.3"
    var tlsVersion: String?
    var cipher: String?

    init?(_ metrics: URLSessionTaskMetrics) {
        guard let metrics = metrics.transactionMetrics.last else { return nil }
        timings = Timings(
            resolve: Self.time(from: metrics.domainLookupStartDate, to: metrics.domainLookupEndDate),
            connect: Self.time(
                from: metrics.connectStartDate, to: metrics.secureConnectionStartDate ?? metrics.connectEndDate),
            tls: Self.time(from: metrics.secureConnectionStartDate, to: metrics.secureConnectionEndDate),
            send: Self.time(from: metrics.requestStartDate, to: metrics.requestEndDate),
            wait: Self.time(from: metrics.requestEndDate, to: metrics.responseStartDate),
            receive: Self.time(from: metrics.responseStartDate, to: metrics.responseEndDate))
        httpVersion = metrics.networkProtocolName.flatMap(Self.version)
        remoteAddress = metrics.remoteAddress.map { address in
            let host = address.contains(":") ? "[\(address)]" : address
            return metrics.remotePort.map { "\(host):\($0)" } ?? host
        }
        reusedConnection = metrics.isReusedConnection
        bytesReceived = Int(metrics.countOfResponseBodyBytesReceived)
        tlsVersion = metrics.negotiatedTLSProtocolVersion.flatMap { Self.tlsVersions[$0.rawValue] }
        cipher = metrics.negotiatedTLSCipherSuite.flatMap { Self.ciphers[$0.rawValue] }
    }

    private static func time(from start: Date?, to end: Date?) -> Duration {
        guard let start, let end else { return .zero }
        return .seconds(max(end.timeIntervalSince(start), 0))
    }

    /// Returns the version for the name of a protocol in ALPN (RFC 7301).
    private static func version(_ name: String) -> String? {
        switch name {
        case "http/1.0": "1.0"
        case "http/1.1": "1.1"
        case "h2": "2"
        case "h3": "3"
        default: nil
        }
    }

    private static let tlsVersions: [UInt16: String] = [
        0x0301: "TLSv1", 0x0302: "TLSv1.1", 0x0303: "TLSv1.2", 0x0304: "TLSv1.3",
    ]

    /// The cipher suites of TLS 1.3, and those of TLS 1.2 that servers still choose (IANA's registry).
    private static let ciphers: [UInt16: String] = [
        0x1301: "TLS_AES_128_GCM_SHA256", 0x1302: "TLS_AES_256_GCM_SHA384", 0x1303: "TLS_CHACHA20_POLY1305_SHA256",
        0xC02B: "ECDHE-ECDSA-AES128-GCM-SHA256", 0xC02C: "ECDHE-ECDSA-AES256-GCM-SHA384",
        0xC02F: "ECDHE-RSA-AES128-GCM-SHA256", 0xC030: "ECDHE-RSA-AES256-GCM-SHA384",
        0xCCA8: "ECDHE-RSA-CHACHA20-POLY1305", 0xCCA9: "ECDHE-ECDSA-CHACHA20-POLY1305",
    ]
}
