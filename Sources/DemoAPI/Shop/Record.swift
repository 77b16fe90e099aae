import Foundation

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

/// A customer of the shop.
struct User: Record {
    struct Input: Decodable, Sendable {
        var name: String?
        var email: String?
        var city: String?
        var active: Bool?
    }

    static let kind = "user"
    static let filters: [String: @Sendable (User, String) -> Bool] = [
        "name": { $0.name.lowercased().contains($1.lowercased()) },
        "city": { $0.city.caseInsensitiveCompare($1) == .orderedSame },
        "active": { String($0.active) == $1 },
    ]

    let id: Int
    var name = ""
    var email = ""
    var city = "Berlin"
    var active = true

    init(id: Int, input: Input) {
        self.id = id
        apply(input)
    }

    mutating func apply(_ input: Input) {
        name = input.name ?? name
        email = input.email ?? email
        city = input.city ?? city
        active = input.active ?? active
    }

    static func problems(in input: Input, complete: Bool) -> [(String, String)] {
        var problems = problem("name", input.name, complete: complete)
        problems += problem("email", input.email, complete: complete)
        if let email = input.email, !email.isEmpty, !email.contains("@") { problems.append(("email", "has no @")) }
        if input.city != nil { problems += problem("city", input.city, complete: false) }
        return problems
    }

    var members: [(String, JSON)] {
        [
            ("id", .integer(id)), ("name", .string(name)), ("email", .string(email)), ("city", .string(city)),
            ("active", .bool(active)),
        ]
    }

    var json: JSON { .object(members) }
}

/// An order placed by a user.
struct Order: Record {
    struct Input: Decodable, Sendable {
        var userId: Int?
        var item: String?
        var quantity: Int?
        var price: Double?
        var status: String?
    }

    static let kind = "order"
    static let statuses = ["open", "paid", "shipped", "returned"]
    static let filters: [String: @Sendable (Order, String) -> Bool] = [
        "userId": { String($0.userID) == $1 },
        "status": { $0.status == $1 },
    ]

    let id: Int
    var userID = 0
    var item = ""
    var quantity = 1
    var price = 0.0
    var status = "open"

    init(id: Int, input: Input) {
        self.id = id
        apply(input)
    }

    mutating func apply(_ input: Input) {
        userID = input.userId ?? userID
        item = input.item ?? item
        quantity = input.quantity ?? quantity
        price = input.price ?? price
        status = input.status ?? status
    }

    static func problems(in input: Input, complete: Bool) -> [(String, String)] {
        var problems: [(String, String)] = []
        if complete && input.userId == nil { problems.append(("userId", "is missing")) }
        problems += problem("item", input.item, complete: complete)
        if let quantity = input.quantity, !(1...1000).contains(quantity) {
            problems.append(("quantity", "must be from 1 to 1000"))
        }
        if let price = input.price, !(0...1_000_000).contains(price) {
            problems.append(("price", "must be from 0 to 1000000"))
        }
        if let status = input.status, !statuses.contains(status) {
            problems.append(("status", "must be one of \(statuses.joined(separator: ", "))"))
        }
        return problems
    }

    var json: JSON {
        .object([
            ("id", .integer(id)), ("userId", .integer(userID)), ("item", .string(item)),
            ("quantity", .integer(quantity)), ("price", .number(price)), ("status", .string(status)),
        ])
    }
}
