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

extension Timings {
    fileprivate static func + (left: Timings, right: Timings) -> Timings { left.combined(right, +) }
    fileprivate static func - (left: Timings, right: Timings) -> Timings { left.combined(right, -) }

    private func combined(_ other: Timings, _ combine: (Duration, Duration) -> Duration) -> Timings {
        var result = self
        for phase in RequestPhase.allCases { result[phase] = combine(self[phase], other[phase]) }
        return result
    }
}
#endif
