#if canImport(CCurl)
internal import CCurl

// Sending the request.
extension CurlTransfer {
    /// The response to libcurl's request for more of the body.
    enum Reading {
        case bytes(Int)
        case nothingYet
        case failed
    }

    /// Called when the connection is ready and the request is about to be sent. Returns false if it must not use this
    /// one.
    func startsSending(localPort: CInt) -> Bool {
        if let handle, handle.shared.hasUnaskedBytes(for: handle, localPort: localPort) {
            wantsOtherConnection = true
            return false
        }
        hasConnected = true
        noteTLS()
        enter(.send)
        if upload.isEmpty { enter(.wait) }
        return true
    }

    /// Called before each handshake, with OpenSSL's settings for it.
    func startsTLS(_ settings: OpenSSL.Object) {
        enter(.tls)
        sentCertificates = SentCertificates(of: settings, handle?.library.openSSL)
    }

    /// Reports the certificates of a server that could not be verified, or did not go on.
    func noteFailedTLS() {
        guard tls == nil, let certificates = sentCertificates?.all, !certificates.isEmpty else { return }
        tls = TLSReport(certificates: certificates, isVerified: false)
    }

    func noteTLS() {
        guard tls == nil, hop.url.scheme?.lowercased() == "https" else { return }
        tls = handle?.tlsReport(isVerified: request.settings.value.tls.verifiesServer || hop.trust != .own)
    }

    /// Opens the stream to send at its start. Returns false on failure.
    func openBody() -> Bool {
        do {
            upload = try CurlUpload(hop, wake: job.wake)
            return true
        } catch {
            upload = CurlUpload()
            ownFailure = TransportError(code: .requestBodyFailed, message: "\(error)")
            return false
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
        lastActivity = context.now
        do {
            return try upload.read(into: buffer).map(Reading.bytes) ?? .nothingYet
        } catch {
            ownFailure = TransportError(code: .requestBodyFailed, message: "\(error)")
            return .failed
        }
    }

    func sent(bytes: Int) {
        if upload.sent(bytes) { lastActivity = context.now }
        if upload.takeProgress(isDue: isProgressDue) {
            job.onEvent(.sent(bytes: upload.bytesSent, expected: upload.length))
        }
        if upload.isComplete, phases.phase == .send { enter(.wait) }
    }

    /// Called when the body has more bytes. Returns true if libcurl has to be resumed.
    func resumeSending() -> Bool {
        lastActivity = context.now
        return upload.goOn()
    }
}

// The metrics of an attempt, from its own observations and libcurl's.
extension CurlTransfer {
    func metrics(_ handle: CurlHandle) -> TransportMetrics {
        let address = remoteAddress(handle)
        let connections = connectionsOfRedirects + handle.number(CURLINFO_NUM_CONNECTS)
        var metrics = TransportMetrics(
            timings: redirects.reduce(hopTimings(handle)) { $0 + $1.timings }, httpVersion: head.httpVersion,
            remoteAddress: address, reusedConnection: address != nil && connections == 0,
            bytesReceived: handle.size(CURLINFO_SIZE_DOWNLOAD_T),
            bytesSent: upload.payload(handle.size(CURLINFO_SIZE_UPLOAD_T)), redirects: redirects, tls: tls)
        metrics.unknownCoding = undecoded.unknownCoding
        return metrics
    }

    /// "127.0.0.1:8080"
    func remoteAddress(_ handle: CurlHandle) -> String? {
        guard let address = handle.text(CURLINFO_PRIMARY_IP), !address.isEmpty else { return nil }
        let port = handle.number(CURLINFO_PRIMARY_PORT)
        return address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    /// Returns the observed phases of the current request; within connection setup, libcurl's times are more precise.
    func hopTimings(_ handle: CurlHandle) -> Timings {
        var timings = redirects.reduce(phases.timings(until: now)) { $0 - $1.timings }
        let connected = handle.microseconds(CURLINFO_CONNECT_TIME_T)
        let resolved = handle.microseconds(CURLINFO_NAMELOOKUP_TIME_T)
        let setUp = timings.resolve + timings.connect + timings.tls
        guard timings.connect > .zero, connected >= resolved, connected <= setUp else { return timings }
        timings.resolve = resolved
        timings.connect = connected - resolved
        timings.tls = setUp - connected
        if !phases.reached.contains(.tls) {
            timings.connect += timings.tls
            timings.tls = .zero
        }
        return timings
    }
}

/// The progress of a request body: the bytes that libcurl has read, and those sent.
struct CurlUpload {
    /// The length in bytes; nil if unknown.
    let length: Int?
    /// True if the reader had no bytes at the last read.
    private(set) var isWaiting = false
    private(set) var bytesSent = 0
    private var bytesTold = 0
    private let reader: (any BodyReader)?
    private let waitingReader: (any WaitingBodyReader)?
    private let wake: (@Sendable () -> Void)?
    private var bytesRead = 0
    private var hasEnded = false

