/// The meaning of the URL of a request: a URL of its own, or a path below the host of the environment.
///
/// It is decided here for what is typed, pasted, imported, read from files, checked and sent. As with curl, `host:port`,
/// `localhost`, `[::1]` and a domain name need no scheme; as with HTTPie, `:port` is one of this machine. A text that
/// is evidently meant as another URL has a problem, and is not sent: as a path it would go to the host of the
/// environment, with its credentials.
package struct RequestTarget: Sendable, Equatable {
    /// Without white space around it. A URL of its own has its scheme.
    package let text: String
    /// True for a URL of its own.
    package let isURL: Bool
    /// The reason why it cannot be sent; nil for one that can.
    package let problem: String?

    /// - Parameter written: text whose templates may be filled in or not.
    package init(_ written: String) {
        let text = Self.trimmed(written)
        switch Self.form(of: text) {
        case .path: (self.text, isURL, problem) = (text, false, nil)
        case .url(let url): (self.text, isURL, problem) = (url, true, Self.problem(ofServerIn: url))
        case .invalid(let reason): (self.text, isURL, problem) = (text, false, reason)
        }
    }

    private enum Form {
        case path
        case url(String)
        case invalid(String)
    }

    private static func form(of text: String) -> Form {
        // Most texts are paths.
        guard let first = text.utf8.first, !text.hasPrefix("{{") else { return .path }
        if text.utf8.contains(UInt8(ascii: " ")), let reason = requestLine(in: text) { return .invalid(reason) }
        if "/?#".utf8.contains(first) { return missingScheme(in: text).map(Form.invalid) ?? .path }
        if Origin.isAbsolute(text) { return .url(text) }
        if let reason = misspelling(in: text) { return .invalid(reason) }
        if isOfThisMachine(text) { return .url("http://localhost" + text) }
        let authority = text.prefix { !"/?#".contains($0) }
        // A user may come first; `@scope/name` has none.
        guard let server = authority.split(separator: "@", omittingEmptySubsequences: false).last,
            !authority.hasPrefix("@"), isServer(server)
        else { return .path }
        return .url("http://" + text)
    }

    /// Returns the host of an environment as it is sent: without white space around it, and with a scheme before
    /// `host:port`. Other names stay as they are written, as the one who wrote them may have meant https.
    static func host(_ written: String) -> String {
        let text = trimmed(written)
        guard text.contains(":"), !Origin.isAbsolute(text) else { return text }
        let target = RequestTarget(text)
        return target.isURL && target.problem == nil ? target.text : text
    }

    // MARK: Misspelled URLs

    private static let schemes = ["http", "https", "ws", "wss"]
    private static let advice = "; write for example https://api.example.com/path"

    /// The beginnings of URLs that have no `//`.
    private static let otherSchemes = ["mailto:", "javascript:", "file:/", "about:blank"]

    /// The problem of `//a.test/x`, which a page gives its own scheme; nil for a path.
    private static func missingScheme(in text: String) -> String? {
        guard text.hasPrefix("//"), isServer(text.dropFirst(2).prefix { !"/?#".contains($0) }) else { return nil }
        return "\"\(text)\" has no scheme; write https:\(text), or one slash for a path"
    }

    /// The problem of `GET /x` and `/x HTTP/1.1`: a URL is one part of them.
    private static func requestLine(in text: String) -> String? {
        let words = text.split(separator: " ")
        guard words.count > 1, let first = words.first, let last = words.last else { return nil }
        let isMethod = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].contains(first)
        if isMethod, words[1].hasPrefix("/") || words[1].hasPrefix("{{") || words[1].contains("://") {
            return "the URL begins with \(first), which is the method; remove it"
        }
        let isVersion = last.hasPrefix("HTTP/") && last.dropFirst(5).first?.isNumber ?? false
        return isVersion && !text.contains("?") ? "the URL ends with \(last); remove it" : nil
    }

    private static func misspelling(in text: String) -> String? {
        if let mark = text.firstRange(of: "://"), !text[..<mark.lowerBound].contains(where: { "/?#".contains($0) }),
            !text[..<mark.lowerBound].contains("{{")
        {
            let scheme = text[..<mark.lowerBound]
            let isQuoted = scheme.first.map { "\"'<“‘".contains($0) } ?? false
            if isQuoted { return "the URL begins with \(scheme.prefix(1)); remove the quotation marks" }
            return HostText.noURL(String(text.prefix { !"?#".contains($0) }))
        }
        let small = text.lowercased()
        if otherSchemes.contains(where: { small.hasPrefix($0) }) { return HostText.noURL(text) }
        let word = text.prefix { $0.isLetter }
        guard schemes.contains(word.lowercased()) else { return nil }
        let rest = text[word.endIndex...]
        // Its value may have the slashes; the URL is looked at again once it is filled in.
        if rest.drop(while: { ":/".contains($0) }).hasPrefix("{{") { return nil }
        // A key beside that of the colon: `http;//`.
        let isSlip = rest.first.map { ";.,-_'".contains($0) } ?? false && rest.dropFirst().hasPrefix("//")
        return rest.hasPrefix(":") || rest.hasPrefix("//") || isSlip ? "\"\(text)\" is not a URL" + advice : nil
    }

    private static func problem(ofServerIn url: String) -> String? {
        let server = url[..<Origin.pathStart(of: url)]
        // A template or a path parameter may become any host.
        guard !server.contains("{{"), !server.contains("//:"), Origin(String(server)) == nil else { return nil }
        return HostText.noURL(String(server))
    }

    /// Drops a scheme before another one: a field that begins with `https://` has `https://http://a.test` after someone
    /// has typed a whole URL.
    package static func withoutDoubledScheme(_ text: String) -> String {
        guard let mark = text.prefix(12).firstRange(of: "://"),
            schemes.contains(text[..<mark.lowerBound].lowercased())
        else { return text }
        let rest = text[mark.upperBound...]
        let start = rest.prefix(8).lowercased()
        return schemes.contains { start.hasPrefix($0 + "://") } ? String(rest) : text
    }

    // MARK: Servers without a scheme

    /// Returns true for `:3000` and `:3000/path`.
    private static func isOfThisMachine(_ text: String) -> Bool {
        guard text.first == ":" else { return false }
        let port = text.dropFirst().prefix { !"/?#".contains($0) }
        return !port.isEmpty && port.allSatisfy { $0.isASCII && $0.isNumber }
    }

    /// Returns true for `[::1]`, `localhost`, a domain name, and for any name with a port.
    private static func isServer(_ text: Substring) -> Bool {
        if text.hasPrefix("[") { return text.contains("]") && text.contains(":") }
        let end = text.firstIndex(of: ":") ?? text.endIndex
        let host = text[..<end]
        guard !host.isEmpty, host.allSatisfy(isOfName), !schemes.contains(host.lowercased()) else { return false }
        let isKnown = isLocal(host) || isDomain(host)
        guard end < text.endIndex else { return isKnown && FileType.named(String(host)) == FileType.unknown }
        let port = text[text.index(after: end)...]
        return isKnown || port.hasPrefix("{{") || !port.isEmpty && port.allSatisfy { $0.isASCII && $0.isNumber }
    }

    private static func isOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "-_.。．｡".contains(character)
    }

    private static func isLocal(_ host: Substring) -> Bool {
        host.lowercased() == "localhost" || host.lowercased().hasSuffix(".localhost")
    }

    /// Returns true for an IPv4 address and for labels of which the last is a word: not for `v1.2`.
    private static func isDomain(_ host: Substring) -> Bool {
        let labels = (host.last == "." ? host.dropLast() : host)
            .split(omittingEmptySubsequences: false) { ".。．｡".contains($0) }
        guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty }), let last = labels.last else { return false }
        if labels.count == 4, labels.allSatisfy({ UInt8($0) != nil }) { return true }
        return last.count > 1 && (last.allSatisfy(\.isLetter) || last.lowercased().hasPrefix("xn--"))
    }

    // MARK: Dot segments

    /// Returns true for a path with the segments `.` or `..`.
    static func hasDotSegments(_ path: String) -> Bool {
        path.utf8.contains(UInt8(ascii: ".")) && path.split(separator: "/").contains { $0 == "." || $0 == ".." }
    }

    /// Resolves the segments `.` and `..` of a path that begins with a slash (RFC 3986 §5.2.4), as curl does.
    static func withoutDotSegments(_ path: String) -> String {
        guard hasDotSegments(path) else { return path }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        var kept: [Substring] = []
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                if kept.count > 1 { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return kept.joined(separator: "/")
    }

    /// Resolves the dot segments of a path with a query, also those whose dots are percent-encoded, as servers decode them.
    package static func belowRoot(_ target: String) -> String {
        let path = target.prefix { $0 != "?" }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
            let plain = String(segment).replacing("%2e", with: ".").replacing("%2E", with: ".")
            return plain == "." || plain == ".." ? plain : String(segment)
        }
        return withoutDotSegments(segments.joined(separator: "/")) + String(target[path.endIndex...])
    }

    /// Resolves the dot segments of a path below a host, which may lead above the path of the host.
    static func withoutDotSegments(host: String, path: String) -> (host: String, path: String) {
        let start = Origin.pathStart(of: host)
        let base = String(host[start...])
        guard hasDotSegments(path) || hasDotSegments(base) else { return (host, path) }
        let whole = withoutDotSegments(base + path)
        let isBelow = !hasDotSegments(base) && (whole == base || whole.hasPrefix(base + "/"))
        return isBelow ? (host, String(whole.dropFirst(base.count))) : (String(host[..<start]), whole)
    }

    /// Drops white space at both ends, and what shows as nothing, as byte order marks and the marks of a direction do.
    static func trimmed(_ text: String) -> String {
        guard text.first.map(isBlank) ?? false || text.last.map(isBlank) ?? false else { return text }
        let start = text.drop(while: isBlank)
        return String(start.reversed().drop(while: isBlank).reversed())
    }

    private static func isBlank(_ character: Character) -> Bool {
        if character.isASCII { return character.isWhitespace }
        return character.isWhitespace
            || character.unicodeScalars.allSatisfy {
                $0.properties.isDefaultIgnorableCodePoint || $0.properties.generalCategory == .format
            }
    }
}
