import OmbiCore

struct Issue: Decodable, Sendable, Equatable {
    enum State: String, Codable, Sendable {
        case open, closed
    }

    let number: Int
    let title: String
    let state: State
}

/// Opens an issue. A POST: sent again only where nothing of it had been sent.
struct CreateIssue: HubRequest {
    struct RequestBody: Encodable, Sendable {
        let title: String
        var labels: [String] = []
    }
    typealias ResponseBody = Issue

    let repository: RepositoryName
    let body: RequestBody

    var path: String { "\(repository.path)/issues" }
    let method = RequestMethod.post
}
