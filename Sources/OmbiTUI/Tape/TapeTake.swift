/// The behaviour of a server in one recorded attempt: a response after some time, a part of one, or nothing but the end
/// of the connection.
struct TapeTake: Equatable, Sendable {
    /// Nil for an attempt that got no response: the connection is closed.
    var head: Head?
    /// Equal ones of a run share their bytes.
    var body = Data()
    /// True for a body that the history does not have: the response is served without it.
    var isBodyMissing = false
    /// True where the connection ends in the middle of the body.
    var isBroken = false
    /// The time to the first byte, or to the end of the connection.
    var wait = Duration.zero
    /// From the first byte to the last one.
    var receive = Duration.zero

    struct Head: Equatable, Sendable {
        var status: Int
        /// Without those of the connection and of the length.
        var lines: [String]
        /// The length that the server has named; nil where it has not.
        var length: Int?
    }

    /// The time that is never exceeded, whatever was recorded.
    static let maximumDelay = Duration.seconds(600)
}

extension TapeTake {
    /// The attempts of a run, without those that the user cut off.
    static func takes(of run: RecordedRun) -> [TapeTake] {
        let attempts = run.result.report?.attempts ?? []
        // The pages of a list are joined in one response.
        guard run.result.pages == nil else {
            guard let response = run.result.receivedResponse, let first = attempts.first else { return [] }
            var take = TapeTake(first, response, isPartial: false)
            // The pages that it leads to are in it, and nowhere else.
            take?.head?.lines.removeAll { $0.lowercased().hasPrefix("link:") }
            return [take].compactMap { $0 }
        }
        return attempts.enumerated().compactMap { index, attempt -> TapeTake? in
            last(of: attempt, behind: nil, isLast: index == attempts.count - 1, run)
        }
    }

    /// The end of an attempt.
    /// - Parameter redirect: the last redirect that it followed, whose response it has where no other came.
    private static func last(
        of attempt: AttemptReport, behind redirect: FollowedRedirect?, isLast: Bool, _ run: RecordedRun
    ) -> TapeTake? {
        if let redirect, attempt.endsBehind(redirect) { return TapeTake(attempt, nil, isPartial: true) }
        if isLast, let response = run.result.receivedResponse {
            let isPartial = run.result.response == nil && !attempt.failedWithWholeResponse
            return TapeTake(attempt, response, isPartial: isPartial)
        }
        return TapeTake(attempt, attempt.received, isPartial: attempt.isPartial)
    }

    /// The requests and the responses of a run, in order: those of redirects are requests of their own, which lead to
    /// paths of the tape. Nil where a target is masked.
    static func hops(of run: RecordedRun) -> [(request: PreparedRequest, take: TapeTake)]? {
        guard let request = run.result.prepared, run.result.pages == nil, !request.redirects.isEmpty,
            request.redirects.allSatisfy({ isServed($0.target) })
        else { return nil }
        let attempts = run.result.report?.attempts ?? []
        return attempts.enumerated().flatMap { index, attempt -> [(request: PreparedRequest, take: TapeTake)] in
            let redirected = request.redirected(by: attempt)
            var hops = redirected.compactMap { hop -> (request: PreparedRequest, take: TapeTake)? in
                TapeTake(attempt.redirected(by: hop.redirect), hop.redirect).map { (hop.request, $0) }
            }
            let rest = attempt.excluding(redirected.map(\.redirect))
            let take = last(of: rest, behind: redirected.last?.redirect, isLast: index == attempts.count - 1, run)
            if let take { hops.append((request.last(of: attempt), take)) }
            return hops
        }
    }

    /// True for a URL whose path can be sent.
    private static func isServed(_ url: String) -> Bool {
        !url.contains(LogMask.mask) && HeaderCheck.isValue(url) && TapeTarget(url) != nil
    }

    /// A redirect whose target is a path of the tape. A body that is not kept is none that a client reads.
    private init?(_ attempt: AttemptReport, _ redirect: FollowedRedirect) {
        self.init(attempt, redirect.response, isPartial: false)
        guard let target = TapeTarget(redirect.target) else { return }
        head?.lines.removeAll { $0.lowercased().hasPrefix("location:") }
        head?.lines.append("Location: \(target.text)")
        isBodyMissing = false
    }

    /// Nil for an attempt that says nothing about the server.
    private init?(_ attempt: AttemptReport, _ response: TransportResponse?, isPartial: Bool) {
        let timings = attempt.metrics.timings
        wait = min(max(timings.wait, .zero), Self.maximumDelay)
        receive = min(max(timings.receive, .zero), Self.maximumDelay)
        if let response, let status = response.statusCode, (200...599).contains(status) {
            head = Head(status: status, response.headers?.fields ?? [])
            body = response.body ?? Data()
            isBodyMissing = response.body == nil
            isBroken = isPartial
            return
        }
        switch attempt.outcome {
        case .succeeded, .stopped, .cancelled, .abandoned: return nil
        case .failed, .slaExceeded: break
        }
        (wait, receive) = (min(max(attempt.duration, .zero), Self.maximumDelay), .zero)
        isBroken = true
    }

