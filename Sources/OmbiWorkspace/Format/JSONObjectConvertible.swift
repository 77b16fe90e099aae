import OmbiDocument

/// A value that is an object in the collection file.
protocol JSONObjectConvertible {
    /// The known keys. Others are kept, with a warning when they look misspelt.
    static var keys: [String] { get }

    /// Reads an object; logs its errors, and puts defaults in the place of what is wrong.
    init(reading object: ObjectReader)

    /// The object with its keys in canonical order, without defaults.
    var json: JSONValue { get }
}
