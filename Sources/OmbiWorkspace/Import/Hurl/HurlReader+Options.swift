import OmbiCore

/// The options of an entry.
extension HurlReader {
    mutating func option(_ name: String, _ value: String, of request: inout SavedRequest, at offset: Int) {
        switch (name, value) {
        case ("variable", _) where value.contains("="):
            let pair = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = log.variableName(pair[0].trimmed, at: offset)
            request.variables.append(Field(name, template(pair[1].trimmed, at: offset)))
        case ("skip", "true"): request.isDisabled = true
        case ("skip", "false"): request.isDisabled = false
        case ("user", _) where value.contains(":"):
            let pair = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let (user, password) = (template(String(pair[0]), at: offset), template(String(pair[1]), at: offset))
            request.authentication = .basic(BasicAuthentication(username: user, password: password))
        case ("header", _) where HurlLine.pair(value) != nil:
            guard let pair = HurlLine.pair(value) else { return }
            let (name, text) = (template(pair.name, at: offset), template(pair.value, at: offset))
            addHeader(name, text, isResponse: false, to: &request, at: offset)
        case ("verbose", _), ("very-verbose", _), ("compressed", _), ("insecure", "false"): break
        default:
            if setPolicy(name, value, of: &request, at: offset) { return }
            if setConnection(name, value, of: &request, at: offset) { return }
            log.loss(offset, name.excerpted, "this option has no counterpart")
        }
    }

    /// Returns false for an option that is none of the policy's.
    private mutating func setPolicy(
        _ name: String, _ value: String, of request: inout SavedRequest, at offset: Int
    ) -> Bool {
        var policy = request.policy ?? RequestPolicy()
        switch name {
        case "retry":
            guard let count = Int(value), (0...1000).contains(count) else { return false }
            policy.retries = count
            // The wait that Hurl has without a word on it.
            policy.backoff = policy.backoff ?? Backoff(first: .seconds(1), factor: 1)
            log.remark(offset, name, "Hurl repeats what an assertion refuses, too")
        case "retry-interval":
            guard let wait = Self.duration(value, unit: 1) else { return false }
            policy.backoff = Backoff(first: wait, factor: 1)
        case "max-time":
            guard let limit = Self.duration(value, unit: 1000) else { return false }
            policy.timeout = limit
        default: return false
        }
        request.policy = policy
        return true
    }

    /// Returns false for an option that is none of the connection's.
    private mutating func setConnection(
        _ name: String, _ value: String, of request: inout SavedRequest, at offset: Int
    ) -> Bool {
        var connection = request.connection ?? SavedConnection()
        switch (name, value) {
        case ("location", "true"): connection.maximumRedirects = connection.maximumRedirects ?? 50
        case ("location", "false"): connection.maximumRedirects = 0
        case ("max-redirs", _) where (0...1000).contains(Int(value) ?? -1):
            connection.maximumRedirects = Int(value)
        case ("http1.1", "true"): connection.httpVersion = .http1
        case ("http2", "true"): connection.httpVersion = .http2
        case ("http3", "true"): connection.httpVersion = .http3
        case ("connect-timeout", _):
            guard let limit = Self.duration(value, unit: 1000) else { return false }
            connection.connectTimeout = limit
        case ("proxy", _):
            let proxy = template(value.contains("://") ? value : "http://" + value, at: offset)
            guard (try? ConnectionText.checkProxy(proxy)) != nil else { return false }
            connection.proxy = proxy
        default: return false
        }
        if connection != SavedConnection() { request.connection = connection }
        return true
    }

    /// Returns the duration for `2s`, or for a number of the unit.
    /// - Parameter unit: in milliseconds.
    private static func duration(_ text: String, unit: Int) -> Duration? {
        let units = ["": unit, "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000]
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), let factor = units[String(text[digits.endIndex...])],
            (1...86_400_000 / factor).contains(count)
        else { return nil }
        return .milliseconds(count * factor)
    }
}
