import OmbiCore

/// What happens in a repository, as server-sent events.
struct RepositoryEvents: HubRequest {
    typealias ResponseBody = NoBody

    let repository: RepositoryName

    var path: String { "\(repository.path)/events" }
    let method = RequestMethod.get
    var responseDecoder: BodyDecoder<NoBody> { .automatic }
}
