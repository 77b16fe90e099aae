import OmbiCore
import Testing

@testable import Hub

@Suite struct PagingTests {
    let record = StubTransport.Record()

    /// Three pages of one repository each.
    private func pages(of request: TransportRequest) -> StubTransport.Reply {
        let query = URLComponents(string: request.url.absoluteString)?.queryItems ?? []
        let page = query.first { $0.name == "page" }.flatMap { $0.value.flatMap(Int.init) } ?? 1
        let next = #"<https://elsewhere.example.com/user/1/repos?per_page=100&page=\#(page + 1)>; rel="next""#
        return .json(
            #"[{"full_name": "ada/r\#(page)", "stargazers_count": 0}]"#,
            headers: page < 3 ? ["Link": .string(#"<https://a.example.com/>; rel="prev", "# + next)] : [:])
    }

    @Test func pagesFollowTheLinkUntilThereIsNone() async throws {
        let hub = Hub(record: record, pages)
        var names: [String] = []
        for try await page in hub.pages(RepositoriesOfUser(login: "ada")) { names += page.map(\.fullName) }
        #expect(names == ["ada/r1", "ada/r2", "ada/r3"])
        let urls = record.calls.map(\.url.absoluteString)
        #expect(urls.last == "https://api.example.com/users/ada/repos?per_page=100&page=3")
    }

    @Test func aPageIsRequestedWhenItIsAskedFor() async throws {
        let hub = Hub(record: record, pages)
        for try await _ in hub.pages(RepositoriesOfUser(login: "ada")) { break }
        #expect(record.calls.count == 1)
    }

    @Test func anErrorIsThrownOnceAndEndsThePages() async throws {
        let hub = Hub(record: record) { request in
            request.url.query?.contains("&page=2") == true
                ? .json(#"{"message": "Gone"}"#, statusCode: 410) : pages(of: request)
        }
        var iterator = hub.pages(RepositoriesOfUser(login: "ada")).makeAsyncIterator()
        let first = try await iterator.next()
        #expect(first?.count == 1)
        await #expect(throws: RequestError.validationError(HubError(status: 410, message: "Gone"))) {
            try await iterator.next()
        }
        let last = try await iterator.next()
        #expect(last == nil)
    }

    @Test func aSearchEscapesItsTextAndUnwrapsItsItems() async throws {
        let hub = Hub(record: record) { _ in
            .json(#"{"total_count": 1, "items": [{"full_name": "c/c++", "stargazers_count": 1}]}"#)
        }
        var iterator = hub.pages(SearchRepositories("c++ language:c")).makeAsyncIterator()
        let page = try await iterator.next()
        #expect(page?.map(\.fullName) == ["c/c++"])
        #expect(record.calls.first?.url.query?.hasPrefix("q=c%2B%2B%20language:c&") == true)
    }
}
