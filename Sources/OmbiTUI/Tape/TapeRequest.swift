/// A request of HTTP/1.1 (RFC 9112), as far as a tape has to know it. Anything a server might read in two ways is
/// refused.
struct TapeRequest: Equatable, Sendable {
    var method: String
    var target: TapeTarget
    var body: [UInt8] = []
    var keepsAlive = true
    /// The reason why it is not answered where no page of another site may ask; nil for none.
    var refusal: String?
    /// The fields that let the page of this machine that sent it read the response; none for programs.
    var grants: [String] = []
    /// True where a browser asks for them before it sends the request of a page.
    var isPreflight = false

    /// The meaning of the bytes of a connection so far.
    enum Reading: Equatable, Sendable {
        /// - Parameter awaitsContinue: true where the client waits for a 100 before it sends its body.
        case incomplete(awaitsContinue: Bool)
        /// - Parameter length: the number of bytes of the request.
        case complete(TapeRequest, length: Int)
        /// - Parameter status: that of the response, after which the connection ends.
        case invalid(status: Int, reason: String)
    }

    static let maximumHead = 32 << 10
    static let maximumBody = 16 << 20
    private static let maximumFields = 200

    static func read(_ bytes: [UInt8]) -> Reading {
        do throws(Problem) {
            switch HeadEnd(in: bytes.prefix(maximumHead), from: 0) {
            case .found(let end):
                let text = String(decoding: bytes[..<end], as: UTF8.self)
                let head = try ClientHead(text, maximumBody: maximumBody, tooLong: tooLong)
                return try reading(head, in: bytes, from: end + 4)
            case .bareLineFeed: throw Problem(reason: HeadEnd.bareLineFeedReason)
            case .missing:
                guard bytes.count > maximumHead else { return .incomplete(awaitsContinue: false) }
                throw Problem(status: 431, reason: "the head of the request is longer than 32 KiB")
            }
        } catch { return .invalid(status: error.status, reason: error.reason) }
    }

    private typealias Problem = ClientHead.Problem

    private init(_ head: ClientHead) throws(Problem) {
        guard let target = TapeTarget(head.target) else { throw Problem(reason: "this is no request of HTTP/1.1") }
        (method, self.target, keepsAlive) = (head.method, target, head.keepsAlive)
        refusal = PageGuard.refusal(of: head.fields)
        grants = PageGuard.grants(of: head.fields)
        isPreflight =
            method == "OPTIONS" && !grants.isEmpty && head.fields["Access-Control-Request-Method"] != nil
    }

    private static let tooLong = Problem(
        status: 413, reason: "the body of the request is longer than \(maximumBody >> 20) MiB")

    // MARK: Body

    private static func reading(_ head: ClientHead, in bytes: [UInt8], from start: Int) throws(Problem) -> Reading {
        var request = try TapeRequest(head)
        switch head.framing {
        case .length(let count):
            guard bytes.count - start >= count else { return .incomplete(awaitsContinue: head.awaitsContinue) }
            request.body = Array(bytes[start..<start + count])
            return .complete(request, length: start + count)
        case .chunked:
            guard let (body, end) = try chunks(of: bytes, from: start) else {
                return .incomplete(awaitsContinue: head.awaitsContinue)
            }
            request.body = body
            return .complete(request, length: end)
        }
    }

    /// Returns the joined chunks and the offset behind them; nil where the last one has not come.
    private static func chunks(of bytes: [UInt8], from start: Int) throws(Problem) -> (body: [UInt8], end: Int)? {
        var (body, offset) = ([UInt8](), start)
        while true {
            guard let line = try line(of: bytes, from: offset) else { return nil }
            let digits = String(decoding: line.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
            guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "f") ~= $0 }), digits.count <= 8,
                let count = Int(digits, radix: 16)
            else { throw Problem(reason: "a chunk of the request has no size") }
            offset = line.endIndex + 2
            if count == 0 { break }
            guard body.count + count <= maximumBody else { throw tooLong }
            guard bytes.count >= offset + count + 2 else { return nil }
            guard bytes[offset + count] == 0x0D, bytes[offset + count + 1] == 0x0A else {
                throw Problem(reason: "a chunk of the request is longer than its size")
            }
            body += bytes[offset..<offset + count]
            offset += count + 2
        }
        // Trailers, which nobody needs.
        for _ in 0...maximumFields {
            guard let line = try line(of: bytes, from: offset) else { return nil }
            offset = line.endIndex + 2
            if line.isEmpty { return (body, offset) }
        }
        throw Problem(status: 431, reason: "the request has more than \(maximumFields) trailers")
    }

    /// A line without its end; nil where it has not come.
    private static func line(of bytes: [UInt8], from start: Int) throws(Problem) -> ArraySlice<UInt8>? {
        let rest = bytes[min(start, bytes.count)...].prefix(maximumHead)
        guard let feed = rest.firstIndex(of: 0x0A) else {
            guard rest.count < maximumHead else { throw Problem(status: 431, reason: "a line of the body is too long") }
            return nil
        }
        guard feed > rest.startIndex, rest.firstIndex(of: 0x0D) == feed - 1 else {
            throw Problem(reason: HeadEnd.bareLineFeedReason)
        }
        return rest[..<(feed - 1)]
    }
}

