extension Environment {
    /// Returns the host for a typed text, which needs no scheme where a URL needs none. It may be invalid.
    public static func host(from written: String) -> String {
        let target = RequestTarget(RequestTarget.withoutDoubledScheme(written))
        let hasScheme = target.isURL || target.problem != nil
        // A name alone, which would be a path as a URL, is a server here; a template may have the scheme.
        let isName = !hasScheme && !target.text.isEmpty && !["/", "{{"].contains { target.text.hasPrefix($0) }
        return isName ? "http://" + target.text : target.text
    }
}

extension SavedRequest {
    /// The meaning of the path as it is written.
    public var target: RequestTarget { RequestTarget(path) }

    /// True for a whole URL, which does not use the host of the environment.
    public var isAbsolute: Bool { target.isURL }
}
