import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where a request goes.
extension Resolution {
    mutating func address() throws(ResolveError) -> Address {
        let filled = try filledPath()
        let isAbsolute = Origin.isAbsolute(filled)
        let pathStart = isAbsolute ? Origin.pathStart(of: filled) : filled.startIndex
        let (path, query) = Self.split(filled[pathStart...])
        let host = isAbsolute ? try foreignHost(filled[..<pathStart]) : try environmentHost()
        return Address(host: host, path: path, query: query, isForeign: isAbsolute && !isEnvironmentOrigin(host))
    }

    /// The path with its parameters put in, percent-encoded, and its templates filled in.
    private mutating func filledPath() throws(ResolveError) -> String {
        var filled = ""
        for part in PathPattern(request.path).parts {
            switch part {
            case .text(let text): filled += try fill(text, "path")
            case .parameter(let name): filled += PercentEncoding.escape(try parameter(name))
            }
        }
        return filled
    }

    private mutating func parameter(_ name: String) throws(ResolveError) -> String {
        let known = request.pathParameters.filter(\.enabled)
        guard let field = known.first(where: { $0.name == name }) else {
            let hint = Spelling.hint(for: name, in: known.map(\.name))
            throw error(
                "path", "no path parameter is named \"\(name)\"\(hint); add it, or take :\(name) out of the path")
        }
        let value = try fill(field.value, "path parameter \"\(name)\"")
        guard !value.isEmpty else { throw error("path parameter \"\(name)\"", "the value is empty") }
        return value
    }

    private func foreignHost(_ text: Substring) throws(ResolveError) -> String {
        guard Origin(String(text)) != nil else { throw error("path", Self.noAddress(String(text))) }
        return String(text)
    }

    private mutating func environmentHost() throws(ResolveError) -> String {
        guard let environment else {
            throw error("path", "it begins with no http:// or https://, and no environment is chosen")
        }
        let field = "host of the environment \(environment.name)"
        var host = try fill(environment.host, field)
        while host.last == "/" { host.removeLast() }
        guard Origin(host) != nil, !host.contains(where: { $0 == "?" || $0 == "#" }) else {
            throw error(field, Self.noAddress(host))
        }
        let pathStart = Origin.pathStart(of: host)
        return host[..<pathStart] + PercentEncoding.escapePath(String(host[pathStart...]))
    }

    private static func noAddress(_ text: String) -> String {
        "\"\(text)\" is no address; write for example https://api.example.com"
    }

    /// A host that cannot be told counts as another one, so that nothing is sent to the wrong place.
    private mutating func isEnvironmentOrigin(_ host: String) -> Bool {
        guard let own = try? environmentHost() else { return false }
        return Origin(own) == Origin(host)
    }

    /// The path with a slash in front, and what stands behind a `?`. A `#fragment` is never sent (RFC 9110 §7.1).
    private static func split(_ text: Substring) -> (path: String, query: [URLQueryItem]) {
        let text = text.prefix { $0 != "#" }
        let path = text.prefix { $0 != "?" }
        let query = text.dropFirst(path.count).dropFirst().split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return URLQueryItem(
                name: PercentEncoding.unescapeForm(parts[0]),
                value: parts.count > 1 ? PercentEncoding.unescapeForm(parts[1]) : "")
        }
        let encoded = PercentEncoding.escapePath(String(path))
        return (encoded.isEmpty || encoded.hasPrefix("/") ? encoded : "/" + encoded, query)
    }
}
