import Testing

@testable import OmbiCore

@Suite struct RequestHeadersTests {
    @Test func `names compare without case`() {
        var headers: RequestHeaders = ["Accept": "a", "accept": "b"]
        #expect(headers["ACCEPT"] == "a")
        headers["aCCept"] = "c"
        #expect(headers.fields == [.init("Accept", "c")])
        headers["accept"] = nil
        #expect(headers.isEmpty)
    }

    @Test func `repeated fields are kept until set`() {
        var headers = RequestHeaders()
        headers.append("1", forKey: "X")
        headers.append("2", forKey: "x")
        #expect(headers.values(for: "X") == ["1", "2"])
        headers.set(value: "3", forKey: "X")
        #expect(headers.values(for: "X") == ["3"])
        #expect(headers.reduce(0) { $0 + ($1.key == "x" ? 1 : 0) } == 1)
    }

    @Test func `fields of different names are equal in any order`() {
        let headers: RequestHeaders = ["A": "1", "B": "2"]
        let others: RequestHeaders = ["b": "2", "a": "1"]
        #expect(headers == others && headers.hashValue == others.hashValue)
        let repeated = RequestHeaders([.init("A", "1"), .init("A", "2")])
        #expect(repeated != RequestHeaders([.init("A", "2"), .init("A", "1")]))
    }

    @Test func `names that are equal as texts alone are two`() {
        let names: [RequestHeaders.Key] = ["a\u{323}\u{307}", "a\u{307}\u{323}"]
        #expect(names[0].name == names[1].name && names[0] != names[1])
    }

    @Test func `values are written in their terms`() {
        let values: [RequestHeaders.Value] = [
            .contentType(.json), .contentType(.xml), .contentType(.urlencoded),
            .cacheControlType(.maxStale(seconds: nil)),
            .cacheControlType(.maxAge(seconds: 60)), .int(3), 1.5, 7, .authorization(type: .bearer, token: "t"),
            .authorization(username: "Aladdin", password: "open sesame"), .authorization(type: "Odd", token: "x"),
        ]
        #expect(
            values.map(\.text) == [
                "application/json", "application/xml", "application/x-www-form-urlencoded; charset=utf-8", "max-stale",
                "max-age=60", "3", "1.5", "7", "Bearer t", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Odd x",
            ])
    }

    enum Name: String { case trace = "X-Trace" }

    @Test func `a name comes from any text`() {
        let names: [RequestHeaders.Key] = ["X-Trace", .init("X-Trace"), .init(Substring("X-Trace")), .init(Name.trace)]
        #expect(Set(names) == ["x-trace"])
        #expect(names.map(\.description) == Array(repeating: "X-Trace", count: 4))
        let known: [RequestHeaders.Key] = [
            .acceptType, .acceptEncoding, .acceptLanguage, .authorization, .contentType, .cacheControl,
            .contentDisposition, .contentLength, .host, .location, .origin, .referer, .userAgent,
        ]
        #expect(
            known.map(\.name) == [
                "Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Content-Type", "Cache-Control",
                "Content-Disposition", "Content-Length", "Host", "Location", "Origin", "Referer", "User-Agent",
            ])
    }

    @Test func `every directive is written in its terms`() {
        let directives: [RequestHeaders.Value.CacheControlType] = [
            .noCache, .noStore, .noTransform, .onlyIfCached, .maxAge(seconds: 1), .maxStale(seconds: 2),
            .maxStale(seconds: nil), .minFresh(seconds: 3),
            "custom",
        ]
        #expect(
            directives.map { RequestHeaders.Value.cacheControlType($0).text } == [
                "no-cache", "no-store", "no-transform", "only-if-cached", "max-age=1", "max-stale=2", "max-stale",
                "min-fresh=3", "custom",
            ])
        #expect(RequestHeaders.Value.contentType("text/csv") == "text/csv" && RequestHeaders.Value.double(0.5) == "0.5")
    }

    @Test(arguments: ["Authorization", "cookie", "X-Api-Key", "X-Auth-Token", "Set-Cookie", "bearer"])
    func `credentials are sensitive`(name: String) {
        #expect(RequestHeaders.Key(name).isSensitive)
    }

    @Test(arguments: ["Accept", "X-Request-Id", "Idempotency-Key"])
    func `other fields are not`(name: String) {
        #expect(!RequestHeaders.Key(name).isSensitive)
    }
}
