/// A header that the environment adds to a request, for display.
public struct InheritedHeader: Sendable, Equatable {
    public var name: String
    /// Filled in as far as possible, secrets masked.
    public var value: String
    /// The name of the environment.
    public var environment: String
    /// False when the request has a header of that name itself, wants no authentication, or goes to another host.
    public var isSent: Bool

    public init(name: String, value: String, environment: String, isSent: Bool) {
        self.name = name
        self.value = value
        self.environment = environment
        self.isSent = isSent
    }
}
