/// The amount that a history keeps. What is older or more goes, the oldest runs first.
public struct HistoryLimits: Equatable, Sendable {
    /// The time for which a run is kept.
    public var maximumAge: Duration
    public var maximumRuns: Int
    /// The size of the database in bytes, without the files of large bodies.
    public var maximumSize: Int
    /// The size of a body in bytes; of a larger one only the size is kept.
    public var maximumBody: Int

    public init(
        maximumAge: Duration = .seconds(90 * 86400), maximumRuns: Int = 1_000_000, maximumSize: Int = 1 << 30,
        maximumBody: Int = 16 << 20
    ) {
        self.maximumAge = maximumAge
        self.maximumRuns = maximumRuns
        self.maximumSize = maximumSize
        self.maximumBody = maximumBody
    }
}
