import OmbiDocument

/// Members of an object in a file that Ombi does not know: kept, and written back in their old positions.
public struct UnknownMembers: Sendable, Equatable {
    /// A member, and the key that stood before it; nil when it was the first.
    struct Entry: Sendable, Equatable {
        var previousKey: String?
        var member: JSONValue.Member
    }

    var entries: [Entry] = []

    /// No unknown members.
    public init() {}

    /// The keys, in the order of the file.
    public var keys: [String] { entries.map(\.member.key) }
}
