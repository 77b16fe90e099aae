import OmbiCore

/// Looks at the orders of the demo shop and places one. Usage: orders [HOST]
@main struct Orders {
    let shop: RequestManager

    static func main() async throws {
        let host = CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8765"
        let orders = Orders(shop: RequestManager(host: host))
        try await orders.list()
        try await orders.checkStock()
        try await orders.place()
        try await orders.refused()
    }

    /// Async for the page, publishers for the names on it, four at a time.
    private func list() async throws {
        guard let page = try await shop.response(for: OpenOrders(limit: 5), retries: 1, sla: 5).body else { return }
        let users = try await Set(page.items.map(\.userId)).publisher
            .setFailureType(to: RequestError<ShopError>.self)
            .flatMap(maxPublishers: .max(4)) { id in shop.makeRequest(UserByID(id: id), sla: 5) }
            .compactMap(\.body)
            .all()
        let names = Dictionary(uniqueKeysWithValues: users.map { ($0.id, $0.name) })
        print("open orders: \(page.items.count) of \(page.total)")
        for order in page.items {
            print("  \(order.id): \(order.quantity) × \(order.item) for \(names[order.userId] ?? "nobody")")
        }
    }

    /// Every step while it happens, and what it came to.
    private func checkStock() async throws {
        let policy = RetryPolicy(retries: 3, backoff: .exponential(first: .milliseconds(100), ceiling: .seconds(1)))
        print("checking the stock")
        let task = shop.send(CheckStock(), retry: policy, sla: .seconds(5))
        for await event in task.events {
            if let line = words(event) { print("  \(line)") }
        }
        guard let report = await task.report else { return }
        print("stock: \(report.outcome) after \(report.attempts.count) attempts")
    }

    private func words(_ event: RequestEvent) -> String? {
        switch event {
        case .attemptStarted(let number, let attempts, _): "attempt \(number) of at most \(attempts)"
        case .headReceived(_, let head, _): "the shop answered \(StatusCode.words(head.statusCode))"
        case .waiting(_, let until, _, let at): "waiting \(until - at)"
        default: nil
        }
    }

    /// An order, and a charge that may be sent again without charging twice.
    private func place() async throws {
        let body = PlaceOrder.RequestBody(userId: 1, item: "tea", quantity: 2, price: 4.5)
        let order = try await shop.response(for: PlaceOrder(body: body)).body
        let policy = RetryPolicy(retries: 2, addsIdempotencyKey: true)
        let charge = try await shop.response(for: Charge(), retry: policy).body
        print("placed: \(order?.quantity ?? 0) × \(order?.item ?? "nothing"), charged \(charge?.charged ?? 0) time")
    }

    /// The shop's own error, with its type.
    private func refused() async throws {
        let body = PlaceOrder.RequestBody(userId: 1, item: "tea", quantity: 0, price: 4.5)
        do {
            _ = try await shop.response(for: PlaceOrder(body: body))
        } catch RequestError<ShopError>.validationError(let error, _) {
            print("refused: \(error)")
        }
    }
}
