/// Why a saved request cannot be sent as it is. `Resolver` masks the secrets in it before it leaves this module.
public struct ResolveError: Error, Sendable, Equatable {
    /// The name of the request.
    public var request: String
    /// The part at fault: `path`, `header "Accept"`, `body $.user.name`, …
    public var field: String
    /// The cause and its remedy.
    public var reason: String

    init(request: String, field: String, reason: String) {
        self.request = request
        self.field = field
        self.reason = reason
    }

    /// A field has a name, which may be a template; a reason may quote what was filled in.
    func redacted(by redactor: Redactor) -> ResolveError {
        ResolveError(request: request, field: redactor.redact(message: field), reason: redactor.redact(message: reason))
    }
}

extension ResolveError: CustomStringConvertible {
    public var description: String { "\(request): \(field): \(reason)" }
}
