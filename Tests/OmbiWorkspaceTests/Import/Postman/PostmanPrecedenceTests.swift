import Testing

@testable import OmbiWorkspace

/// The parts of a request that others of Postman take the place of.
@Suite struct PostmanPrecedenceTests {
    private static let key = #"{"type": "apikey", "apikey": {"key": "X-Key", "value": "{{k}}", "in": "PLACE"}}"#

    /// The request of a collection with an API key in a header or in the query.
    private func request(_ members: String, keyIn place: String) throws -> (SavedRequest, [ImportNote]) {
        let auth = Self.key.replacing("PLACE", with: place)
        let (imported, notes) = try PostmanSample.imported(
            PostmanSample.collection(PostmanSample.request(members), ", \"auth\": \(auth)"))
        return (try #require(imported.collection.requests.first), notes)
    }

    @Test func `credentials of the collection take the place of a header of the request`() throws {
        let header = #""url": "https://a.test/x", "header": [{"key": "x-key", "value": "{{own}}"}]"#
        let (request, notes) = try request(header, keyIn: "header")
        #expect(request.headers == [Field("x-key", "{{own}}", enabled: false)])
        #expect(notes.contains { $0.kind == .remark && $0.subject == "x-key" })
        let (free, _) = try self.request(header + #", "auth": {"type": "noauth"}"#, keyIn: "header")
        #expect(free.headers == [Field("x-key", "{{own}}")])
        let (other, _) = try self.request(
            header + #", "auth": {"type": "basic", "basic": {"username": "a", "password": "{{p}}"}}"#, keyIn: "header")
        #expect(other.headers == [Field("x-key", "{{own}}")])
    }

    @Test func `a key in the query takes the place of the row with its name`() throws {
        let url = #""url": "https://a.test/x?X-Key={{own}}&x-key={{own}}""#
        let (request, _) = try request(url, keyIn: "query")
        #expect(request.query == [Field("X-Key", "{{own}}", enabled: false), Field("x-key", "{{own}}")])
    }

    @Test func `credentials without a token leave the header as it is`() throws {
        let (request, notes) = try PostmanSample.only(
            #""url": "https://a.test/x", "header": [{"key": "Authorization", "value": "{{own}}"}], "#
                + #""auth": {"type": "bearer", "bearer": [{"key": "token", "value": ""}]}"#)
        #expect(request.headers == [Field("Authorization", "{{own}}")])
        #expect(notes.contains { $0.kind == .loss && $0.subject == "bearer" })
    }

    @Test func `a request that obtains the inherited token sends the credentials that are written in it`() throws {
        let header = #""header": [{"key": "Authorization", "value": "Basic {{own}}"}], "url": "https://a.test/login""#
        let test = #"pm.environment.set('t', pm.response.json().token);"#
        let event = ", \"event\": [{\"listen\": \"test\", \"script\": {\"exec\": [\"\(test)\"]}}]"
        let login = PostmanSample.request(header, event)
        let auth = #", "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{t}}"}]}"#
        let (imported, notes) = try PostmanSample.imported(
            PostmanSample.collection("\(login), \(PostmanSample.request(header))", auth))
        let requests = imported.collection.requests
        #expect(requests.map(\.authentication) == [.noAuthentication, nil])
        #expect(requests.map { $0.headers.first?.enabled } == [true, false])
        #expect(notes.contains { $0.subject == "Authorization" && $0.message.hasPrefix("sent as it is written") })
        let own = PostmanSample.request(header + auth, event)
        let (other, _) = try PostmanSample.imported(PostmanSample.collection(own, auth))
        #expect(other.collection.requests.first?.headers.first?.enabled == false)
    }

    @Test func `the credentials of one folder are none of the next`() throws {
        let request = PostmanSample.request(
            #""url": "https://a.test/x", "header": [{"key": "Authorization", "value": "{{own}}"}]"#)
        let auth = #"{"type": "bearer", "bearer": [{"key": "token", "value": "{{t}}"}]}"#
        let (imported, _) = try PostmanSample.imported(
            PostmanSample.collection(
                "{\"name\": \"f\", \"auth\": \(auth), \"item\": [\(request)]}, "
                    + "{\"name\": \"g\", \"item\": [\(request)]}"))
        #expect(imported.collection.requests.map { $0.headers.first?.enabled } == [false, true])
    }

    @Test func `a setting of the protocol without a counterpart is a loss`() throws {
        let (_, notes) = try PostmanSample.only(
            #""method": "POST", "url": "https://a.test/x", "body": {"mode": "raw", "raw": "{}"}"#,
            #", "protocolProfileBehavior": {"disabledSystemHeaders": {"content-type": true, "accept": true}, "#
                + #""followAuthorizationHeader": true, "tlsDisabledProtocols": ["TLSv1"], "tlsCipherSelection": []}"#)
        let losses = notes.filter { $0.kind == .loss }.map(\.subject)
        #expect(
            Set(losses) == ["disabledSystemHeaders", "followAuthorizationHeader", "tlsDisabledProtocols"], "\(losses)")
    }

    @Test func `variables whose names differ in signs alone stay apart, or are a loss`() throws {
        let url = #""url": "https://a.test/{{b_c}}/{{b c}}/{{b/c}}""#
        let (request, notes) = try PostmanSample.only(url)
        #expect(request.path == "/{{b_c}}/{{b_c_}}/{{b_c__}}")
        #expect(!notes.contains { $0.kind == .loss && $0.subject == "b_c" })
        let (late, others) = try PostmanSample.only(#""url": "https://a.test/{{b c}}/{{b_c}}""#)
        #expect(late.path == "/{{b_c}}/{{b_c}}")
        #expect(others.contains { $0.kind == .loss && $0.subject == "b_c" })
    }

    @Test func `a body of no kind is none`() throws {
        let (request, notes) = try PostmanSample.only(#""url": "https://a.test/x", "body": {"mode": "none"}"#)
        #expect(request.body == nil && notes.isEmpty)
    }

    @Test func `the environment in an answer of the API is one`() throws {
        let environment = PostmanSample.environment("E", #"{"key": "a", "value": "1"}"#)
        let (imported, _) = try PostmanSample.imported("{\"environment\": \(environment)}")
        #expect(imported.collection.environments.map(\.name) == ["E"])
        #expect(imported.collection.environments.first?.variables == [Field("a", "1")])
    }
}
