import OmbiCore

/// The address of a server as a text: the host of an environment, or the start of a URL.
enum HostText {
    /// Checks the host of an environment, unless it has a template, which may become anything.
    @Sendable static func check(_ host: String) throws(FieldError) {
        if !host.contains("{{"), let problem = problem(with: host) { throw FieldError(problem) }
    }

    /// The reason why no request can be sent to a host; nil for one that is right.
    static func problem(with host: String) -> String? {
        var server = host
        while server.last == "/" { server.removeLast() }
        if server.isEmpty { return "the host is empty; write for example https://api.example.com" }
        guard Origin(server) != nil else { return noURL(host) }
        guard let mark = server.first(where: { $0 == "?" || $0 == "#" }) else { return nil }
        return "\"\(server)\" has a "
            + (mark == "?" ? "query; write it in the path of a request" : "fragment; remove it")
    }

    /// The problem of a text that is no URL of a server.
    static func noURL(_ text: String) -> String {
        if let end = text.firstRange(of: "://")?.lowerBound, !Origin.isAbsolute(text) {
            let scheme = text[..<end]
            if !scheme.isEmpty, scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
                return "\"\(text)\" cannot be requested; write http:// or https:// in place of \(scheme)://"
            }
        }
        if Origin.isAbsolute(text), let port = port(of: text), !(1...65_535).contains(Int(port) ?? 0) {
            return "the port \"\(port)\" of \"\(text)\" is not a number from 1 to 65535"
        }
        return "\"\(text)\" is not a URL; write for example https://api.example.com"
    }

    /// The text behind the colon of a host; nil without one.
    private static func port(of text: String) -> Substring? {
        let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        let server = text[start..<max(start, Origin.pathStart(of: text))]
        // Behind a user, and the brackets of an address.
        let end = server[(server.lastIndex { $0 == "@" || $0 == "]" } ?? start)...]
        return end.lastIndex(of: ":").map { end[end.index(after: $0)...] }
    }
}
