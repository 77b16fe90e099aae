/// The error of a YAML text that is not read.
struct YAMLError: Error, Sendable, Equatable {
    /// In bytes.
    var offset: Int
    var reason: String
}
