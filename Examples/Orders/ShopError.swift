import OmbiCore

/// What the shop says when it refuses a request.
struct ShopError: Error, Decodable, CustomStringConvertible {
    struct Content: Decodable {
        let status: Int
        let message: String
        let fields: [String: String]?
    }

    let error: Content

    var description: String {
        let fields = (error.fields ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return ([error.message] + fields).joined(separator: "; ")
    }
}
