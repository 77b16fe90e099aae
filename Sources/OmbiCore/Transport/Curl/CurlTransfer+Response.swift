#if canImport(CCurl)
internal import CCurl

// Receiving the response.
extension CurlTransfer {
    typealias Taking = ContentDecoder.Taking

    /// The limit for an unused response body; beyond that the connection is closed.
    private static let maximumSkippedBytes = HopBody.maximum

    /// Returns false to stop the transfer.
    func received(headerLine line: UnsafeRawBufferPointer) -> Bool {
        lastActivity = context.now
        if phases.phase != .receive { startsReceiving() }
        headerBytes += line.count
        guard headerBytes <= Self.maximumHeaderBytes else {
            return stop(
                .responseTooLarge, "the header from \(hop.url.server) is larger than \(Self.maximumHeaderBytes) bytes")
        }
        if head.isComplete, mayNegotiate { head.allowsAnother = true }
        guard head.add(line) else {
            if let problem = head.problem {
                return stop(.malformedResponse, "the response from \(hop.url.server) \(problem)")
            }
            return true
        }
        learnVersion()
        if mayHaveBody, let problem = head.lengthProblem {
            return stop(.malformedResponse, "the response from \(hop.url.server) \(problem)")
        }
        request.cookieJar?.store(head.headers, from: hop.url)
        followsRedirect = isRedirect
        expectationFailed = head.statusCode == 417 && hop.expectsContinue && !upload.isComplete
        if isFinal, !mayNegotiate { reportHead() }
        return true
    }

    /// True for a response that libcurl may answer with another request by itself; it delivers no body of it then. If a
    /// server accepts its first message at once, the body of the request has yet to be sent.
    private var mayNegotiate: Bool {
        guard hop.connectionAuthentication != nil else { return false }
        let mayLackBody = hop.bodyLength != 0 || ![.get, .head].contains(hop.method)
        return head.statusCode == 401 || head.statusCode < 300 && mayLackBody
    }

    /// Sets the error and returns false, which makes libcurl stop the transfer.
    private func stop(_ code: TransportError.Code, _ message: String) -> Bool {
        stop(TransportError(code: code, message: message))
    }

    private func stop(_ error: TransportError) -> Bool {
        ownFailure = error
        return false
    }

    /// True if the current response is the last of the attempt.
    var isFinal: Bool { !followsRedirect && !expectationFailed }

    private func learnVersion() {
        let isMultiplexed = sharesConnections
        if redirects.isEmpty, job.isMultiplexed == isMultiplexed { return }
        context.news.learned.append((turn.slot, isMultiplexed))
    }

    /// True if requests to the origin share a connection.
    private var sharesConnections: Bool {
        guard head.httpVersion == "2" || head.httpVersion == "3" else { return false }
        return request.settings.value.httpVersion != .http2PriorKnowledge
            || handle?.library.features.breaksPriorKnowledge == false
    }

    /// Notes the connection before libcurl releases the handle.
    func leaveConnection(_ result: CURLcode) {
        if result == CURLE_OK, head.httpVersion?.hasPrefix("1") == true, let handle { handle.shared.leave(handle) }
    }

    func reportHead() {
        guard !headIsTold else { return }
        headIsTold = true
        job.onEvent(.head(ResponseHead(url: hop.url, statusCode: head.statusCode, headers: head.headers)))
        guard job.pause == nil else { return body = .passedOn }
        body = ResponseBody(length: mayHaveBody ? head.contentLength : 0, limits: configuration.limits)
        if isOpenEnded { body.store?.recordArrivals(since: job.startedAt) }
        if let store = body.store { job.onEvent(.body(store)) }
    }

    /// Reports the bytes sent before the response, since libcurl reports them only at intervals.
    private func startsReceiving() {
        if !upload.isEmpty, let handle { sent(bytes: handle.size(CURLINFO_SIZE_UPLOAD_T)) }
        hasConnected = true
        noteTLS()
        enter(.receive)
    }

