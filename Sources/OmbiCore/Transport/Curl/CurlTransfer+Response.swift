internal import CCurl

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The response on its way in.
extension CurlTransfer {
    /// What becomes of bytes that libcurl hands over.
    enum Taking {
        case taken
        /// To be handed over again, after `resumeReceiving`.
        case heldBack
        /// They stop the transfer.
        case refused
    }

    func received(headerLine line: UnsafeRawBufferPointer) -> Bool {
        lastActivity = context.now
        if phases.phase != .receive { startsReceiving() }
        headerBytes += line.count
        guard headerBytes <= Self.maximumHeaderBytes else {
            ownFailure = TransportError(
                code: .responseTooLarge,
                message: "the header from \(hop.place) is larger than \(Self.maximumHeaderBytes) bytes")
            return false
        }
        guard head.add(line) else { return true }
        learnVersion()
        followsRedirect =
            configuration.maximumRedirects > 0 && Hop.isRedirect(head.statusCode) && head.headers[.location] != nil
        expectationFailed = head.statusCode == 417 && hop.expectsContinue && !upload.isComplete
        // After 101 the response comes in the other protocol.
        if isFinal, head.statusCode != 101 { tellHead() }
        return true
    }

    /// Whether the response under way is the last of the attempt.
    var isFinal: Bool { !followsRedirect && !expectationFailed }

    private func learnVersion() {
        let isMultiplexed = head.httpVersion == "2" || head.httpVersion == "3"
        if redirects == 0, job.isMultiplexed == isMultiplexed { return }
        context.news.learned.append((turn.place, isMultiplexed))
    }

    func tellHead() {
        guard !headIsTold else { return }
        headIsTold = true
        job.onEvent(.head(ResponseHead(url: hop.url, statusCode: head.statusCode, headers: head.headers)))
        guard job.pause == nil else { return body = .passedOn }
        body = ResponseBody(length: mayHaveBody ? head.contentLength : 0, configuration: configuration)
        if let store = body.store { job.onEvent(.body(store)) }
    }

    /// libcurl tells how much it has sent only now and then; what a response answers must have been told before it.
    private func startsReceiving() {
        if !upload.isEmpty, let handle { sent(bytes: handle.size(CURLINFO_SIZE_UPLOAD_T)) }
        hasConnected = true
        enter(.receive)
    }

    func received(body bytes: UnsafeRawBufferPointer) -> Taking {
        lastActivity = context.now
        guard isFinal else { return .taken }
        tellHead()
        if let pause = job.pause {
            guard !pause.isOn else {
                isHeldBack = true
                return .heldBack
            }
            job.onEvent(.data(Data(bytes)))
        }
        guard keep(bytes) else { return .refused }
        if isProgressDue() { tellReceived() }
        return .taken
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.isPassedOn || bytes.count <= configuration.maximumResponseBytes - body.count else {
            ownFailure = TransportError(
                code: .responseTooLarge,
                message: "the response from \(hop.place) is larger than \(configuration.maximumResponseBytes) bytes")
            return false
        }
        do {
            try body.append(bytes)
            return true
        } catch {
            ownFailure = error
            return false
        }
    }

    private var mayHaveBody: Bool { hop.method != .head && ![204, 304].contains(head.statusCode) }

    func tellReceived() {
        guard body.count > bytesTold else { return }
        bytesTold = body.count
        job.onEvent(.received(bytes: bytesTold, expected: head.contentLength))
    }

    /// Shows what came of a small body, too, when no more comes.
    func tellPart() {
        guard head.isComplete, isFinal else { return }
        tellHead()
        defer { tellReceived() }
        guard body.store == nil, !body.isPassedOn else { return }
        body.moveToStore(configuration)
        if let store = body.store { job.onEvent(.body(store)) }
    }

    func isProgressDue() -> Bool {
        guard context.now - lastProgress >= Self.progressInterval else { return false }
        lastProgress = context.now
        return true
    }

    /// The reader takes pieces again. Whether libcurl has to be told.
    func resumeReceiving() -> Bool {
        lastActivity = context.now
        guard isHeldBack, job.pause?.isOn == false else { return false }
        isHeldBack = false
        return true
    }

    /// What libcurl is to hold back still.
    var pauseBits: CInt { (isHeldBack ? CURLPAUSE_RECV : 0) | (upload.isWaiting ? CURLPAUSE_SEND : 0) }
}
