/// A secret without which a request cannot be filled in, and which can be had: a program has to run, or somebody to answer.
package struct MissingSecret: Sendable, Equatable, CustomStringConvertible {
    var name: String
    /// The flows of the request that needs it.
    var flows: [Flow] = []
    /// The reason why there is no value, as a sentence.
    package var description: String
}
