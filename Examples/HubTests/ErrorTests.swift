import OmbiCore
import Testing

@testable import Hub

@Suite struct ErrorTests {
    let record = StubTransport.Record()

    @Test func aRefusalIsReadBeforeTheBody() async {
        let refusal = #"{"message": "Validation Failed", "errors": [{"field": "title", "code": "missing"}]}"#
        let hub = Hub(record: record) { _ in .json(refusal, statusCode: 422) }
        let error = await #expect(throws: RequestError<HubError>.self) {
            try await hub.value(for: CreateIssue(repository: "ada/engine", body: .init(title: "")))
        }
        let expected = HubError(
            status: 422, message: "Validation Failed", problems: [.init(field: "title", code: "missing")])
        #expect(error == .validationError(expected))
        #expect(error?.description == "Validation Failed; title is missing")
        #expect(record.lines.count == 1)
    }

    @Test func aPageOfAProxyIsAnErrorByItsStatus() async {
        let hub = Hub(record: record) { _ in .response(statusCode: 404, data: Data("<html>".utf8)) }
        await #expect(throws: RequestError.validationError(HubError(status: 404, message: "404 Not Found"))) {
            try await hub.value(for: UserByLogin(login: "ada"))
        }
    }

    @Test func aSuccessOfAnotherShapeIsAnErrorOfTheDecoder() async {
        let hub = Hub(record: record) { _ in .json(#"{"login": 7}"#) }
        let error = await #expect(throws: RequestError<HubError>.self) {
            try await hub.value(for: UserByLogin(login: "ada"))
        }
        #expect(error?.stage == .parsing)
        #expect(error?.response?.body == Data(#"{"login": 7}"#.utf8))
    }
}
