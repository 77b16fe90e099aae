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
