extension SavedRequest {
    /// Returns the request with a path below the host of an environment; nil if its URL leads elsewhere.
    public func relative(to environment: Environment) -> SavedRequest? {
        var host = environment.host[...]
        while host.last == "/" { host.removeLast() }
        let target = target
        guard !host.isEmpty, target.isURL, target.text.hasPrefix(host) else { return nil }
        let rest = target.text.dropFirst(host.count)
        guard rest.isEmpty || rest.first == "/" || rest.first == "?" else { return nil }
        var request = self
        request.path = rest.isEmpty ? "/" : String(rest)
        return request
    }
}
