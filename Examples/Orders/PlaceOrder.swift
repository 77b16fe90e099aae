import OmbiCore

/// Orders something. The shop answers with the order, and refuses a quantity that is not from 1 to 1000.
struct PlaceOrder: ShopRequest {
    struct RequestBody: Encodable, Sendable {
        let userId: Int
        let item: String
        let quantity: Int
        let price: Double
    }
    typealias ResponseBody = Order

    let body: RequestBody

    var path: String { "/orders" }
    var method: RequestMethod { .post }
}
