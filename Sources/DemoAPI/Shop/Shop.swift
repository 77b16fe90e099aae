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
