/// A secret without which a request cannot be filled in, and which can be had: a program has to run, or somebody to answer.
public struct MissingSecret: Sendable, Equatable, CustomStringConvertible {
    var name: String
    /// What would go where with it, and with all that it goes along with.
    var flows: [Flow] = []
    /// The reason why there is no value, as a sentence.
    public var description: String
}