    /// Opens the stream at its start.
    init(_ hop: Hop, wake: (@Sendable () -> Void)?) throws {
        length = hop.bodyStream == nil ? hop.body?.count ?? 0 : hop.bodyStream?.length
        reader = try hop.bodyStream?.open()
        waitingReader = wake == nil ? nil : reader as? any WaitingBodyReader
        self.wake = wake
    }

    /// Creates an empty upload.
    init() {
        length = 0
        reader = nil
        waitingReader = nil
        wake = nil
    }

    var isEmpty: Bool { length == 0 }

    /// True if the stream is open and unread, so that it need not be opened again.
    var isUntouched: Bool { reader != nil && bytesRead == 0 && !hasEnded }

    /// Returns the number of bytes, 0 at the end; nil if there are none yet.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        isWaiting = false
        guard let count = try next(buffer) else {
            isWaiting = true
            return nil
        }
        bytesRead += count
        hasEnded = count == 0
        return count
    }

    /// Resumes after the reader has more bytes. Returns false if libcurl was not waiting.
    mutating func goOn() -> Bool { exchange(&isWaiting, with: false) }

    private func next(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        if let waitingReader, let wake { return try waitingReader.read(into: buffer, wake: wake) }
        return try reader?.read(into: buffer) ?? 0
    }

    /// Returns the sent bytes of the body; libcurl's count includes the framing of chunks.
    func payload(_ bytes: Int) -> Int { length == nil ? min(bytes, bytesRead) : bytes }

    /// Records the bytes sent. Returns false without an increase; the count never decreases.
    mutating func sent(_ bytes: Int) -> Bool {
        guard payload(bytes) > bytesSent else { return false }
        bytesSent = payload(bytes)
        return true
    }

    /// Returns true if progress is due to be reported, and marks it as reported.
    mutating func takeProgress(isDue: () -> Bool) -> Bool {
        guard bytesSent > bytesTold, isComplete || isDue() else { return false }
        bytesTold = bytesSent
        return true
    }

    /// True once the whole body has been sent.
    var isComplete: Bool { bytesSent >= (length ?? (hasEnded ? bytesRead : .max)) }

    /// "512 of 2048 bytes"
    var progress: String { length.map { "\(bytesSent) of \($0) bytes" } ?? "\(bytesSent) bytes" }
}

/// The body of a redirecting response, of which a report keeps the start.
struct HopBody {
    /// In bytes, of all redirects of an attempt; the rest of a body is not received.
    static let maximum = 64 << 10

    private(set) var data = Data()
    /// True if there was more.
    var isPartial = false

    /// Keeps the bytes for which there is room.
    mutating func keep(_ bytes: UnsafeRawBufferPointer) -> ContentDecoder.Taking {
        let room = Self.maximum - data.count
        data.append(contentsOf: bytes.prefix(room))
        guard bytes.count > room else { return .taken }
        isPartial = true
        return .refused
    }

    /// Returns the body after content decoding. One of which a decoder makes nothing is as it came.
    /// - Parameter codings: The value of `Content-Encoding`; empty for a body that is not decoded.
    func decoded(_ codings: String, _ library: ContentCodings) -> HopBody {
        guard !data.isEmpty, !codings.isEmpty else { return self }
        var body = HopBody()
        body.isPartial = isPartial
        do {
            guard let decoder = try ContentDecoder(codings, library) else { return self }
            let taking = try data.withUnsafeBytes { bytes in try decoder.decode(bytes) { piece in body.keep(piece) } }
            if taking == .taken { try decoder.finish() }
        } catch {
            if body.data.isEmpty { return self }
            body.isPartial = true
        }
        return body
    }

    func cut(to count: Int) -> HopBody {
        guard data.count > count else { return self }
        var body = self
        body.data = Data(data.prefix(count))
        body.isPartial = true
        return body
    }
}
#endif
