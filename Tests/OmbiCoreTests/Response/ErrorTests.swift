import Foundation
import OmbiCore
import Testing

@Suite struct ErrorTests {
    @Test(
        arguments: [
            (200, nil), (299, nil), (100, HTTPError.unknownErrorCode(100)), (304, .unknownErrorCode(304)),
            (400, .badRequest), (401, .unauthorized), (402, .error4xx(402)), (403, .forbidden), (404, .notFound),
            (499, .error4xx(499)), (500, .serverError), (501, .error5xx(501)), (599, .error5xx(599)),
            (600, .unknownErrorCode(600)), (-1, .unknownErrorCode(-1)),
        ] as [(Int, HTTPError?)])
    func `a status gives its error`(code: Int, error: HTTPError?) {
        #expect(HTTPError(code) == error)
        #expect(HTTPError(code).map(\.statusCode) ?? code == code)
    }

    struct Order: Decodable {
        struct Line: Decodable { let id: Int }
        let lines: [Line]
    }

    @Test(arguments: [
        (#"{"lines": [{"id": 1}, {}]}"#, #"$.lines[1] has no "id""#),
        (#"{"lines": [{"id": "x"}]}"#, "$.lines[0].id is a string, expected an integer"),
        (#"{"lines": null}"#, "$.lines is null, expected an array"),
    ])
    func `a decoding error names the place`(json: String, words: String) async throws {
        let request = ComposableRequest<NoBody, Order, HTTPError>()
        let manager = RequestManager(
            host: "http://h", transport: StubTransport.stubJSONResponse(statusCode: 200, data: Data(json.utf8)))
        await #expect(
            performing: { try await manager.response(for: request) },
            throws: { error in
                "\(error)" == "the response could not be decoded: \(words)"
            })
    }

    @Test func `every error has its stage`() {
        let errors: [RequestError<HTTPError>] = [
            .malformedRequest(CodingFailure("x")), .connectionError(TransportError(code: .unknown)), .timedOut(),
            .slaExceeded(), .cancelled, .unknownError, .decodingError(CodingFailure("x")), .validationError(.notFound),
        ]
        #expect(
            errors.map(\.stage) == [
                .creation, .execution, .execution, .execution, .execution, .execution, .parsing, .validation,
            ])
        #expect(errors.last?.localizedDescription == "the server answered 404 Not Found")
    }

    @Test func `text of a server in an error of one's own comes without control characters`() {
        struct Problem: Error, CustomStringConvertible {
            let description = "\u{1B}[2J\r\ngone\u{9B}31m"
        }
        let escaped = "\\u{1B}[2J\\r\\ngone\\u{009B}31m"
        let transport = TransportError(code: .unknown, message: "\u{1B}[2J\r\ngone\u{9B}31m")
        for error in [
            RequestError<Problem>.validationError(Problem()), .decodingError(Problem()), .middlewareFailed(Problem()),
            .authenticationFailed(Problem()), .malformedRequest(Problem()), .connectionError(transport),
            .timedOut(transport),
        ] {
            #expect(error.description.hasSuffix(escaped))
        }
        #expect(WebSocketError.middlewareFailed(Problem()).description.hasSuffix(escaped))
    }
}
