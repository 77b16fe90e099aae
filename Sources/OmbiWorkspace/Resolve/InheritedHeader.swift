import OmbiCore

/// A header that the environment adds to a request, for display.
public struct InheritedHeader: Sendable, Equatable {
    public var name: String
    /// Filled in as far as possible, and masked.
    public var value: String
    /// The name of the environment.
    public var environment: String
    public var isSent: Bool

    public init(name: String, value: String, environment: String, isSent: Bool) {
        self.name = name
        self.value = value
        self.environment = environment
        self.isSent = isSent
    }
}

extension SavedRequest {
    /// True for a whole URL, which does not use the host of the environment.
    public var isAbsolute: Bool { Origin.isAbsolute(path) }

    /// Returns true for a header of the environment that is sent. One is not sent to another origin, beside a header that
    /// the request has itself, or as credentials of a request without authentication.
    func takes(_ key: RequestHeaders.Key, isForeign: Bool, own: (RequestHeaders.Key) -> Bool) -> Bool {
        !isForeign && !own(key) && !(authentication == .noAuthentication && key == .authorization)
    }
}

extension Environment {
    /// Returns the headers that are sent with a request, without filling in templates.
    public func headers(sentWith request: SavedRequest) -> [Field] {
        var own = Set(request.headers.filter(\.enabled).map { RequestHeaders.Key($0.name) })
        if request.body != nil { own.insert(.contentType) }
        if let key = request.authentication?.headerKey { own.insert(key) }
        let origin = Origin(request.path)
        // A template may stand for any origin.
        let isForeign = request.isAbsolute && (origin == nil || origin != Origin(host))
        return additionalHeaders.filter(\.enabled).filter {
            request.takes(.init($0.name), isForeign: isForeign, own: own.contains)
        }
    }
}
