/// A value that is an object in the collection file.
protocol JSONObjectConvertible {
    /// The keys it knows. Others are kept, and told as a warning when they look misspelt.
    static var keys: [String] { get }

    /// Reads itself; what is wrong goes to the reader's log, with a default in its place.
    init(reading object: ObjectReader)

    /// The object in the canonical order of keys, defaults left out.
    var json: JSONValue { get }
}
