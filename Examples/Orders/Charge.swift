import OmbiCore

/// Charges for an order. A POST that is sent twice with the same `Idempotency-Key` charges once.
struct Charge: ShopRequest {
    struct ResponseBody: Decodable, Sendable {
        let charged: Int
    }

    var path: String { "/idempotent" }
    var method: RequestMethod { .post }
}
