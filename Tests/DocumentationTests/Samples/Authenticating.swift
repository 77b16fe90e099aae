import OmbiCore

/// The request that the samples sign in with.
struct Login: HTTPRequest {
    struct Session: Decodable, Sendable {
        let token: String
        let lifetime: Int
    }

    typealias RequestBody = AnyJSON
    typealias ResponseBody = Session

    let name: String
    let password: String

    let path = "/login"
    let method = RequestMethod.post
    var body: AnyJSON { ["name": .string(name), "password": .string(password)] }
}

struct LoginFailed: Error {}

struct DailyKey: HTTPRequest {
    typealias ResponseBody = String

    let path = "/key"
    let method = RequestMethod.get
}

// sample: Authentication/own
struct KeyOfTheDay: Authenticator {
    let keys: RequestManager

    func authenticate(_ request: TransportRequest) async throws -> TransportRequest {
        var request = request
        request.headers["X-Key"] = .string(try await keys.response(for: DailyKey()).body ?? "")
        return request
    }

    func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool {
        response.challenges.contains { $0.scheme == "Daily" && $0.parameters["error"] == "expired" }
    }
}
// end

enum Authenticating {
    static func bearer(_ token: String) -> RequestManager {
        // sample: Authentication/bearer
        let manager = RequestManager(host: "https://api.example.com")
        manager.requestAuthentication = .token(type: .bearer, value: token)
        // end
        return manager
    }

    static func basic(_ manager: RequestManager) async throws -> RequestResponse<User> {
        // sample: Authentication/basic
        let response = try await manager.response(
            for: UserByID(id: 42), authentication: .basic(username: "Aladdin", password: "open sesame"))
        // end
        return response
    }

    static func key(_ manager: RequestManager, _ key: String) {
        // sample: Authentication/key
        manager.additionalHeaders = ["X-Api-Key": .string(key)]
        // end
    }

    static func token(_ accounts: RequestManager, password: String) -> TokenAuthenticator {
        // sample: Authentication/token
        let authenticator = TokenAuthenticator { _ in
            let login = Login(name: "Ada", password: password)
            guard let session = try await accounts.response(for: login).body else { throw LoginFailed() }
            return TokenAuthenticator.Token(session.token, expiresIn: .seconds(session.lifetime))
        }
        // end
        return authenticator
    }
}
