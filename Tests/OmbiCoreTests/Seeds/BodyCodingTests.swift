import Foundation
import OmbiCore
import TestSupport
import Testing

/// Bodies, there and back through a real server.
@Suite struct BodyCodingTests {
    /// Sends a body to a server that sends it back.
    static func mirrored<Sent: Sendable, Received: Sendable>(
        _ request: ComposableRequest<Sent, Received, HTTPError>, _ body: Sent
    ) async throws -> RequestResponse<Received> {
        try await RealServer.scripted({ .response(status: 200, headers: [], body: $0.body) }) { (server) async throws in
            try await RequestManager(host: server.host).response(for: request.method(.post).body(body))
        }
    }

    static let values: [AnyJSON] = [
        nil, true, 0, -1, 9_007_199_254_740_993, 1.5, 1e300, "", "ä\"\\\n🦊", [], [[1, [2]], [:]],
        ["name": "Ada", "tags": ["a", "b"], "age": 36, "nothing": nil, "nested": ["deep": [["x": 1.25]]]],
    ]

    @Test(arguments: values) func `any JSON comes back as it was`(value: AnyJSON) async throws {
        let response = try await Self.mirrored(ComposableRequest<AnyJSON, AnyJSON, HTTPError>(), value)
        #expect(response.body == value)
    }

    @Test func `literals nest as they are written`() {
        let value: AnyJSON = ["a": [1, 2.5, true, nil, "x"]]
        #expect(value == .object(["a": .array([.integer(1), .number(2.5), .bool(true), .null, .string("x")])]))
    }

    @Test func `members and elements are looked up safely`() {
        var value: AnyJSON = ["a": [10, ["b": "c"]]]
        #expect(value["a"]?[1]?["b"]?.stringValue == "c")
        #expect(value["x"] == nil && value["a"]?[-1] == nil && value["a"]?[2] == nil && value["a"]?["b"] == nil)
        #expect(AnyJSON.string("x")[0] == nil && AnyJSON.null["x"] == nil)
        value["n"] = 1
        value["a"] = nil
        #expect(value == ["n": 1])
    }

    @Test func `a number is equal however it was written`() throws {
        let read = try BodyDecoder<AnyJSON>.default.decode(Data("[1.0, 1, 1e0, 0.5]".utf8))
        #expect(read == [1, 1.0, 1, 0.5])
        #expect(read?.hashValue == AnyJSON.array([1.0, 1, 1, 0.5]).hashValue)
        #expect(AnyJSON.number(.nan) != AnyJSON.number(.nan) && AnyJSON.number(1e300) != 1)
    }

    @Test func `parameters come back as they were`() async throws {
        let form: RequestParameters = ["a": "&=+%20 ä", "n": 1, "d": 0.5, "b": false, "empty": ""]
        let response = try await Self.mirrored(
            ComposableRequest<RequestParameters, RequestParameters, HTTPError>(), form)
        let texts = form.allParameters.map(\.value.text)
        #expect(response.body?.allParameters.map(\.name) == ["a", "n", "d", "b", "empty"])
        #expect(response.body?.allParameters.map(\.value.text) == texts)
    }

    @Test func `parameters are read and changed`() {
        var form: RequestParameters = ["a": "1", "b": true]
        #expect(form["a"] == "1" && form["c"] == nil)
        form["a"] = 2
        form["b"] = nil
        form["c"] = 1.5
        #expect(form.allParameters == [.init("a", 2), .init("c", 1.5)])
    }

    @Test(arguments: [String.Encoding.utf8, .isoLatin1, .utf16]) func `text comes back in its encoding`(
        encoding: String.Encoding
    ) async throws {
        let request = ComposableRequest<String, String, HTTPError>()
            .encodeBody(with: BodyEncoder(encoding: encoding)).decodeBody(with: BodyDecoder(encoding: encoding))
        #expect(try await Self.mirrored(request, "Grüße").body == "Grüße")
    }

