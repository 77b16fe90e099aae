import Foundation

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
