import Testing

@testable import OmbiCore

/// The requests that a server still allows.
@Suite struct RateLimitTests {
    /// Tue, 14 Nov 2023 22:13:20 GMT
    private static let now = 1_700_000_000

    private static func left(
        _ remaining: Int?, _ reset: Int? = nil, of limit: Int? = nil, retry: Int? = nil
    ) -> RateLimit {
        RateLimit(
            limit: limit, remaining: remaining, reset: reset.map { .seconds($0) },
            retryAfter: retry.map { .seconds($0) })
    }

    static let cases: [(fields: [(String, String)], limit: RateLimit?)] = [
        ([], nil), ([("Content-Type", "text/plain")], nil),
        // The newest version: an item for each policy.
        ([("RateLimit", "\"default\";r=50;t=30")], left(50, 30)),
        (
            [("RateLimit", "\"default\";r=50;t=30"), ("RateLimit-Policy", "\"default\";q=100;w=60")],
            left(50, 30, of: 100)
        ),
        ([("RateLimit", "\"hour\";r=50;t=30, \"day\";r=7;t=3600")], left(7, 3600)),
        ([("RateLimit", "\"a\";r=5;t=30"), ("RateLimit", "\"b\";r=5;t=60")], left(5, 60)),
        ([("ratelimit", "default; r=0; t=9")], left(0, 9)), ([("RateLimit", "\"default\";r=3")], left(3)),
        // Versions before it.
        ([("RateLimit", "limit=100, remaining=50, reset=5")], left(50, 5, of: 100)),
        (
            [("RateLimit-Limit", "100, 100;w=60"), ("RateLimit-Remaining", "50"), ("RateLimit-Reset", "5")],
            left(50, 5, of: 100)
        ),
        ([("RateLimit-Remaining", "50")], left(50)), ([("RateLimit-Limit", "100")], nil),
        // Before any version: moments since 1970, as GitHub has them, or seconds.
        (
            [("X-RateLimit-Limit", "5000"), ("X-RateLimit-Remaining", "412"), ("X-RateLimit-Reset", "1700001080")],
            left(412, 1080, of: 5000)
        ),
        ([("x-ratelimit-remaining", "412"), ("x-ratelimit-reset", "1700001080000")], left(412, 1080)),
        ([("X-Rate-Limit-Remaining", "9"), ("X-Rate-Limit-Reset", "60")], left(9, 60)),
        ([("X-RateLimit-Remaining", "9"), ("X-RateLimit-Reset", "1600000000")], left(9, 0)),
        (
            [("X-RateLimit-Remaining", "9"), ("X-RateLimit-Reset", "Tue, 14 Nov 2023 22:14:20 GMT")], left(9, 60)
        ),
        // The clock of the server counts.
        (
            [
                ("Date", "Tue, 14 Nov 2023 22:14:20 GMT"), ("X-RateLimit-Remaining", "9"),
                ("X-RateLimit-Reset", "1700000070"),
            ], left(9, 10)
        ),
        ([("Retry-After", "120")], left(nil, retry: 120)),
        ([("Retry-After", "Tue, 14 Nov 2023 22:15:20 GMT")], left(nil, retry: 120)),
        ([("Retry-After", "soon")], nil),
        ([("X-RateLimit-Remaining", "0"), ("Retry-After", "7")], left(0, retry: 7)),
        // Hostile and odd ones.
        ([("X-RateLimit-Remaining", "many")], nil), ([("X-RateLimit-Remaining", "")], nil),
        ([("X-RateLimit-Remaining", "-3")], left(0)), ([("X-RateLimit-Remaining", "0x10")], nil),
        ([("X-RateLimit-Remaining", "99999999999999999999999")], left(1_000_000_000_000_000)),
        ([("X-RateLimit-Remaining", "5"), ("X-RateLimit-Reset", "-1")], left(5)),
        ([("X-RateLimit-Remaining", "5"), ("X-RateLimit-Reset", "nan")], left(5)),
        ([("RateLimit", ";;;,,\"")], nil), ([("RateLimit", "\"default\";r=x;t=1")], nil),
        ([("RateLimit", "nonsense"), ("X-RateLimit-Remaining", "5")], left(5)),
        ([("RateLimitation", "5")], nil),
    ]

    @Test(arguments: cases.indices) func `each form of the fields is read`(index: Int) {
        let (fields, limit) = Self.cases[index]
        var headers = RequestHeaders()
        for (name, value) in fields { headers.append(.string(value), forKey: .init(name)) }
        #expect(RateLimit(headers, now: Self.now) == limit, "\(fields)")
    }

    @Test func `a moment without any clock is no time`() {
        let headers: RequestHeaders = ["X-RateLimit-Remaining": "412", "X-RateLimit-Reset": "1700001080"]
        #expect(RateLimit(headers) == RateLimit(remaining: 412))
        #expect(RateLimit(["Retry-After": "Tue, 14 Nov 2023 22:15:20 GMT"]) == nil)
        #expect(RateLimit(["Retry-After": "2"]) == RateLimit(retryAfter: .seconds(2)))
    }
}
