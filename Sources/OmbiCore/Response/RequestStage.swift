/// The step of a request in which it failed.
public enum RequestStage: String, Sendable, Hashable, CaseIterable {
    case creation
    case execution
    case parsing
    case validation
}