    private static let linking: Set<String> = ["location", "content-location", "link"]

    /// Returns it with links to the server of a URL that lead to the tape instead: clients would leave it.
    func withoutLinks(to url: String) -> TapeTake {
        guard let scheme = url.firstRange(of: "://") else { return self }
        let origin = String(url[..<(url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex)])
        var take = self
        take.head?.lines = (head?.lines ?? []).map { line in
            guard Self.linking.contains(line.prefix { $0 != ":" }.lowercased()) else { return line }
            let line = line.hasSuffix(": \(origin)") ? line + "/" : line
            return line.replacing(": \(origin)/", with: ": /").replacing("<\(origin)/", with: "</")
        }
        return take
    }

    /// Returns it with those fields in place of what the server let pages read.
    func granting(_ grants: [String]) -> TapeTake {
        var take = self
        guard !grants.isEmpty else { return take }
        take.head?.lines.removeAll { $0.lowercased().hasPrefix("access-control-allow-") }
        take.head?.lines += grants
        return take
    }

    // MARK: Bytes

    /// The beginning of the response to a request, up to the body.
    func start(toHead isHead: Bool, keepsAlive: Bool) -> [UInt8] {
        guard let head else { return [] }
        var lines = ["HTTP/1.1 \(head.status) \(StatusCode.reason(head.status) ?? "")"] + head.lines
        if isHead {
            // That of a GET, whose body is at hand; a HEAD has recorded none.
            let length = body.isEmpty || isBroken ? head.length : body.count
            if let length { lines.append("Content-Length: \(length)") }
        } else if isBroken, !hasNoBody {
            // More is announced than comes, or the end of the chunks is missing.
            let length = head.length ?? 0
            lines.append(length > body.count ? "Content-Length: \(length)" : "Transfer-Encoding: chunked")
        } else if !hasNoBody {
            lines.append("Content-Length: \(body.count)")
        }
        if isBroken || !keepsAlive { lines.append("Connection: close") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// The body as it goes out.
    func content(toHead isHead: Bool) -> [UInt8] {
        guard let head, !isHead, !hasNoBody else { return [] }
        guard isBroken, head.length ?? 0 <= body.count else { return Array(body) }
        guard !body.isEmpty else { return [] }
        var chunk = Array("\(String(body.count, radix: 16))\r\n".utf8)
        chunk += body
        return chunk + [0x0D, 0x0A]
    }

    /// True for statuses whose responses have none.
    private var hasNoBody: Bool { head.map { [204, 304].contains($0.status) } ?? true }
}

extension TapeTake.Head {
    /// Those of the connection are the server's own, and bodies are kept as they were decoded.
    private static let omitted: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "content-length", "content-encoding",
        "trailer", "te", "upgrade", "alt-svc",
    ]

    fileprivate init(status: Int, _ fields: [RequestHeaders.Field]) {
        self.status = status
        let sent = fields.first { $0.key.name.lowercased() == "date" }.flatMap { RetryAfter.date($0.value.text) }
        lines = fields.compactMap { field -> String? in
            let (name, value) = (field.key.name, field.value.text)
            // A file may hold what no server can have sent.
            guard !Self.omitted.contains(name.lowercased()), value != LogMask.mask, HeaderCheck.isToken(name),
                HeaderCheck.isValue(value)
            else { return nil }
            // A date has passed by now: what counts is the wait that it was.
            if name.lowercased() == "retry-after", let sent, let wait = RetryAfter.wait(value, now: sent) {
                return "\(name): \(wait.components.seconds)"
            }
            return "\(name): \(value)"
        }
        let length = fields.first { $0.key.name.lowercased() == "content-length" }?.value.text
        self.length = length.flatMap { Int($0) }.flatMap { (0...1 << 40).contains($0) ? $0 : nil }
    }
}

/// The speed of a tape: `10x` is ten times as fast as it was recorded, 0 waits for nothing.
struct TapeSpeed: Equatable, Sendable {
    private let factor: Double

    static let recorded = TapeSpeed(factor: 1)
    static let immediate = TapeSpeed(factor: 0)

    private init(factor: Double) { self.factor = factor }

    /// Reads `10x`, `0.5x`, `2` and `0`; nil for anything else.
    init?(_ text: String) {
        let digits = text.hasSuffix("x") ? text.dropLast() : text[...]
        guard let factor = Double(digits), factor == 0 || (0.001...100_000).contains(factor) else { return nil }
        self.factor = factor
    }

    func scaled(_ duration: Duration) -> Duration {
        factor == 0 ? .zero : factor == 1 ? duration : .milliseconds(duration.milliseconds / factor)
    }
}
