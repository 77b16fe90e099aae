import OmbiCore

/// A customer of the shop.
struct User: Decodable, Sendable {
    let id: Int
    let name: String
}

/// One customer.
struct UserByID: ShopRequest {
    typealias ResponseBody = User

    let id: Int

    var path: String { "/users/\(id)" }
    var method: RequestMethod { .get }
}
