import OmbiCore

enum ReadmeSamples {
    static func first() async throws {
        // sample: README/first
        struct UserByID: HTTPRequest {
            struct ResponseBody: Decodable {
                let id: Int
                let name: String
            }

            let id: Int
            var path: String { "/users/\(id)" }
            let method = RequestMethod.get
        }

        let manager = RequestManager(host: "http://127.0.0.1:8765")
        let response = try await manager.response(for: UserByID(id: 42), retries: 3, sla: 2)
        print(response.statusCode ?? 0, response.body?.name ?? "")
        // end
    }

    static func watched(_ manager: RequestManager) -> RequestTask<UserByID> {
        // sample: README/watched
        let policy = RetryPolicy(retries: 3, backoff: .exponential(first: .milliseconds(250)))
        let task = manager.send(UserByID(id: 42), retry: policy, sla: .seconds(2)) { result in
            print(result)
        } onEvent: { event in
            print(event)
        }
        // end
        return task
    }
}
