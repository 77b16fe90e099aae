/// A kind of record in the shop, so that users and orders share their routes.
protocol Record: Sendable {
    /// The body of POST, PUT and PATCH. Every field is optional; `problems` returns the missing ones.
    associatedtype Input: Decodable & Sendable

    /// The singular, for messages.
    static var kind: String { get }
    /// The query parameters that filter a list, with their conditions.
    static var filters: [String: @Sendable (Self, String) -> Bool] { get }

    var id: Int { get }
    var json: JSON { get }

    /// Creates a record. Fields missing from `input` take their defaults.
    init(id: Int, input: Input)
    /// Changes a record. Fields missing from `input` stay.
    mutating func apply(_ input: Input)
    /// Returns the problems of `input`, field by field. `complete`: no required field may be missing.
    static func problems(in input: Input, complete: Bool) -> [(String, String)]
}

extension Record {
    /// Returns the problem of a required text, if there is one.
    static func problem(_ name: String, _ value: String?, complete: Bool) -> [(String, String)] {
        switch value {
        case nil: complete ? [(name, "is missing")] : []
        case .some(let text) where text.isEmpty: [(name, "is empty")]
        case .some(let text) where text.utf8.count > 200: [(name, "is longer than 200 bytes")]
        default: []
        }
    }
}
