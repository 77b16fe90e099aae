/// A kind of thing that the shop keeps, so that users and orders share their routes.
protocol Record: Sendable {
    /// The body of POST, PUT and PATCH. Every field is optional; `problems` says which ones are missing.
    associatedtype Input: Decodable & Sendable

    /// The singular, for messages.
    static var kind: String { get }
    /// The query parameters that narrow a list, and how.
    static var filters: [String: @Sendable (Self, String) -> Bool] { get }

    var id: Int { get }
    var json: JSON { get }

    /// What `input` leaves out takes its default.
    init(id: Int, input: Input)
    /// What `input` leaves out stays.
    mutating func apply(_ input: Input)
    /// What is wrong with `input`, field by field. `complete`: nothing that is required may be missing.
    static func problems(in input: Input, complete: Bool) -> [(String, String)]
}

extension Record {
    /// The problem of a text that is required, where there is one.
    static func problem(_ name: String, _ value: String?, complete: Bool) -> [(String, String)] {
        switch value {
        case nil: complete ? [(name, "is missing")] : []
        case .some(let text) where text.isEmpty: [(name, "is empty")]
        case .some(let text) where text.utf8.count > 200: [(name, "is longer than 200 bytes")]
        default: []
        }
    }
}
