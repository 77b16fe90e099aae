/// A limit of the whole run, or its end: it passes or fails as a request does.
struct ReportedCheck: Equatable, Sendable {
    var name: String
    /// A sentence; nil for one that is met.
    var failure: String?
}
