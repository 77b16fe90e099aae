import OmbiCore

struct Repository: Decodable, Sendable, Equatable {
    let fullName: String
    let stargazersCount: Int
}

/// One repository.
struct RepositoryByName: HubRequest {
    typealias ResponseBody = Repository

    let name: RepositoryName

    var path: String { name.path }
    let method = RequestMethod.get
}
