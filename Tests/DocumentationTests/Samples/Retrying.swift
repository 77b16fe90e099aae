import OmbiCore

// sample: RetryingAndTheSLA/charge
struct Charge: HTTPRequest {
    typealias RequestBody = AnyJSON
    typealias ResponseBody = AnyJSON

    let cents: Int

    let path = "/charges"
    let method = RequestMethod.post
    var body: AnyJSON { ["cents": .integer(Int64(cents))] }
}

func charge(_ cents: Int, with manager: RequestManager) async throws -> AnyJSON? {
    let policy = RetryPolicy(retries: 3, addsIdempotencyKey: true)
    return try await manager.response(for: Charge(cents: cents), retry: policy).body
}
// end

enum Retrying {
    static func plain(_ manager: RequestManager) async throws -> RequestResponse<User> {
        // sample: RetryingAndTheSLA/plain
        let response = try await manager.response(for: UserByID(id: 42), retries: 3, sla: 10)
        // end
        return response
    }

    static func policy() -> RetryPolicy {
        // sample: RetryingAndTheSLA/policy
        let policy = RetryPolicy(
            retries: 4,
            failures: [.connection, .timeout, .status],
            statusCodes: [429, 502, 503, 504],
            backoff: .exponential(first: .milliseconds(200), jitter: 0.2, ceiling: .seconds(5)))
        // end
        return policy
    }

    static func spare() -> RetryPolicy {
        // sample: RetryingAndTheSLA/spare
        var policy = RetryPolicy(retries: 3, backoff: .exponential(first: .milliseconds(200)))
        policy.retryBudget = RetryBudget(share: 0.2)
        policy.breaker = CircuitBreaker(failures: 5, within: .seconds(30), pause: .seconds(10))
        // end
        return policy
    }

    static func send(_ manager: RequestManager, _ policy: RetryPolicy) async throws -> RequestResponse<User> {
        // sample: RetryingAndTheSLA/send
        let response = try await manager.response(for: UserByID(id: 42), retry: policy, sla: .seconds(8))
        // end
        return response
    }

    static func fallback(_ manager: RequestManager) async throws -> RequestResponse<User> {
        // sample: RetryingAndTheSLA/fallback
        let unknown = RequestResponse(body: User(id: 42, name: "somebody"))
        let response = try await manager.response(for: UserByID(id: 42), sla: 2, fallbackResponse: unknown)
        // end
        return response
    }
}
