/// The opening handshake of a client (RFC 6455 §4.1): the request, and the check of the server's response.
struct OpeningHandshake: Sendable {
    let request: TransportRequest
    private let subprotocols: [String]
    private let key: HandshakeKey

    init(_ request: TransportRequest, subprotocols: [String], key: HandshakeKey) throws(MalformedRequest) {
        self.request = request
        self.subprotocols = subprotocols
        self.key = key
        guard request.method == .get, request.body == nil, request.bodyStream == nil else {
            throw MalformedRequest(.method, "a WebSocket opens with GET and without a body (RFC 6455 section 4.1)")
        }
        if let field = request.headers.fields.first(where: { Self.ownFields.contains($0.key) }) {
            let advice = field.key == Self.subprotocol ? "name it in WebSocketOptions.subprotocols" : "leave it out"
            throw MalformedRequest(.header, "the header \(field.key) belongs to the opening handshake; \(advice)")
        }
        try check(subprotocols)
    }

    private func check(_ names: [String]) throws(MalformedRequest) {
        for (index, name) in names.enumerated() {
            guard HeaderCheck.isToken(name) else {
                throw MalformedRequest(.header, "\"\(name.visible)\" is not the name of a subprotocol")
            }
            guard !names[..<index].contains(name) else {
                throw MalformedRequest(.header, "the subprotocol \(name) is offered twice")
            }
        }
    }

    private static let subprotocol: RequestHeaders.Key = "Sec-WebSocket-Protocol"
    private static let accept: RequestHeaders.Key = "Sec-WebSocket-Accept"
    private static let extensions: RequestHeaders.Key = "Sec-WebSocket-Extensions"
    private static let ownFields: Set<RequestHeaders.Key> = [
        subprotocol, accept, extensions, "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Upgrade", "Connection",
        "Transfer-Encoding", "Expect", .contentLength,
    ]

    /// The request as sent, without `Accept-Encoding`: the body of a refusal is not decoded.
    var bytes: Data {
        var lines = ["GET \(target) HTTP/1.1", "Host: \(request.headers[.host]?.text ?? authority)"]
        lines += [
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: \(key.text)", "Sec-WebSocket-Version: 13",
        ]
        if !subprotocols.isEmpty { lines.append("\(Self.subprotocol): \(subprotocols.joined(separator: ", "))") }
        if request.headers[.authorization] == nil, let credentials = credentialsInURL {
            lines.append("Authorization: \(credentials)")
        }
        for field in request.headers.fields where ![.host, .acceptEncoding].contains(field.key) {
            lines.append("\(field.key.name): \(field.value.text)")
        }
        return Data((lines + ["", ""]).joined(separator: "\r\n").utf8)
    }

    private var target: String {
        let address = request.url.absoluteString
        let target = address[Origin.pathStart(of: address)...].prefix { $0 != "#" }
        return target.first == "/" ? String(target) : "/" + target
    }

    /// The host and the port, as in the URL, without credentials.
    private var authority: String {
        let address = request.url.absoluteString
        let authority = address[Origin.authority(of: address)]
        return String(authority.split(separator: "@", omittingEmptySubsequences: false).last ?? "")
    }

    private var credentialsInURL: String? {
        request.url.user(percentEncoded: false).flatMap { user in
            let password = request.url.password(percentEncoded: false) ?? ""
            return RequestAuthentication.basic(username: user, password: password).headerValue?.text
        }
    }

    /// Throws a `WebSocketRefusal` if the response does not accept this handshake.
    /// - Returns: The subprotocol chosen by the server.
    func subprotocol(acceptedBy head: ResponseHeadParser) throws(WebSocketRefusal) -> String? {
        guard head.statusCode == 101 else { throw WebSocketRefusal("refused the WebSocket: \(words(head))") }
        guard head.httpVersion == "1.1" else {
            throw WebSocketRefusal("switched protocols in HTTP/\(head.httpVersion ?? "?"), which has no WebSocket")
        }
        guard tokens("Upgrade", of: head) == ["websocket"] else {
            throw WebSocketRefusal("switched protocols, but not to WebSocket (Upgrade)")
        }
        guard tokens("Connection", of: head).contains("upgrade") else {
            throw WebSocketRefusal("switched protocols, but not this connection (Connection)")
        }
        let accepts = head.headers.values(for: Self.accept).map(\.text)
        guard accepts == [key.accept] else {
            throw WebSocketRefusal("accepted another handshake than this one (Sec-WebSocket-Accept)")
        }
        guard head.headers.values(for: Self.extensions).allSatisfy({ $0.text.isEmpty }) else {
            throw WebSocketRefusal("uses an extension that was not offered (Sec-WebSocket-Extensions)")
        }
        return try chosenSubprotocol(head)
    }

    private func chosenSubprotocol(_ head: ResponseHeadParser) throws(WebSocketRefusal) -> String? {
        let chosen = head.headers.values(for: Self.subprotocol).map(\.text)
        guard let name = chosen.first else { return nil }
        guard chosen.count == 1, subprotocols.contains(name) else {
            let names = chosen.joined(separator: ", ").visible
            throw WebSocketRefusal("chose the subprotocol \"\(names)\", which was not offered")
        }
        return name
    }

    /// Returns "403 Forbidden", with the target of a redirect, since none is followed.
    private func words(_ head: ResponseHeadParser) -> String {
        let status = StatusCode.words(head.statusCode)
        guard (300..<400).contains(head.statusCode), let target = head.headers[.location]?.text else { return status }
        return "\(status), to \(LogMask.url(target, hiding: request.sensitiveQueryNames).visible)"
    }

    private func tokens(_ key: RequestHeaders.Key, of head: ResponseHeadParser) -> [String] {
        head.headers.values(for: key).flatMap { $0.text.split(separator: ",") }
            .map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }
    }
}

/// The reason why a response does not accept a handshake: the rest of a sentence that starts with the name of the
/// server.
struct WebSocketRefusal: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// The key of one opening handshake, and the value that proves that the server has read it (RFC 6455 §4.2.2). Neither
/// is a security measure.
struct HandshakeKey: Sendable {
    /// The value of `Sec-WebSocket-Key`.
    let text: String
    /// The value of `Sec-WebSocket-Accept`.
    let accept: String

    /// - Parameter text: 16 random bytes in Base64.
    init(_ text: String) {
        self.text = text
        accept = Data(SHA1.hash(Array((text + Self.suffix).utf8))).base64EncodedString()
    }

    static func random() -> HandshakeKey {
        HandshakeKey(Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString())
    }

    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
}

/// SHA-1 (FIPS 180-4) for the opening handshake of a WebSocket, where it is no security measure. Authenticators hash with
/// OmbiAuthentication's functions.
enum SHA1 {
    /// Returns the 20 bytes of the hash.
    static func hash(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        var bytes = message + [0x80]
        bytes += [UInt8](repeating: 0, count: (120 - bytes.count % 64) % 64)
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> (56 - 8 * $0)) }
        for start in stride(from: 0, to: bytes.count, by: 64) { add(bytes[start..<start + 64], to: &state) }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var words = (0..<16).map { index -> UInt32 in
            block[(block.startIndex + 4 * index)...].prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            words.append(rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (index, word) in words.enumerated() {
            let (mix, constant) = round(index, b, c, d)
            let next = rotated(a, 5) &+ mix &+ e &+ constant &+ word
            (a, b, c, d, e) = (next, a, rotated(b, 30), c, d)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }

    /// The function and the constant of a round.
    private static func round(_ index: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> (UInt32, UInt32) {
        switch index {
        case ..<20: ((b & c) | (~b & d), 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