    func received(body bytes: UnsafeRawBufferPointer) -> Taking {
        lastActivity = context.now
        guard isFinal else {
            bytesSkipped += bytes.count
            if followsRedirect { _ = hopBody.keep(bytes) }
            return bytesSkipped <= Self.maximumSkippedBytes ? .taken : .refused
        }
        reportHead()
        let taking = decodes ? decode(bytes) : take(bytes)
        if taking == .heldBack { isHeldBack = true }
        return taking
    }

    private var decodes: Bool {
        head.headers[.contentEncoding] != nil && request.settings.value.acceptsCompression
            && handle?.library.codings.names.isEmpty == false
    }

    private func decode(_ bytes: UnsafeRawBufferPointer) -> Taking {
        guard let handle else { return .refused }
        guard undecoded.problem == nil else { return take(bytes) }
        do throws(CodingProblem) {
            if decoder == nil { decoder = try ContentDecoder(head.contentEncoding, handle.library.codings) }
            guard let decoder else { return take(bytes) }
            let taking = try decoder.decode(bytes, take)
            if taking == .taken, body.count == 0, job.pause == nil { undecoded.keep(bytes) }
            return taking
        } catch {
            return takeUndecoded(bytes, error)
        }
    }

    /// Takes the body as it comes if the server names no known coding (as browsers do, Fetch §2.2.4), or another one than it
    /// has applied.
    private func takeUndecoded(_ bytes: UnsafeRawBufferPointer, _ problem: CodingProblem) -> Taking {
        guard problem.reason == nil || body.count == 0 && job.pause == nil else {
            _ = stop(problem.error(from: hop.url.server))
            return .refused
        }
        undecoded.problem = problem
        keepUndecoded()
        return take(bytes)
    }

    /// Puts the bytes that a decoder made nothing of into the body, where nothing else came.
    func keepUndecoded() {
        let start = undecoded.takeStart()
        guard body.count == 0, !start.isEmpty else { return }
        _ = start.withUnsafeBytes(keep)
    }

    /// Handles bytes after content decoding.
    private func take(_ bytes: UnsafeRawBufferPointer) -> ContentDecoder.Taking {
        if let pause = job.pause {
            guard !pause.isOn else { return .heldBack }
            job.onEvent(.data(Data(bytes)))
        }
        if waitsForReader {
            // The reader is to learn of all that it has to read.
            reportReceived()
            return .heldBack
        }
        guard keep(bytes) else { return .refused }
        let isLikelyLast = isLikelyLast(bytes)
        if isLikelyLast { shareBody() }
        if isProgressDue() || isLikelyLast { reportReceived() }
        return .taken
    }

    /// True for a stored body whose reader is far behind; libcurl is resumed when it has caught up.
    private var waitsForReader: Bool {
        guard let store = body.store, store.hasReader, let loops = job.loops else { return false }
        return store.mustWait { [id = job.id] in loops.submit(.resume(id), for: id) }
    }

    /// True for a piece of an unfinished body behind which nothing may come for a while.
    private func isLikelyLast(_ piece: UnsafeRawBufferPointer) -> Bool {
        piece.count < Self.fullPiece && head.contentLength != body.count
    }

    /// Larger pieces are a part of what has arrived.
    private static let fullPiece = 8 << 10

    /// True for a response that may go on for as long as the server likes.
    var isOpenEnded: Bool { head.isComplete && isFinal && OpenEndedResponse.isAnnounced(by: head.headers) }

