/// A request that cannot be built: the invalid part, and the reason.
///
/// It is the cause in `RequestError.malformedRequest` for all of Ombi's own checks. Errors of an encoder or an
/// interceptor are causes themselves.
public struct MalformedRequest: Error, Sendable, Hashable {
    /// The invalid part of a request.
    public enum Part: String, Sendable, Hashable, CaseIterable {
        /// The host of the manager.
        case host
        /// The path of the request.
        case path
        /// The whole URL, such as one set by an interceptor.
        case url
        /// The method of the request.
        case method
        /// The name or the value of a header field.
        case header
        /// The credentials of the request, of the call or of the manager.
        case authentication
        /// The limit of one attempt.
        case timeout
    }

    /// The invalid part.
    public let part: Part
    /// The problem and its remedy: a sentence in lower case without a full stop.
    public let reason: String

    /// Creates the error, for interceptors and encoders that reject a request.
    public init(_ part: Part, _ reason: String) {
        self.part = part
        self.reason = reason
    }
}

extension MalformedRequest: CustomStringConvertible {
    /// The same as `reason`.
    public var description: String { reason }
}

/// A check that rejects header fields that would change the meaning of the bytes after them (RFC 9110 §5.1 and §5.5).
///
/// A value may be of any length, and contain anything but control characters; characters outside ASCII are sent as
/// UTF-8.
package enum HeaderCheck {
    /// The syntax of a name, for error messages.
    package static let nameForm = "a header name is made of letters, digits and !#$%&'*+-.^_`|~"
    /// The reason in error messages for an invalid value.
    package static let valueReason = "the value contains a line break or another control character"

    static func check(_ headers: RequestHeaders) throws {
        for field in headers.fields {
            let name = field.key.name
            guard !name.isEmpty else { throw MalformedRequest(.header, "a header has an empty name") }
            guard isToken(name) else {
                throw MalformedRequest(.header, "\"\(name.visible)\" is not a header name")
            }
            try check(field.value.text, of: name)
        }
    }

    private static func check(_ value: String, of name: String) throws {
        if isValue(value) { return }
        let control = value.utf8.first { $0 < 0x20 && $0 != 0x09 } ?? 0x7F
        let isLineBreak = [0x0A, 0x0D, 0].contains(control)
        throw MalformedRequest(
            .header,
            "the value of the header \(name) contains a \(isLineBreak ? "line break or a zero byte" : "control character"); "
                + "remove it")
    }

    /// Returns true for text without control characters but tabs (RFC 9110 §5.5): a line break would begin another header.
    package static func isValue(_ text: String) -> Bool {
        text.allBytesSatisfy { $0 < 0x20 ? $0 == 0x09 : $0 != 0x7F }
    }

    /// Returns true for a token of RFC 9110 §5.6.2.
    package static func isToken(_ text: String) -> Bool {
        let token = PercentEncoding.Characters.token
        return !text.isEmpty && text.allBytesSatisfy { token.contains($0) }
    }
}

/// Checks that reject hosts, paths and URLs of invalid requests, and of requests other than the intended one. Pure.
enum RequestURLCheck {
    static func host(_ host: String) throws {
        guard !host.isEmpty else {
            throw MalformedRequest(.host, "the host is empty; write it as https://api.example.com")
        }
        guard Origin.isAbsolute(host), !Origin.isWebSocket(host) else {
            throw MalformedRequest(
                .host,
                "the host \"\(shown(host))\" does not begin with http:// or https://; "
                    + "write it as https://api.example.com")
        }
        guard !host.utf8.contains(UInt8(ascii: "#")) else {
            throw MalformedRequest(.host, "the host \"\(shown(host))\" contains a \"#\", which ends a URL; remove it")
        }
        let authority = host[Origin.authority(of: host)]
        let at = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
        let name = at.map { authority[authority.utf8.index(after: $0)...] } ?? authority
        guard let first = name.utf8.first, first != UInt8(ascii: ":") else {
            let scheme = host.prefix { $0 != "/" }
            throw MalformedRequest(.host, "the host \"\(shown(host))\" has no name after \(scheme)//")
        }
        let isPlain = authority.utf8.allSatisfy(PercentEncoding.Characters.path.contains)
        guard isPlain || authority.unicodeScalars.allSatisfy(belongsInAuthority) else {
            throw MalformedRequest(
                .host, "the host \"\(shown(host))\" contains a character that no host name has")
        }
        if !isPlain, let scalar = HostName.replaced(in: name) {
            throw MalformedRequest(.host, "the host \"\(shown(host))\" contains " + HostName.reason(scalar))
        }
        try brackets(name, host: host)
        try port(name, host: host)
    }