    @Test func `text in another encoding is a typed error`() async throws {
        let latin = ComposableRequest<String, String, HTTPError>().encodeBody(with: BodyEncoder(encoding: .ascii))
        await #expect(
            throws: RequestError<HTTPError>.malformedRequest(
                CodingFailure("the text cannot be written in the encoding Western (ASCII)"))
        ) {
            try await Self.mirrored(latin, "ä")
        }
        try await RealServer.demo { (host) async throws in
            let invalid = ComposableRequest<NoBody, String, HTTPError>().path("/encoding/invalid-utf8")
            await #expect(
                throws: RequestError<HTTPError>.decodingError(
                    CodingFailure("the body is not text in the encoding Unicode (UTF-8)"))
            ) {
                try await RequestManager(host: host).response(for: invalid)
            }
        }
    }

    @Test func `coders are values`() throws {
        let hi = Data("hi".utf8)
        #expect(try BodyEncoder<String>.default.encode("hi") == hi && BodyEncoder<String>().encode(nil) == nil)
        #expect(try BodyDecoder<String>.default.decode(hi) == "hi" && BodyDecoder<String>().decode(nil) == nil)
        #expect(try BodyEncoder<Data>.default.encode(hi) == hi && BodyDecoder<Data>.default.decode(hi) == hi)
        let sorted = JSONEncoder.OutputFormatting([.sortedKeys, .prettyPrinted])
        let pretty = try BodyEncoder<AnyJSON>(options: sorted).encode(["b": 1, "a": 2])
        #expect(pretty.map { String(decoding: $0, as: UTF8.self) } == "{\n  \"a\" : 2,\n  \"b\" : 1\n}")
        #expect(try BodyEncoder<Int>.fatal.encode(nil) == nil && BodyDecoder<Int>.fatal.decode(Data()) == nil)
        #expect(throws: CodingFailure("Int has no encoder")) { try BodyEncoder<Int>.fatal.encode(1) }
        #expect(throws: CodingFailure("Int has no decoder")) { try BodyDecoder<Int>.fatal.decode(hi) }
    }

    struct Event: Codable, Equatable {
        let firstName: String
        let at: Date
    }

    @Test func `JSON is coded as told to`() async throws {
        let request = ComposableRequest<Event, Event, HTTPError>()
            .encodeBody(
                with: .json(
                    encoder: {
                        let encoder = JSONEncoder()
                        encoder.keyEncodingStrategy = .convertToSnakeCase
                        encoder.dateEncodingStrategy = .iso8601
                        return encoder
                    }())
            )
            .decodeBody(
                with: .json(
                    decoder: {
                        let decoder = JSONDecoder()
                        decoder.keyDecodingStrategy = .convertFromSnakeCase
                        decoder.dateDecodingStrategy = .iso8601
                        return decoder
                    }()))
        let event = Event(firstName: "Ada", at: Date(timeIntervalSince1970: 0))
        #expect(try await Self.mirrored(request, event).body == event)
        let built = try RequestManager(host: "http://h").buildRequest(for: request.body(event))
        let json = try JSONDecoder().decode(AnyJSON.self, from: try #require(built.body))
        #expect(json == ["first_name": "Ada", "at": "1970-01-01T00:00:00Z"])
    }

    struct Token: AutomaticBodyCoding, Equatable {
        static let contentType: RequestHeaders.Value? = "application/x-token"
        static let acceptType: RequestHeaders.Value? = "application/x-token"
        let text: String

        init(text: String) { self.text = text }

        init?(fromData data: Data?) throws {
            guard let data, !data.isEmpty else { return nil }
            guard data.count > 1 else { throw CodingFailure("a token is longer") }
            text = String(decoding: data, as: UTF8.self)
        }

        func asData() throws -> Data? { Data(text.utf8) }
    }

    struct TokenRequest: HTTPRequest {
        typealias RequestBody = Token
        typealias ResponseBody = Token
        let path = "/"
        let method = RequestMethod.put
        let body: Token
    }

    @Test func `a type that codes itself goes there and back`() async throws {
        try await RealServer.scripted({ .response(status: 200, headers: [], body: $0.body) }) { (server) async throws in
            let manager = RequestManager(host: server.host)
            #expect(try await manager.response(for: TokenRequest(body: Token(text: "abc"))).body == Token(text: "abc"))
            #expect(try await manager.response(for: TokenRequest(body: Token(text: ""))).body == nil)
            let failure = RequestError<HTTPError>.decodingError(CodingFailure("a token is longer"))
            await #expect(throws: failure) { try await manager.response(for: TokenRequest(body: Token(text: "a"))) }
            #expect(server.requests.first?.headers["content-type"] == "application/x-token")
            #expect(server.requests.first?.headers["accept"] == "application/x-token")
        }
    }

    @Test func `a validator may change the response`() async throws {
        let shouting = ResponseValidator<String, HTTPError> { response in
            var response = response
            response.body = response.body?.uppercased()
            return .success(response)
        }
        let request = ComposableRequest<String, String, HTTPError>().validateResponse(with: shouting)
        #expect(try await Self.mirrored(request, "hi").body == "HI")
        let bad = RequestResponse(statusCode: 500, body: "x")
        #expect(try ResponseValidator<String, HTTPError>.unsafe.validate(bad).get() == bad)
        #expect(throws: HTTPError.serverError) { try ResponseValidator<String, HTTPError>.default.validate(bad).get() }
        #expect(try ResponseValidator<String, NoError>.default.validate(bad).get() == bad)
    }

    struct Upload: HTTPRequest {
        typealias RequestBody = MultipartForm
        typealias ResponseBody = Data
        let path = "/"
        let method = RequestMethod.post
        let body: MultipartForm
    }

    @Test func `a form of several parts arrives as RFC 7578 has it`() async throws {
        let form = MultipartForm(
            parts: [
                .init(value: "v", name: "a\"b"),
                .init(data: Data([0, 13, 10, 255]), name: "file", mimeType: "image/png", fileName: "ä.png"),
            ], boundary: "B")
        let arrived = try await RealServer.arrival(of: Upload(body: form))
        #expect(arrived.headers["content-type"] == "multipart/form-data; boundary=B")
        let head = "--B\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\nv\r\n--B\r\n"
        let file =
            "Content-Disposition: form-data; name=\"file\"; filename=\"ä.png\"\r\nContent-Type: image/png\r\n\r\n"
        #expect(arrived.body == Data((head + file).utf8) + Data([0, 13, 10, 255]) + Data("\r\n--B--\r\n".utf8))
        #expect(MultipartForm(parts: []).boundary != MultipartForm(parts: []).boundary)
        let composed = ComposableRequest<MultipartForm, Data, HTTPError>().method(.post).body(form)
        #expect(try await RealServer.arrival(of: composed).body == arrived.body)
    }
}
