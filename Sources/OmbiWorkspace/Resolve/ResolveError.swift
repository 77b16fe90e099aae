/// Why a saved request cannot be sent as it is. Holds no secret.
public struct ResolveError: Error, Sendable, Equatable {
    /// The name of the request.
    public var request: String
    /// What of it: `path`, `header "Accept"`, `body $.user.name`, …
    public var field: String
    /// What is wrong and what to do.
    public var reason: String

    public init(request: String, field: String, reason: String) {
        self.request = request
        self.field = field
        self.reason = reason
    }
}

extension ResolveError: CustomStringConvertible {
    public var description: String { "\(request): \(field): \(reason)" }
}
