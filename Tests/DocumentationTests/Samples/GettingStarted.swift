import OmbiCore

// sample: GettingStarted/request
struct User: Codable, Sendable {
    let id: Int
    let name: String
}

struct UserByID: Requestable {
    typealias ResponseBody = User
    typealias ResponseError = HTTPError

    let id: Int

    var path: String { "/users/\(id)" }
    var method: RequestMethod { .get }
}
// end

// sample: GettingStarted/forms
struct SearchOrders: HTTPRequest {
    typealias ResponseBody = [Order]

    let path = "/orders"
    let method = RequestMethod.get
    let query = ["q": "tea", "page": "2"]
    let headers = ["X-Client": "shop-docs"]
    let timeoutInterval = 5
}
// end

// sample: GettingStarted/error
struct ShopError: Error, Decodable {
    struct Problem: Decodable {
        let status: Int
        let message: String
    }

    let error: Problem
}
// end

// sample: GettingStarted/service
protocol ShopRequest: Requestable where ResponseError == ShopError {}

extension ShopRequest {
    var headers: RequestHeaders { ["X-Client": "shop-docs"] }
    var timeoutInterval: Double { 10 }

    var responseValidator: ResponseValidator<ResponseBody, ShopError> {
        ResponseValidator(beforeDecoding: { response in
            guard let status = response.statusCode, HTTPError(status) != nil else { return nil }
            let error = try? JSONDecoder().decode(ShopError.self, from: response.body ?? Data())
            return error ?? ShopError(error: .init(status: status, message: StatusCode.words(status)))
        })
    }
}
// end

// sample: GettingStarted/coders
protocol StoreRequest: HTTPRequest {}

extension StoreRequest {
    var jsonDecoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
// end

// sample: GettingStarted/leaf
struct Order: Codable, Sendable {
    let id: Int
    let item: String
}

struct OrderByID: ShopRequest {
    typealias ResponseBody = Order

    let id: Int

    var path: String { "/orders/\(id)" }
    var method: RequestMethod { .get }
}
// end

// sample: GettingStarted/main
@MainActor final class UserModel {
    private(set) var user: User?

    func load(with manager: RequestManager) {
        manager.send(UserByID(id: 42), on: .main) { result in
            self.user = try? result.get().body
        }
    }
}
// end

enum GettingStarted {
    static func host() -> RequestManager {
        // sample: GettingStarted/manager
        let manager = RequestManager(host: "http://127.0.0.1:8765")
        // end
        return manager
    }

    static func asynchronous(_ manager: RequestManager) async throws {
        // sample: GettingStarted/async
        let response = try await manager.response(for: UserByID(id: 42))
        print(response.statusCode ?? 0, response.body?.name ?? "")
        let user = try await manager.value(for: UserByID(id: 42))
        print(user.name)
        // end
    }

    static func publisher(_ manager: RequestManager) -> AnyCancellable {
        // sample: GettingStarted/publisher
        let subscription = manager.makeRequest(UserByID(id: 42), on: DispatchQueue.main)
            .compactMap(\.body)
            .sink { end in
                if case .failure(let error) = end { print("no user: \(error)") }
            } receiveValue: { user in
                print(user.name)
            }
        // end
        return subscription
    }

    static func callback(_ manager: RequestManager) {
        // sample: GettingStarted/callback
        manager.send(UserByID(id: 42)) { result in
            switch result {
            case .success(let response): print(response.body?.name ?? "")
            case .failure(let error): print("no user: \(error)")
            }
        }
        // end
    }

    static func steps() -> AnyPublisher<RequestResponse<User>, RequestError<HTTPError>> {
        // sample: GettingStarted/steps
        let publisher = ComposableRequest<NoBody, User, HTTPError>()
            .path("/users/42")
            .query(URLQueryItem(name: "expand", value: "orders"))
            .header(key: "X-Client", value: "shop-docs")
            .send(on: "http://127.0.0.1:8765", retries: 2)
        // end
        return publisher
    }

    static func errors(_ manager: RequestManager) async -> String {
        // sample: GettingStarted/errors
        do {
            let order = try await manager.value(for: OrderByID(id: 1000))
            return "\(order.item) was ordered"
        } catch .validationError(let refusal, _) {
            return "the shop says: \(refusal.error.message)"
        } catch {
            return "\(error.stage) failed: \(error)"
        }
        // end
    }

    static func common() -> RequestManager {
        // sample: GettingStarted/common
        let log = RequestLog(subsystem: "com.example.shop", category: "api")
        let manager = RequestManager(host: "https://api.example.com/v1", log: log)
        manager.additionalHeaders = ["X-Client-Version": "7"]
        manager.requestAuthentication = .token(type: .bearer, value: "abc")
        manager.requestInterceptors = [
            RequestInterceptor { request in
                var request = request
                request.headers["X-Trace"] = .string(UUID().uuidString)
                return request
            }
        ]
        // end
        return manager
    }
}
