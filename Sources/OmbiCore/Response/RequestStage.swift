/// The step of a request in which it failed.
public enum RequestStage: String, Sendable, Hashable, CaseIterable {
    /// Making the URL, the headers and the body.
    case creation
    /// Sending, waiting and receiving.
    case execution
    /// Decoding the body of the response.
    case parsing
    /// The request's own validator.
    case validation
}
