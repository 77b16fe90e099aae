/// The settings of a session that are not saved: `--set NAME=VALUE`, `--retries`, `--sla`, `--timeout`.
public struct Overrides: Sendable, Equatable {
    /// Override any variable or secret of the same name.
    public var variables: [Variable]
    /// Overrides the policy of the request.
    public var policy: RequestPolicy

    public init(variables: [Variable] = [], policy: RequestPolicy = RequestPolicy()) {
        self.variables = variables
        self.policy = policy
    }
}
