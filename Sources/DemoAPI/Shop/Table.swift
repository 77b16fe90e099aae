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
