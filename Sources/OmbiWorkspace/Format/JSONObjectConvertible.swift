import OmbiDocument

/// A value that is an object in the collection file.
protocol JSONObjectConvertible {
    /// The known keys. Others are kept, with a warning if they look misspelled.
    static var keys: [String] { get }

    /// Reads an object; logs its errors, and uses defaults for invalid members.
    init(reading object: ObjectReader)

    /// The object with its keys in canonical order, without defaults.
    var json: JSONValue { get }
}
