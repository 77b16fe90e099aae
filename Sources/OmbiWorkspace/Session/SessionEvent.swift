import OmbiCore

/// A step of a run, with every secret masked.
public enum SessionEvent: Equatable, Sendable {
    /// Everything is filled in, and nothing has been sent yet.
    case prepared(PreparedRequest)
    /// A step of the engine. Redirects are not among them: `PreparedRequest.redirectedTo` has where they led.
    case step(RequestEvent)
    /// Values were taken out of the response, under these names.
    case captured([String])
    /// The last event of every run.
    case ended(SessionResult)
}
