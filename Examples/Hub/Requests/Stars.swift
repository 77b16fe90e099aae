import OmbiCore

/// Stars a repository: a PUT without a body, answered by a 204.
struct Star: HubCommand {
    let repository: RepositoryName

    var path: String { "/user/starred/\(repository.text)" }
    let method = RequestMethod.put
}

/// Takes the star back.
struct Unstar: HubCommand {
    let repository: RepositoryName

    var path: String { "/user/starred/\(repository.text)" }
    let method = RequestMethod.delete
}

/// Whether a repository is starred. Here a 404 is no error, it is the answer.
struct IsStarred: HubRequest {
    typealias ResponseBody = Bool

    let repository: RepositoryName

    var path: String { "/user/starred/\(repository.text)" }
    let method = RequestMethod.get
    var responseDecoder: BodyDecoder<Bool> { .response { $0.statusCode == 204 } }
    var responseValidator: ResponseValidator<Bool, HubError> {
        ResponseValidator(beforeDecoding: { $0.statusCode == 404 ? nil : HubError(refusing: $0) })
    }
}
