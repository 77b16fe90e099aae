import OmbiCore

/// What the hub says when it refuses a request.
struct HubError: Error, Equatable, CustomStringConvertible {
    struct Problem: Decodable, Equatable {
        let field: String
        let code: String
    }

    let status: Int
    let message: String
    var problems: [Problem] = []

    var description: String {
        ([message] + problems.map { "\($0.field) is \($0.code)" }).joined(separator: "; ")
    }
}

extension HubError {
    /// nil for a success. A page of a proxy in front of the hub is an error by its status alone.
    init?(refusing response: TransportResponse) {
        guard let status = response.statusCode, HTTPError(status) != nil else { return nil }
        let content = try? JSONDecoder.hub.decode(Content.self, from: response.body ?? Data())
        self.init(
            status: status, message: content?.message ?? StatusCode.words(status), problems: content?.errors ?? [])
    }

    private struct Content: Decodable {
        let message: String
        let errors: [Problem]?
    }
}
