/// Why an input cannot be read.
struct FilterInputError: Error, CustomStringConvertible {
    let name: String
    let reason: String

    var description: String { "cannot read \(name): \(reason)" }
}
