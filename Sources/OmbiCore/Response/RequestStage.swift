/// The stage in which a request failed.
public enum RequestStage: String, Sendable, Hashable, CaseIterable {
    /// Building the URL, the headers and the body.
    case creation
    /// Sending, waiting and receiving.
    case execution
    /// Decoding the body of the response.
    case parsing
    /// Validation by the request's own validator.
    case validation
}
