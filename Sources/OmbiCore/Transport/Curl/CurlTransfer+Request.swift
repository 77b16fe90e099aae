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
#endif
