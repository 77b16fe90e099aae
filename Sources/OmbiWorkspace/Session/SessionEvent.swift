import OmbiCore

/// A step of a run, with every secret masked.
public enum SessionEvent: Equatable, Sendable {
    /// The request, before it is sent.
    case prepared(PreparedRequest)
    /// A step of the engine other than a redirect, whose target `PreparedRequest.redirectedTo` has.
    case step(RequestEvent)
    /// A page to open, while the run waits for a token; nil once the sign-in is over.
    case signIn(SignIn?)
    /// A step of a request that is sent first, before this one is prepared.
    indirect case dependency(DependencyEvent)
    /// A later page is requested: its number, and that of all pages.
    case page(PageSummary)
    /// The values that were captured from the response; secret ones are masked.
    case captured([CapturedValue])
    /// The last event of every run.
    case ended(SessionResult)
}
