import OmbiCore
import Testing

@testable import OmbiWorkspace

// Testing has an Expectation too.
private typealias Expectation = OmbiWorkspace.Expectation

@Suite struct PolicyTests {
    @Test(
        arguments: [
            ("250ms", 250_000_000, "250ms"), ("2s", 2_000_000_000, "2s"), ("1.5s", 1_500_000_000, "1.5s"),
            ("1m", 60_000_000_000, "1m"), ("90s", 90_000_000_000, "90s"), ("1.5m", 90_000_000_000, "90s"),
            ("1h", 3_600_000_000_000, "60m"), ("24h", 86_400_000_000_000, "1440m"), ("1500ms", 1_500_000_000, "1.5s"),
            ("0ms", 0, "0ms"), ("0.000001ms", 1, "0.000001ms"), ("1.000000001s", 1_000_000_001, "1.000000001s"),
        ] as [(String, Int64, String)])
    func `a duration is read and written`(text: String, nanoseconds: Int64, canonical: String) {
        let duration = Duration.nanoseconds(nanoseconds)
        #expect(DurationText.parse(text) == duration)
        #expect(DurationText.format(duration) == canonical)
        #expect(DurationText.parse(canonical) == duration)
    }

    @Test(arguments: [
        "", "s", "5", "5 s", " 5s", "5s ", "-1s", "+1s", "1.s", ".5s", "1.2.3s", "1e3s", "5sec", "5S", "٣s", "25h",
        "99999999999999999999h", "86400001ms", "1.0000000001s", "9223372036854775807ms",
    ])
    func `what is no duration is refused`(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test func `any duration has a text`() {
        #expect(DurationText.format(.seconds(-1)) == "0ms")
        #expect(DurationText.format(.seconds(Int64.max)).hasSuffix("s"))
    }

    @Test(arguments: [
        ("2xx", 200, true), ("2xx", 299, true), ("2xx", 300, false), ("5XX", 503, true), ("404", 404, true),
        ("404", 400, false),
    ])
    func `a status pattern matches`(text: String, status: Int, matches: Bool) throws {
        #expect(try #require(StatusPattern(text)).matches(status) == matches)
    }

    @Test(arguments: ["", "2", "2x", "0xx", "6xx", "600", "099", "+20", "٢xx", "2xxx", "xxx"])
    func `what is no status pattern is refused`(text: String) {
        #expect(StatusPattern(text) == nil)
    }

    @Test(
        arguments: [
            (Expectation(), nil, 9_000, []),
            (Expectation(status: [.hundreds(2)]), 204, 0, []),
            (Expectation(status: [.hundreds(2), .code(404)]), 503, 0, ["expected status 2xx or 404, got 503"]),
            (Expectation(status: [.code(200)]), nil, 0, ["expected status 200, got no response"]),
            (Expectation(within: .milliseconds(500)), nil, 500, []),
            (
                Expectation(status: [.code(200)], within: .milliseconds(500)), 500, 1812,
                ["expected status 200, got 500", "expected within 500ms, took 1.812s"]
            ),
        ] as [(Expectation, Int?, Int, [String])])
    fileprivate func `what was not met is told`(
        expectation: Expectation, status: Int?, milliseconds: Int, failures: [String]
    ) {
        #expect(expectation.unmet(status, after: .milliseconds(milliseconds)) == failures)
    }

    @Test func `a miss by a hair does not read like the limit`() {
        let failures = Expectation(within: .seconds(1)).unmet(nil, after: .nanoseconds(1_000_000_001))
        #expect(failures == ["expected within 1s, took 1.001s"])
    }

    @Test func `a policy fills its gaps from the one below`() {
        let base = RequestPolicy(
            retries: 1, sla: .seconds(9), timeout: .seconds(8), backoff: .constant(.seconds(1)), retryOn: [])
        let own = RequestPolicy(retries: 0, timeout: .seconds(2))
        let merged = own.merging(over: base)
        #expect(
            merged
                == RequestPolicy(
                    retries: 0, sla: .seconds(9), timeout: .seconds(2), backoff: .constant(.seconds(1)), retryOn: []))
        #expect(own.merging(over: nil) == own)
    }

    @Test func `a policy becomes one of the engine`() {
        #expect(RequestPolicy().retryPolicy() == RetryPolicy())
        let policy = RequestPolicy(retries: 2, retryOn: [.timeout, .status(.code(429)), .status(.hundreds(5))])
            .retryPolicy()
        #expect(policy.retries == 2)
        #expect(policy.failures == [.timeout, .status])
        #expect(policy.statusCodes == Set(500...599).union([429]))
        #expect(RequestPolicy(retryOn: []).retryPolicy().failures == [])
    }

    @Test func `a status that the request expects is retried only if the policy lists it`() {
        let statuses = [StatusPattern.code(503), .hundreds(2)]
        let standard = RequestPolicy(retries: 2).retryPolicy(expecting: statuses)
        #expect(standard.statusCodes == [408, 425, 429, 500, 502, 504])
        #expect(standard.failures == [.connection, .timeout, .status])
        #expect(RequestPolicy().retryPolicy(expecting: [.hundreds(5), .hundreds(4)]).statusCodes == [])
        let listed = RequestPolicy(retryOn: [.status(.code(503)), .status(.code(504))])
        #expect(listed.retryPolicy(expecting: statuses).statusCodes == [503, 504])
    }
}

extension Expectation {
    fileprivate func unmet(_ status: Int?, after duration: Duration) -> [String] {
        results(Observation(status: status, duration: duration)).filter { !$0.isMet }.map(\.sentence)
    }
}
