import OmbiCore

enum ComingFrom {
    static func urlSession(_ manager: RequestManager) -> AnyPublisher<User, any Error> {
        // sample: ComingFromOtherLibraries/urlSession
        let request = ComposableRequest<NoBody, Data, NoError>().path("/users/42")
        let user = manager.makeRequest(request, on: DispatchQueue.main)
            .validateStatusCode(in: 200..<300)
            .compactMap(\.body)
            .decode(type: User.self, decoder: JSONDecoder())
            .eraseToAnyPublisher()
        // end
        return user
    }

    static func apiKit(_ manager: RequestManager) {
        // sample: ComingFromOtherLibraries/apiKit
        manager.send(UserByID(id: 42), on: DispatchQueue.main) { result in
            if case .success(let response) = result { print(response.body?.name ?? "") }
        }
        manager.cancelRequests(with: UserByID.self) { $0.id == 42 }
        // end
    }

    static func combineRequest(_ manager: RequestManager) -> AnyPublisher<Data, any Error> {
        // sample: ComingFromOtherLibraries/combineRequest
        let users = manager.makeRequest(ComposableRequest<NoBody, Data, NoError>().path("/users"))
            .validateStatusCode(in: 200..<300)
            .hasContentType("application/json")
            .compactMap(\.body)
            .eraseToAnyPublisher()
        // end
        return users
    }

    static func alamofire(_ manager: RequestManager) async throws -> User? {
        // sample: ComingFromOtherLibraries/alamofire
        let user = try await manager.response(
            for: UserByID(id: 42), retry: RetryPolicy(retries: 2, backoff: .exponential(first: .milliseconds(500)))
        ).body
        // end
        return user
    }
}
