internal import CCurl

// The request on its way out.
extension CurlTransfer {
    /// What libcurl gets when it asks for more of the body.
    enum Reading {
        case bytes(Int)
        case nothingYet
        case failed
    }

    /// The connection stands; the request goes out now.
    func startsSending() {
        hasConnected = true
        enter(.send)
        if upload.isEmpty { enter(.wait) }
    }

    /// Goes to the start of the stream that is to be sent. False when it cannot be opened.
    func openBody() -> Bool {
        do {
            upload = try CurlUpload(hop, wake: job.wake)
            return true
        } catch {
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
