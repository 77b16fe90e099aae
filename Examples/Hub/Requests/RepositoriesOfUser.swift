import OmbiCore

/// The repositories of a user, page by page.
struct RepositoriesOfUser: PagedRequest {
    typealias Item = Repository

    let login: String
    var query = [URLQueryItem(name: "per_page", value: "100")]

    init(login: String) { self.login = login }

    var path: String { "/users/\(PathSegment(login))/repos" }
    let method = RequestMethod.get
}
