/// What is said for one session and not saved: `--set NAME=VALUE`, `--retries`, `--sla`, `--timeout`.
public struct Overrides: Sendable, Equatable {
    /// Stronger than any variable or secret of the same name.
    public var variables: [Variable]
    /// Stronger than the policy of the request.
    public var policy: RequestPolicy

    public init(variables: [Variable] = [], policy: RequestPolicy = RequestPolicy()) {
        self.variables = variables
        self.policy = policy
    }
}