    /// Throws for brackets around anything but an IPv6 address, which may have a zone.
    private static func brackets(_ name: Substring, host: String) throws {
        let bytes = name.utf8
        guard bytes.contains(UInt8(ascii: "[")) || bytes.contains(UInt8(ascii: "]")) else { return }
        let parts = name.dropFirst().split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
        let address = parts[0].prefix { $0 != "%" }
        let isAddress = address.contains(":") && address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        guard name.hasPrefix("["), parts.count == 2, isAddress, parts[1].isEmpty || parts[1].hasPrefix(":") else {
            throw MalformedRequest(.host, "the host \"\(shown(host))\" has brackets around no IPv6 address")
        }
    }

    /// Returns the text for a message, without a password: messages appear in logs and on screens.
    private static func shown(_ text: String) -> String { LogMask.url(text).visible }

    private static func belongsInAuthority(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && !scalar.isControl && !"{}<>\"\\^`|".unicodeScalars.contains(scalar)
    }

    private static func port(_ name: Substring, host: String) throws {
        let bracket = name.utf8.lastIndex(of: UInt8(ascii: "]"))
        let afterAddress = bracket.map { name[name.utf8.index(after: $0)...] } ?? name
        guard let colon = afterAddress.utf8.lastIndex(of: UInt8(ascii: ":")) else { return }
        let port = afterAddress[afterAddress.utf8.index(after: colon)...]
        guard port.utf8.allSatisfy(\.isASCIIDigit), let number = Int(port),
            (1...65_535).contains(number)
        else {
            throw MalformedRequest(
                .host, "the port \"\(port.visible)\" of the host \"\(shown(host))\" is not a number from 1 to 65535")
        }
    }

    /// Throws for a path that is a URL itself (RFC 3986 §4.2): below the manager's host, it would not lead to its own
    /// host.
    static func relative(_ path: String) throws {
        guard hasScheme(path.utf8.drop { $0 == 0x20 }) else { return }
        throw MalformedRequest(
            .path,
            "the path \"\(shown(path))\" is a URL of its own; make a RequestManager for that host, "
                + "or begin the path with one slash")
    }

    /// Returns true for a letter, then letters, digits, `+`, `-` and `.`, then a colon (RFC 3986 §3.1).
    private static func hasScheme(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first, first.isASCIILetter else { return false }
        return text.first { !PercentEncoding.Characters.scheme.contains($0) } == 0x3A
    }

    /// Returns true if a path needs no escapes and no further checks.
    static func isPlain(_ path: String) -> Bool {
        var length = 0
        var dots = 0
        for byte in path.utf8 {
            guard PercentEncoding.Characters.path.contains(byte) else { return false }
            if byte == 0x2F {
                if dots == length, (1...2).contains(dots) { return false }
                (length, dots) = (0, 0)
            } else {
                length += 1
                if byte == 0x2E { dots += 1 }
            }
        }
        return dots != length || !(1...2).contains(dots)
    }

    /// Checks `path`, which joins the path of the host and the one of the request; `written` is only the latter, for
    /// the message.
    ///
    /// A control character usually comes from pasted text. `.` and `..` are resolved by some libraries and servers and
    /// not by others (RFC 3986 §5.2.4), so the request might go to another path.
    static func path(_ path: Substring, written: String) throws {
        if let control = path.unicodeScalars.first(where: \.isControl) {
            let escape = PercentEncoding.escape(String(control))
            throw MalformedRequest(
                .path,
                "the path \"\(written.visible)\" contains a control character; remove it, or write \(escape) for it")
        }
        if let segment = path.split(separator: "/").first(where: { $0 == "." || $0 == ".." }) {
            throw MalformedRequest(
                .path, "the path \"\(written)\" contains the segment \"\(segment)\"; write the path that it leads to")
        }
    }

    /// Checks the final URL, whatever its source.
    static func url(_ url: URL) throws {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
            throw MalformedRequest(
                .url, "the URL \"\(shown(url.absoluteString))\" does not begin with http:// or https://")
        }
        guard let host = url.host(), !host.isEmpty else {
            throw MalformedRequest(.url, "the URL \"\(shown(url.absoluteString))\" names no host")
        }
    }
}

extension Unicode.Scalar {
    /// True for C0, DEL and C1: the general category Cc, which never changes.
    var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}

extension StringProtocol {
    /// The text with escaped control characters: "a\nb".
    package var visible: String {
        unicodeScalars.map { $0.isControl ? $0.escaped(asASCII: true) : String($0) }.joined()
    }
}
