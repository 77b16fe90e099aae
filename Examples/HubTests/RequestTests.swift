import OmbiCore
import Testing

@testable import Hub

@Suite struct RequestTests {
    let record = StubTransport.Record()

    @Test func aUserIsReadFromSnakeCase() async throws {
        let hub = Hub(record: record) { _ in .json(#"{"login": "ada", "name": null, "public_repos": 3}"#) }
        #expect(try await hub.value(for: UserByLogin(login: "ada")) == User(login: "ada", name: nil, publicRepos: 3))
        #expect(record.lines == ["GET /users/ada"])
        #expect(record.calls.first?.headers[.acceptType]?.text == "application/vnd.hub+json")
        #expect(record.calls.first?.headers["X-Hub-Version"]?.text == "2026-11-22")
    }

    @Test func aRepositoryIsFoundByItsName() async throws {
        let hub = Hub(record: record) { _ in .json(#"{"full_name": "ada/engine", "stargazers_count": 9}"#) }
        #expect(try await hub.value(for: RepositoryByName(name: "ada/engine")).stargazersCount == 9)
        #expect(record.lines == ["GET /repos/ada/engine"])
    }

    @Test func anIssueIsOpened() async throws {
        let hub = Hub(record: record) { _ in
            .json(#"{"number": 7, "title": "Steam", "state": "open"}"#, statusCode: 201)
        }
        let request = CreateIssue(repository: "ada/engine", body: .init(title: "Steam", labels: ["bug"]))
        #expect(try await hub.value(for: request) == Issue(number: 7, title: "Steam", state: .open))
        #expect(record.lines == ["POST /repos/ada/engine/issues"])
        #expect(try record.json == ["title": "Steam", "labels": ["bug"]])
    }

    @Test func aChangeSendsOnlyWhatChanges() async throws {
        let hub = Hub(record: record) { _ in .json(#"{"number": 7, "title": "Steam", "state": "closed"}"#) }
        let request = EditIssue(repository: "ada/engine", number: 7, body: .init(state: .closed))
        #expect(try await hub.value(for: request).state == .closed)
        #expect(record.lines == ["PATCH /repos/ada/engine/issues/7"])
        #expect(try record.json == ["state": "closed"])
    }

    @Test func starsComeAndGoWithoutABody() async throws {
        let hub = Hub(record: record) { _ in .response(statusCode: 204) }
        _ = try await hub.value(for: Star(repository: "ada/engine"))
        _ = try await hub.value(for: Unstar(repository: "ada/engine"))
        #expect(record.lines == ["PUT /user/starred/ada/engine", "DELETE /user/starred/ada/engine"])
        #expect(record.calls.allSatisfy { $0.bodyLength == nil })
    }

    @Test(arguments: [204: true, 404: false])
    func aMissingStarIsAnAnswer(status: Int, isStarred: Bool) async throws {
        let hub = Hub(record: record) { _ in .response(statusCode: status) }
        #expect(try await hub.value(for: IsStarred(repository: "ada/engine")) == isStarred)
    }
}

extension StubTransport.Record {
    /// The body of the last request.
    var json: AnyJSON { get throws { try JSONDecoder().decode(AnyJSON.self, from: calls.last?.body ?? Data()) } }
}
