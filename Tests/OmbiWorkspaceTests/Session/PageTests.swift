import Dispatch
import Foundation
import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Requests that follow their pages.
@Suite struct PageTests {
    private static let environment = Environment(
        name: "local", host: "http://api.test/v1", additionalHeaders: [Field("X-Key", "{{key}}")],
        secrets: [Secret("key", .environment("KEY"))])

    private static func order(
        _ pages: SavedPages, path: String = "/list", limit: PageLimit? = nil,
        _ change: (inout SavedRequest) -> Void = { _ in }
    ) -> RunOrder {
        var request = SavedRequest(id: ItemID(), name: "r", path: path)
        request.pages = pages
        change(&request)
        var order = RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]),
            environment: environment.name, file: "/c.json")
        (order.pages, order.keepsPlace) = (limit, true)
        return order
    }

    /// Answers with the reply of the path and query.
    private static func session(
        _ record: StubTransport.Record = .init(), _ replies: @escaping @Sendable (String) -> StubTransport.Reply
    ) -> Session {
        Session(
            transport: StubTransport { request in
                let url = request.url
                return replies(url.host()! + url.path() + (url.query().map { "?" + $0 } ?? ""))
            }.recording(in: record),
            secrets: { _ in SecretReader(environment: { _ in "s3cr3t" }, file: { _ in [] }) })
    }

    private static func result(_ session: Session, _ order: RunOrder) async throws -> SessionResult {
        guard case .ended(let result)? = await session.events(of: order).last else { throw CancellationError() }
        return result
    }

    private static func body(_ result: SessionResult) -> String {
        String(decoding: result.response?.body ?? Data(), as: UTF8.self)
    }

    private static func linked(_ target: String) -> StubTransport.Reply {
        switch target {
        case "api.test/v1/list": .json("[1, 2]", headers: ["Link": "<list?page=2>; rel=\"next\""])
        case "api.test/v1/list?page=2": .json(" [ ] ", headers: ["Link": "</v1/list?page=3>; rel=\"next\""])
        default: .json("[{\"id\": 3}]")
        }
    }

    @Test func `the Link header leads from page to page, and their arrays are one`() async throws {
        let record = StubTransport.Record()
        let order = Self.order(SavedPages(.link("next"))) { request in
            request.expect = Expectation()
            request.expect?.body = [BodyExpectation("$[2].id", [.equals(.number("3"))])]
            request.captures = [Capture("last", .path("$[2].id"))]
        }
        let result = try await Self.result(Self.session(record, Self.linked), order)
        #expect(Self.body(result) == "[1, 2,{\"id\": 3}]")
        #expect(result.passed && result.captured.map(\.value) == ["3"], "\(result.failures)")
        #expect(result.pages == PageSummary(count: 3))
        #expect(result.report?.attempts.map(\.number) == [1, 2, 3])
        #expect(result.attemptsOfPage == 1)
        #expect(result.prepared?.redirectedTo == nil && result.prepared?.url == "http://api.test/v1/list")
        #expect(record.requests.map { $0.headers["X-Key"]?.text } == ["s3cr3t", "s3cr3t", "s3cr3t"])
    }

    @Test func `the document grows while the pages come, and every event has its place in the whole run`() async {
        let events = await Self.session { Self.linked($0) }.events(of: Self.order(SavedPages(.link("next"))))
        let steps = events.compactMap { if case .step(let step) = $0 { step } else { nil } }
        #expect(steps.count { if case .bodyStarted = $0 { true } else { false } } == 1)
        #expect(steps.count { if case .finished = $0 { true } else { false } } == 1)
        let starts = steps.compactMap { if case .attemptStarted(let number, _, _) = $0 { number } else { nil } }
        #expect(starts == [1, 2, 3])
        let pages = events.compactMap { if case .page(let page) = $0 { page.position } else { nil } }
        #expect(pages == ["page 1", "page 2", "page 3"])
        let sizes = steps.compactMap { if case .bodyReceived(_, let bytes, _, _) = $0 { bytes } else { nil } }
        #expect(sizes.last == "[1, 2,{\"id\": 3}".utf8.count, "\(sizes)")
    }

    @Test func `an array inside is joined, and what is around it stays that of the first page`() async throws {
        let session = Self.session { target in
            target.hasSuffix("after=b%26c")
                ? .json(#"{"items":[2],"next":null,"total":2}"#)
                : .json(#"{"items":[1],"next":"b&c","total":2}"#)
        }
        let pages = SavedPages(.token(path: "$.next", parameter: "after"), items: "$.items", total: "$.total")
        let result = try await Self.result(session, Self.order(pages))
        #expect(Self.body(result) == #"{"items":[1,2],"next":"b&c","total":2}"#)
        #expect(result.pages?.words == "2 pages" && result.pages?.expected == 2)
    }

    @Test func `other JSON is a line for each page`() async throws {
        let session = Self.session { target in
            target.hasSuffix("p2") ? .json("{\"n\": 2}") : .json("{\n  \"next\": \"p2\"\n}")
        }
        let result = try await Self.result(session, Self.order(SavedPages(.url(path: "$.next"))))
        #expect(Self.body(result) == "{\"next\":\"p2\"}\n{\"n\": 2}\n")
        #expect(result.response?[.contentType]?.text == "application/x-ndjson")
    }

    @Test func `a parameter counts to an empty page, or to the total`() async throws {
        let record = StubTransport.Record()
        let session = Self.session(record) { target in
            let page = target.split(separator: "=").last.flatMap { Int($0) } ?? 0
            return .json("{\"items\": [\(page < 7 ? "\(page)" : "")], \"total\": 4}")
        }
        let count = SavedPages(.count(parameter: "page", start: 1, step: 2), items: "$.items")
        let order = Self.order(count) { $0.query = [Field("q", "x"), Field("page", "3")] }
        #expect(Self.body(try await Self.result(session, order)) == "{\"items\": [3,5], \"total\": 4}")
        #expect(record.requests.map { $0.url.query() } == ["q=x&page=3", "q=x&page=5", "q=x&page=7"])
        let total = SavedPages(.count(parameter: "page", start: 1, step: 1), total: "$.total")
        let counted = try await Self.result(session, Self.order(total))
        #expect(counted.pages == PageSummary(count: 4, expected: 4))
    }

    @Test func `a page that fails ends the run with what came before, and is tried again by the next one`() async throws
    {
        let isBroken = Lock(true)
        let session = Self.session { target in
            if target.hasSuffix("page=2"), isBroken.withLock({ $0 }) { return .json("{}", statusCode: 500) }
            return Self.linked(target)
        }
        var order = Self.order(SavedPages(.link("next")))
        let broken = try await Self.result(session, order)
        #expect(broken.failures == ["page 2: 500 Internal Server Error"])
        #expect(Self.body(broken) == "[1, 2]" && broken.pages == PageSummary(count: 1, hasMore: true))
        isBroken.withLock { $0 = false }
        order.continuesPages = true
        let whole = try await Self.result(session, order)
        #expect(whole.passed && Self.body(whole) == "[1, 2,{\"id\": 3}]", "\(whole.failures)")
        #expect(whole.pages == PageSummary(count: 3))
    }

    @Test func `each page has the retries of its request`() async throws {
        let tries = Lock(0)
        let session = Self.session { target in
            if target.hasSuffix("page=3"),
                tries.withLock({
                    $0 += 1
                    return $0
                }) < 3
            {
                return .json("", statusCode: 503)
            }
            return Self.linked(target)
        }
        let order = Self.order(SavedPages(.link("next"))) { $0.policy = RequestPolicy(retries: 2) }
        let result = try await Self.result(session, order)
        #expect(result.passed && result.report?.attempts.map(\.number) == [1, 2, 3, 4, 5], "\(result.failures)")
        #expect(result.attemptsOfPage == 3)
    }

    @Test func `a maximum leaves the rest for a run that goes on`() async throws {
        let session = Self.session { Self.linked($0) }
        var order = Self.order(SavedPages(.link("next"), maximum: 1))
        let first = try await Self.result(session, order)
        #expect(Self.body(first) == "[1, 2]" && first.pages?.words == "1 page, more follow")
        (order.continuesPages, order.pages) = (true, .count(1))
        let events = await session.events(of: order)
        guard case .ended(let second)? = events.last else { return }
        #expect(Self.body(second) == "[1, 2]" && second.pages == PageSummary(count: 2, hasMore: true))
        order.pages = .all
        let third = try await Self.result(session, order)
        #expect(Self.body(third) == "[1, 2,{\"id\": 3}]" && third.pages == PageSummary(count: 3))
    }

    @Test func `a page that was there before ends the list with a sentence`() async throws {
        let session = Self.session { _ in .json("[1]", headers: ["Link": "</v1/list>; rel=next"]) }
        let result = try await Self.result(session, Self.order(SavedPages(.link("next"))))
        #expect(
            result.failures == [
                "page 2 would be http://api.test/v1/list again, which was requested before: the pages end here"
            ])
        #expect(result.pages == PageSummary(count: 1))
    }

    @Test func `another origin gets no secrets, also when it leads back`() async throws {
        let record = StubTransport.Record()
        let session = Self.session(record) { target in
            switch target {
            case "api.test/v1/list": .json("[1]", headers: ["Link": "<http://evil.test/2>; rel=next"])
            case "evil.test/2": .json("[2]", headers: ["Link": "<http://api.test/v1/list?3>; rel=next"])
            default: .json("[3]")
            }
        }
        let order = Self.order(SavedPages(.link("next"))) { request in
            request.headers = [Field("Accept", "a/b"), Field("X-Own", "x {{key}}"), Field("Cookie", "a=b")]
            request.authentication = .bearer(BearerAuthentication(token: "{{key}}"))
            request.connection = SavedConnection()
            request.connection?.pins = ["sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE="]
        }
        let result = try await Self.result(session, order)
        #expect(Self.body(result) == "[1,2,3]", "\(result.failures)")
        let sent = record.requests
        #expect(sent.map { $0.headers["Accept"]?.text } == ["a/b", "a/b", "a/b"])
        for name in ["X-Own", "X-Key", "Cookie", "Authorization"] {
            #expect(sent.map { $0.headers[.init(name)] != nil } == [true, false, false], "\(name)")
        }
        #expect(sent.map { $0.connection.tls.pinnedPublicKeys.isEmpty } == [false, true, true])
    }

    @Test func `another origin gets no body, so only GET goes there`() async throws {
        let session = Self.session { _ in .json("[1]", headers: ["Link": "<http://evil.test/2>; rel=next"]) }
        let order = Self.order(SavedPages(.link("next"))) { $0.method = .post }
        let result = try await Self.result(session, order)
        #expect(result.failures == ["page 2 is at another origin, http://evil.test/2: only GET and HEAD go there"])
    }

    @Test func `a link that leaves out the API key of the query gets it`() async throws {
        let record = StubTransport.Record()
        let order = Self.order(SavedPages(.link("next"))) { request in
            request.authentication = .apiKey(APIKeyAuthentication(name: "key", value: "{{key}}", location: .query))
        }
        let result = try await Self.result(
            Self.session(record) { target in
                target.contains("page=2") ? .json("[2]") : .json("[1]", headers: ["Link": "<list?page=2>; rel=next"])
            }, order)
        #expect(result.passed)
        #expect(record.requests.map { $0.url.query() } == ["key=s3cr3t", "page=2&key=s3cr3t"])
    }

    @Test func `what a server says is no template`() async throws {
        let record = StubTransport.Record()
        let session = Self.session(record) { target in
            target.contains("t=") ? .json("{\"i\":[]}") : .json("{\"i\":[],\"n\":\"{{key}}\"}")
        }
        let pages = SavedPages(.token(path: "$.n", parameter: "t"), items: "$.i")
        _ = try await Self.result(session, Self.order(pages))
        #expect(record.requests.last?.url.query()?.contains("s3cr3t") == false)
        #expect(record.requests.count == 2)
    }

    @Test(
        arguments: [
            ("$.items", "{}", "page 1: $.items selects no array"),
            ("$.items", "no", "page 1: $.items selects no array"),
            ("$..a", "{\"a\":[],\"b\":{\"a\":[]}}", "page 1: $..a selects several values"),
        ])
    func `a page without the array says so`(items: String, body: String, failure: String) async throws {
        let session = Self.session { _ in .json(body) }
        let result = try await Self.result(session, Self.order(SavedPages(.link("next"), items: items)))
        #expect(result.failures == [failure] && Self.body(result) == body)
    }

    @Test func `the history keeps the joined body with the number of pages`() async throws {
        let result = try await Self.result(Self.session { Self.linked($0) }, Self.order(SavedPages(.link("next"))))
        var read = SessionResult(result.ending)
        RecordedDetails.read(try JSONValue.parse(RecordedDetails.text(result)), into: &read)
        #expect(read.pages == PageSummary(count: 3))
    }
}