    private func keep(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let room = configuration.maximumResponseBytes - body.count
        guard body.isPassedOn || bytes.count <= room else {
            // A body without room for its part is too large all the same.
            try? body.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(max(room, 0))))
            return stop(
                .responseTooLarge,
                "the response from \(hop.url.server) is larger than \(configuration.maximumResponseBytes) bytes")
        }
        do {
            try body.append(bytes)
            return true
        } catch {
            ownFailure = error
            return false
        }
    }

    var mayHaveBody: Bool { hop.method != .head && ![204, 304].contains(head.statusCode) }

    func reportReceived() {
        guard body.count > bytesTold else { return }
        bytesTold = body.count
        job.onEvent(.received(bytes: bytesTold, expected: head.contentLength))
    }

    /// Reports the received part, also of a small body, when no more follows.
    func reportPart() {
        guard head.isComplete, isFinal else { return }
        reportHead()
        shareBody()
        reportReceived()
    }

    /// Lets others read what has come of a small body, which may be all of it.
    private func shareBody() {
        guard body.store == nil, !body.isPassedOn else { return }
        body.moveToStore(configuration.limits)
        if let store = body.store { job.onEvent(.body(store)) }
    }

    func isProgressDue() -> Bool {
        guard context.now - lastProgress >= Self.progressInterval else { return false }
        lastProgress = context.now
        return true
    }

    /// Called when the reader accepts pieces again. Returns true if libcurl has to be resumed.
    func resumeReceiving() -> Bool {
        lastActivity = context.now
        guard isHeldBack, job.pause?.isOn != true else { return false }
        isHeldBack = false
        return true
    }

    /// The directions in which libcurl remains paused.
    var pauseBits: CInt { (isHeldBack ? CURLPAUSE_RECV : 0) | (upload.isWaiting ? CURLPAUSE_SEND : 0) }
}

// Redirects (RFC 9110 §15.4), which are followed here and not by libcurl.
extension CurlTransfer {
    private var policy: RedirectPolicy { request.settings.value.redirects }

    /// True for a response to follow. An empty `Location` has no target.
    var isRedirect: Bool {
        policy.maximum > 0 && Hop.isRedirect(head.statusCode) && head.headers[.location]?.text.isEmpty == false
    }

    func redirect(_ handle: CurlHandle) throws(TransportError) -> (next: Hop, report: RedirectReport) {
        try request.checkRedirects(redirects.count)
        var redirect = try hop.redirected(
            by: ResponseHead(url: hop.url, statusCode: head.statusCode, headers: head.headers),
            to: target(handle), timings: hopTimings(handle), remoteAddress: remoteAddress(handle))
        let body = bodyOfRedirect(handle)
        (redirect.report.body, redirect.report.isPartial) = (body.data, body.isPartial)
        redirect.report.sent = redirect.next.withCookies(from: request.cookieJar).headers
        return redirect
    }

    /// Returns the body of the current redirect, as far as those before it leave room.
    func bodyOfRedirect(_ handle: CurlHandle) -> HopBody {
        let kept = redirects.reduce(0) { $0 + ($1.body?.count ?? 0) }
        return hopBody.decoded(decodes ? head.contentEncoding : "", handle.library.codings)
            .cut(to: HopBody.maximum - kept)
    }

    /// Resolves `Location` against the requested URL (RFC 3986 §5), with libcurl's parser.
    private func target(_ handle: CurlHandle) -> URL? {
        let location = head.headers[.location]?.text ?? ""
        let resolved = handle.library.resolve(location, at: hop.url.absoluteString)
        // libcurl provides it only after it has read the body, too, and what is no URL as it came.
        let text = resolved == nil ? nil : handle.bytes(CURLINFO_REDIRECT_URL) ?? resolved
        return text.flatMap { URL(string: HostName.ascii(in: Self.escaped($0))) }
    }

    /// Escapes spaces and bytes that are not ASCII, in whatever encoding.
    private static func escaped(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let escaped = bytes.flatMap { byte in
            byte > 0x20 && byte < 0x7F ? [byte] : [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}

extension CurlLibrary {
    /// Resolves a reference against a URL; nil if one of them is invalid.
    fileprivate func resolve(_ reference: String, at base: String) -> [UInt8]? {
        guard let url = self.urlInit() else { return nil }
        defer { self.urlCleanup(url) }
        let flags = CUnsignedInt(CURLU_NON_SUPPORT_SCHEME | CURLU_ALLOW_SPACE)
        var text: UnsafeMutablePointer<CChar>?
        guard self.urlSet(url, CURLUPART_URL, base, flags) == CURLUE_OK,
            self.urlSet(url, CURLUPART_URL, reference, flags) == CURLUE_OK,
            self.urlGet(url, CURLUPART_URL, &text, 0) == CURLUE_OK, let text
        else { return nil }
        defer { self.free(text) }
        return CurlHandle.bytes(text)
    }
}
#endif
