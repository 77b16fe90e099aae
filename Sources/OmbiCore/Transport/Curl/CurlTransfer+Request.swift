#if canImport(CCurl)
internal import CCurl

// The request on its way out.
extension CurlTransfer {
    /// What libcurl gets when it asks for more of the body.
    enum Reading {
        case bytes(Int)
        case nothingYet
        case failed
    }

    /// The connection stands; the request goes out now. False when it must not go over this one.
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

    func noteTLS() {
        guard tls == nil, hop.url.scheme?.lowercased() == "https" else { return }
        tls = handle?.tlsReport(isVerified: request.settings.value.tls.verifiesServer || hop.trust != .own)
    }

    /// Goes to the start of the stream that is to be sent. False when it cannot be opened.
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

    /// The body has more. Whether libcurl has to be told.
    func resumeSending() -> Bool {
        lastActivity = context.now
        return upload.goOn()
    }
}
#endif
