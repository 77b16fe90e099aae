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
    /// A page of a list.
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
