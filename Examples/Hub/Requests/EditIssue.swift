import OmbiCore

/// Changes what is not nil of an issue.
struct EditIssue: HubRequest {
    struct RequestBody: Encodable, Sendable {
        var title: String?
        var state: Issue.State?
    }
    typealias ResponseBody = Issue

    let repository: RepositoryName
    let number: Int
    let body: RequestBody

    var path: String { "\(repository.path)/issues/\(number)" }
    let method = RequestMethod.patch
}
