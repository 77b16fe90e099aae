import Foundation

/// The data of the demo API: users and their orders, the same after each start.
struct Shop: Sendable {
    let users = Table(seededUsers())
    let orders = Table(seededOrders())

    static let userCount = 60
    static let ordersPerUser = 3

    private static let firstNames = [
        "Ada", "Bruno", "Chloé", "Dmitri", "Elif", "Fatima", "Grace", "Hiroshi", "Ines", "Jürgen", "Kofi", "Lucía",
        "Mehmet", "Nora", "Olu",
    ]
    private static let lastNames = [
        "Andersson", "Björk", "Castro", "Diallo", "Eriksen", "Fischer", "García", "Hansen", "Ivanova", "Jensen",
        "Kaya", "Łukasik", "Müller",
    ]
    private static let cities = ["Berlin", "Lisbon", "Oslo", "Zürich", "Kraków", "İzmir", "Accra"]
    private static let items = ["keyboard", "lamp", "notebook", "chair", "kettle", "bicycle bell", "map of Oslo"]

    private static func seededUsers() -> [User] {
        (1...userCount).map { id in
            let name = "\(firstNames[id % firstNames.count]) \(lastNames[id % lastNames.count])"
            return User(
                id: id,
                input: User.Input(
                    name: name, email: "user\(id)@example.com", city: cities[id % cities.count], active: id % 5 != 0))
        }
    }

    private static func seededOrders() -> [Order] {
        (1...userCount * ordersPerUser).map { id in
            Order(
                id: id,
                input: Order.Input(
                    userId: (id - 1) % userCount + 1, item: items[id % items.count], quantity: id % 4 + 1,
                    price: Double(id * 175 % 9_900 + 100) / 100, status: Order.statuses[id % Order.statuses.count]))
        }
    }
}

/// The records of one kind, in the order of their IDs. They live as long as the server.
actor Table<Row: Record> {
    struct Page: Sendable {
        let rows: [Row]
        let total: Int
        let number: Int
        let count: Int
    }

    /// The maximum number of records, more than anyone creates by hand: a load test gets an error, not all the memory.
    static var capacity: Int { 10_000 }

    private var rows: [Int: Row]
    private var nextID: Int

    init(_ rows: [Row]) {
        self.rows = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        nextID = (rows.map(\.id).max() ?? 0) + 1
    }

    func read(_ id: Int) throws -> Row {
        guard let row = rows[id] else { throw APIError.notFound("\(Row.kind) \(id)") }
        return row
    }

    func create(_ input: Row.Input) throws -> Row {
        guard rows.count < Self.capacity else {
            throw APIError(status: 507, message: "the demo keeps at most \(Self.capacity) of a kind; delete some")
        }
        let row = Row(id: nextID, input: input)
        rows[nextID] = row
        nextID += 1
        return row
    }

    func replace(_ id: Int, _ input: Row.Input) throws -> Row {
        _ = try read(id)
        let row = Row(id: id, input: input)
        rows[id] = row
        return row
    }

    func update(_ id: Int, _ input: Row.Input) throws -> Row {
        var row = try read(id)
        row.apply(input)
        rows[id] = row
        return row
    }

    func delete(_ id: Int) throws {
        guard rows.removeValue(forKey: id) != nil else { throw APIError.notFound("\(Row.kind) \(id)") }
    }

    func deleteAll(where condition: @Sendable (Row) -> Bool) {
        rows = rows.filter { !condition($0.value) }
    }

    func all(where condition: @Sendable (Row) -> Bool) -> [Row] {
        rows.values.filter(condition).sorted { $0.id < $1.id }
    }

    /// Returns a page, counted from 1. A page past the last one is empty.
    func page(_ number: Int, limit: Int, where condition: @Sendable (Row) -> Bool) -> Page {
        let found = all(where: condition)
        let rows = Array(found.dropFirst((number - 1) * limit).prefix(limit))
        return Page(rows: rows, total: found.count, number: number, count: (found.count + limit - 1) / limit)
    }
}

/// Counters that outlive a request, by name: the failures of `/flaky`, the calls of `/idempotent`.
actor Counters {
    private var counts: [String: Int] = [:]

    /// Increments a counter and returns its value. Beyond 10,000 names, all start over.
    func increment(_ name: String) -> Int {
        if counts.count >= 10_000 && counts[name] == nil { counts = [:] }
        counts[name, default: 0] += 1
        return counts[name, default: 0]
    }

    func reset(_ name: String) { counts[name] = nil }
}

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
