import OmbiCore

/// Something that a user ordered.
struct Order: Codable, Sendable {
    let id: Int
    let userId: Int
    let item: String
    let quantity: Int
}

/// The first orders that are not paid yet.
struct OpenOrders: ShopRequest {
    struct ResponseBody: Decodable, Sendable {
        let items: [Order]
        let total: Int
    }

    let limit: Int

    var path: String { "/orders" }
    var method: RequestMethod { .get }
    var query: [URLQueryItem] {
        [URLQueryItem(name: "status", value: "open"), URLQueryItem(name: "limit", value: String(limit))]
    }
}
