/// A reader of the response to an opening handshake, in any portions. It also reads the body of a refusal, for the
/// error.
struct HandshakeReader {
    enum Progress {
        case incomplete
        /// The bytes after the head belong to the first frames.
        case accepted(ResponseHead, subprotocol: String?, rest: Data)
        case refused(WebSocketError)
    }

    private enum Stage {
        case head
        case refusal(WebSocketRefusal, RefusalBody)
    }

    private let handshake: OpeningHandshake
    private var stage = Stage.head
    private var head = ResponseHeadParser()
    /// The current line, still incomplete.
    private var line = Data()
    private var headBytes = 0

    /// The limit for all heads together, interim responses (1xx) included.
    private static let maximumHeadBytes = 64 << 10

    init(_ handshake: OpeningHandshake) { self.handshake = handshake }

    private var server: String { handshake.request.url.server }

    mutating func read(_ bytes: Data) -> Progress {
        switch stage {
        case .head: readHead(bytes)
        case .refusal(let refusal, var body):
            readBody(&body, bytes, refusal)
        }
    }

    /// Returns the error at the end of the connection or at a timeout: a refusal with the part that has arrived, if
    /// any.
    func end(_ error: TransportError) -> WebSocketError {
        guard case .refusal(let refusal, let body) = stage else { return .connectionError(error) }
        return self.error(refusal, body)
    }

    private mutating func readHead(_ bytes: Data) -> Progress {
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            line.append(rest[..<end])
            headBytes += end - rest.startIndex
            rest = rest[end...]
            guard headBytes <= Self.maximumHeadBytes else {
                return malformed("sent a header larger than \(Self.maximumHeadBytes) bytes")
            }
            if let problem = problem(with: line) { return malformed(problem) }
            guard line.last == 0x0A else { break }
            // The bytes after a 101 are not HTTP, whatever they are.
            let isComplete = line.withUnsafeBytes { head.add($0) } || head.statusCode == 101 && line.first ?? 0 < 0x20
            line = Data()
            if let problem = head.problem { return malformed("answered with a response that \(problem)") }
            if isComplete { return headEnded(Data(rest)) }
        }
        return .incomplete
    }

    /// Also checks an incomplete line, to detect protocols other than HTTP at once.
    private func problem(with line: Data) -> String? {
        if head.statusCode == 0 || head.isComplete {
            let isHTTP = line.starts(with: Data("HTTP/1.".utf8).prefix(line.count))
            return isHTTP ? nil : "did not answer in HTTP/1.1"
        }
        guard line.last == 0x0A, line.count > 2 || line.first.map({ $0 > 0x20 }) == true else { return nil }
        let isField =
            line.first.map { $0 > 0x20 && $0 != UInt8(ascii: ":") } == true && line.contains(UInt8(ascii: ":"))
        return isField || line.starts(with: Data("HTTP/1.".utf8)) ? nil : "sent a header line that is none"
    }

    private mutating func headEnded(_ rest: Data) -> Progress {
        guard (100..<600).contains(head.statusCode) else { return malformed("answered without a status") }
        do throws(WebSocketRefusal) {
            let subprotocol = try handshake.subprotocol(acceptedBy: head)
            let accepted = ResponseHead(
                url: handshake.request.url, statusCode: head.statusCode, headers: head.headers)
            return .accepted(accepted, subprotocol: subprotocol, rest: rest)
        } catch {
            var body = RefusalBody(of: head)
            return readBody(&body, rest, error)
        }
    }

    private mutating func readBody(
        _ body: inout RefusalBody, _ bytes: Data, _ refusal: WebSocketRefusal
    ) -> Progress {
        body.read(bytes)
        stage = .refusal(refusal, body)
        return body.isComplete ? .refused(error(refusal, body)) : .incomplete
    }

    private func error(_ refusal: WebSocketRefusal, _ body: RefusalBody) -> WebSocketError {
        .refused(
            "\(server) \(refusal.reason)",
            TransportResponse(
                url: handshake.request.url, headers: head.headers, statusCode: head.statusCode, body: body.bytes))
    }

    private func malformed(_ what: String) -> Progress {
        .refused(.connectionError(TransportError(code: .malformedResponse, message: "\(server) \(what)")))
    }
}

/// The body of a response that refuses a WebSocket, framed as stated in its head (RFC 9112 §6), up to a limit.
struct RefusalBody {
    private enum Framing {
        case length(Int)
        case chunked(missing: Int)
        case untilEnd
    }

    private(set) var bytes = Data()
    private(set) var isComplete = false
    private var framing: Framing
    /// The bytes of a chunked body that are not parsed yet.
    private var pending = Data()

    private static let maximumBytes = 64 << 10
    private static let maximumChunkLine = 256

    init(of head: ResponseHeadParser) {
        let coding = head.headers["Transfer-Encoding"]?.text.lowercased()
        if [101, 204, 304].contains(head.statusCode) {
            framing = .length(0)
        } else if coding == "chunked" {
            framing = .chunked(missing: 0)
        } else if coding == nil, let length = head.headers[.contentLength].flatMap({ Int($0.text) }), length >= 0 {
            framing = .length(length)
        } else {
            framing = .untilEnd
        }
    }

    mutating func read(_ data: Data) {
        switch framing {
        case .length(let length):
            append(data.prefix(length - bytes.count))
            isComplete = isComplete || bytes.count == length
        case .untilEnd: append(data)
        case .chunked(let missing): readChunks(data, missing: missing)
        }
    }

    private mutating func append(_ data: Data) {
        bytes.append(data.prefix(Self.maximumBytes - bytes.count))
        if bytes.count == Self.maximumBytes { isComplete = true }
    }

    /// Reads chunks. A violation ends the body there: the refusal matters, not its page.
    private mutating func readChunks(_ data: Data, missing: Int) {
        pending.append(data)
        var missing = missing
        while !isComplete, !pending.isEmpty {
            if missing > 2 {
                let count = min(missing - 2, pending.count)
                append(pending.prefix(count))
                pending = Data(pending.dropFirst(count))
                missing -= count
            } else if missing > 0 {
                pending = Data(pending.dropFirst())
                missing -= 1
            } else {
                guard let line = pending.firstIndex(of: 0x0A) else {
                    isComplete = pending.count > Self.maximumChunkLine
                    break
                }
                missing = chunkLength(pending[..<line]) ?? 0
                pending = Data(pending[(line + 1)...])
                isComplete = missing == 0
            }
        }
        framing = .chunked(missing: missing)
    }

    /// Returns the bytes of the chunk and its line break; nil for the last chunk, and for an invalid one.
    private func chunkLength(_ line: Data) -> Int? {
        let digits = String(decoding: line.prefix { $0 != UInt8(ascii: ";") && $0 > 0x20 }, as: UTF8.self)
        guard let length = Int(digits, radix: 16), length > 0, length < Int.max - 2 else { return nil }
        return length + 2
    }
}
