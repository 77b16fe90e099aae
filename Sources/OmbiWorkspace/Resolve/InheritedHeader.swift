import OmbiCore

/// A header that the environment adds to a request, for display.
public struct InheritedHeader: Sendable, Equatable {
    public var name: String
    /// Filled in as far as possible, secrets masked.
    public var value: String
    /// The name of the environment.
    public var environment: String
    /// False where `SavedRequest.takes(_:isForeign:own:)` is.
    public var isSent: Bool

    public init(name: String, value: String, environment: String, isSent: Bool) {
        self.name = name
        self.value = value
        self.environment = environment
        self.isSent = isSent
    }
}

extension SavedRequest {
    /// True for an absolute URL, which ignores the host of the environment.
    public var isAbsolute: Bool { Origin.isAbsolute(path) }

    /// Decides whether a header of the environment is sent. It goes neither to another host, nor beside a header that the
    /// request has itself, nor as credentials with a request that wants none.
    func takes(_ key: RequestHeaders.Key, isForeign: Bool, own: (RequestHeaders.Key) -> Bool) -> Bool {
        !isForeign && !own(key) && !(authentication == .noAuthentication && key == .authorization)
    }
}

extension Environment {
    /// The headers that are sent with a request, as they are written: nothing is filled in.
    public func headers(sentWith request: SavedRequest) -> [Field] {
        var own = Set(request.headers.filter(\.enabled).map { RequestHeaders.Key($0.name) })
        if request.body != nil { own.insert(.contentType) }
        if let key = request.authentication?.headerKey { own.insert(key) }
        let origin = Origin(request.path)
        // An origin with a template in it may be any.
        let isForeign = request.isAbsolute && (origin == nil || origin != Origin(host))
        return additionalHeaders.filter(\.enabled).filter {
            request.takes(.init($0.name), isForeign: isForeign, own: own.contains)
        }
    }
}
