import OmbiCore

/// Asks a part of the shop that fails twice before it answers.
struct CheckStock: ShopRequest {
    struct ResponseBody: Decodable, Sendable {
        let ok: Bool
    }

    var path: String { "/flaky?failures=2&status=503&key=orders" }
    var method: RequestMethod { .get }
}