/// The end of the head of a request in the bytes of a connection.
enum HeadEnd: Equatable, Sendable {
    /// The offset of the line end in front of the empty line.
    case found(Int)
    case missing
    /// A line that ends with LF alone: two servers could read it in two ways (RFC 9112 §2.2).
    case bareLineFeed

    static let bareLineFeedReason = "a line of the request does not end with CR LF"

    /// - Parameter start: an offset in front of which the head has no end.
    init(in bytes: ArraySlice<UInt8>, from start: Int) {
        var from = max(start, bytes.startIndex)
        while from < bytes.endIndex, let feed = bytes[from...].firstIndex(of: 0x0A) {
            guard feed > bytes.startIndex, bytes[feed - 1] == 0x0D else {
                self = .bareLineFeed
                return
            }
            if feed - bytes.startIndex >= 3, bytes[feed - 2] == 0x0A {
                self = .found(feed - 3)
                return
            }
            from = feed + 1
        }
        self = .missing
    }
}

/// Tells the requests of programs from those that a page of another site has a browser send: any page may send to
/// loopback, and one whose name resolves to it may read the responses.
enum PageGuard {
    /// Returns the reason to refuse a request; nil for none.
    static func refusal(of headers: RequestHeaders) -> String? {
        guard headers.values(for: "Host").allSatisfy({ isOwn($0.text) }) else {
            return "the Host is not this machine; use the URL as it was printed"
        }
        let origins = headers.values(for: "Origin").map(\.text)
        guard origins.allSatisfy(isLoopback) else {
            return "a page that this machine does not serve has sent the request; serve it from localhost"
        }
        // A page loads images and scripts without naming itself.
        guard origins.isEmpty, headers["Sec-Fetch-Site"]?.text == "cross-site",
            headers["Sec-Fetch-Mode"]?.text != "navigate"
        else { return nil }
        let referrer = headers["Referer"]?.text ?? ""
        return isLoopback(referrer) ? nil : "a page of another site has sent the request"
    }

    /// Returns the fields of a response that let a page of this machine read it (CORS); none for others.
    static func grants(of headers: RequestHeaders) -> [String] {
        guard let origin = headers["Origin"]?.text, isLoopback(origin) else { return [] }
        let asked = [
            ("Methods", headers["Access-Control-Request-Method"]),
            ("Headers", headers["Access-Control-Request-Headers"]),
        ]
        return ["Access-Control-Allow-Origin: \(origin)", "Access-Control-Allow-Credentials: true", "Vary: Origin"]
            + asked.compactMap { name, value in value.map { "Access-Control-Allow-\(name): \($0.text)" } }
    }

    /// Returns true for a Host that no foreign name server answers for: an address, a name without a dot, and the
    /// domains that are reserved for machines and private networks.
    private static func isOwn(_ host: String) -> Bool {
        guard !host.hasPrefix("[") else { return true }
        let name = name(in: host[...])
        return !name.contains(".") || TapeSocket.isAddress(name) || name.hasSuffix(".localhost")
            || name.hasSuffix(".internal")
    }

    /// Returns true for the URL of a page that this machine serves.
    private static func isLoopback(_ url: String) -> Bool {
        guard let end = url.firstRange(of: "://") else { return false }
        let authority = url[end.upperBound...].prefix { !"/?#".contains($0) }
        guard !authority.hasPrefix("[") else { return authority.hasPrefix("[::1]") }
        let name = name(in: authority)
        return name == "localhost" || name.hasSuffix(".localhost") || TapeSocket.isLoopback(name)
    }

    /// Without the port, and without the dot that ends a name.
    private static func name(in authority: Substring) -> String {
        let name = authority.prefix { $0 != ":" }.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}
