import OmbiCore

/// A repository as it was at a commit, a branch or a tag, as a tarball.
struct Archive: HubRequest {
    typealias ResponseBody = Data

    let repository: RepositoryName
    var reference = "main"

    var path: String { "\(repository.path)/tarball/\(reference)" }
    let method = RequestMethod.get
    var responseDecoder: BodyDecoder<Data> { .automatic }
}
