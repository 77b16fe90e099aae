import OmbiCore

struct User: Decodable, Sendable, Equatable {
    let login: String
    let name: String?
    let publicRepos: Int
}

/// One user.
struct UserByLogin: HubRequest {
    typealias ResponseBody = User

    let login: String

    var path: String { "/users/\(PathSegment(login))" }
    let method = RequestMethod.get
}
