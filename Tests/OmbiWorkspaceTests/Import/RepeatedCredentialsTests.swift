import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Credentials that an imported file has several times.
@Suite struct RepeatedCredentialsTests {
    private static let token = "tk4Zr9QmW1xVb7Np2Ls8"
    private static let secrets = [ImportedSecret(name: "token", value: token, environment: nil)]

    private func replaced(_ text: String) throws -> String {
        var replacement = RepeatedCredentials(Self.secrets)
        return replacement.replaced(in: try JSONValue.parse(text)).compact
    }

    @Test func `a credential of a file is nowhere else in the collection`() throws {
        let token = Self.token
        let request = PostmanSample.request(
            #""method": "POST", "url": "https://a.test/x?csrf=\#(token)", "description": "Send \#(token).", "#
                + #""header": [{"key": "anti-csrf", "value": "a \#(token)"}, "#
                + #"{"key": "Content-Type", "value": "application/json"}], "#
                + #""body": {"mode": "raw", "raw": "{\"a\": [\"\#(token)\"]}"}"#)
        let (imported, _) = try PostmanSample.imported(
            PostmanSample.collection(
                request, #", "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "\#(token)"}]}"#))
        #expect(!imported.written(keeping: .drop).text.contains(token))
        #expect(imported.secrets == Self.secrets)
        let saved = try #require(imported.collection.requests.first)
        #expect(saved.description == "Send ••••••.")
        #expect(saved.headers == [Field("anti-csrf", "a {{token}}")])
        #expect(saved.query == [Field("csrf", "{{token}}")])
        #expect(saved.body == .json(JSONContent(.object([.init("a", .array([.string("{{token}}")]))]))))
    }

    @Test(
        arguments: [
            ("none", "none"), ("ab/cd+ef=gh1234567", "{{key}}"), ("x=ab%2Fcd%2Bef%3Dgh1234567&y", "x={{key}}&y"),
            (#"\ab/cd+ef=gh1234567"#, #"\\{{key}}"#), ("{ab/cd+ef=gh1234567}", "{{{key}}}"),
            (#"\{ab/cd+ef=gh1234567"#, #"\\{{{key}}"#), ("{{key}} ab/cd+ef=gh1234567", "{{key}} {{key}}"),
            ("ab/cd+ef=gh123456", "ab/cd+ef=gh123456"),
        ] as [(String, String)])
    func `a template stands for the credential in a text`(text: String, template: String) {
        let secret = ImportedSecret(name: "key", value: "ab/cd+ef=gh1234567", environment: nil)
        #expect(CredentialFinder([secret]).template(text) == template)
    }

    @Test func `a credential is found as browsers encode it`() {
        let secret = ImportedSecret(name: "key", value: "a(b)=c!d/1234", environment: nil)
        #expect(CredentialFinder([secret]).template("?x=a(b)%3Dc!d%2F1234") == "?x={{key}}")
    }

    @Test func `a short value stays, and of two values the longer one counts`() {
        let values = ["short", "abcdefghijkl", "abcdefghijklmnop"]
        let secrets = values.enumerated().map {
            ImportedSecret(name: "s\($0.offset)", value: $0.element, environment: nil)
        }
        let finder = CredentialFinder(secrets)
        #expect(finder.template("short abcdefghijklmnop abcdefghijkl") == "short {{s2}} {{s1}}")
        #expect(finder.masked("abcdefghijklmnop.") == "••••••.")
    }

    @Test func `no variable names itself`() throws {
        let token = Self.token
        #expect(
            try replaced(#"{"variables": {"a": "\#(token)", "token": "\#(token)"}}"#)
                == #"{"variables":{"a":"{{token}}","token":"••••••"}}"#)
        #expect(
            try replaced(#"{"variables": [{"name": "token", "value": "\#(token)"}]}"#)
                == #"{"variables":[{"name":"token","value":"••••••"}]}"#)
        let (value, description) = (#""value": "\#(token)""#, #""description": "Send \#(token)""#)
        #expect(
            try replaced(#"{"variables": {"a": {\#(value)}, "token": {\#(value), \#(description)}}}"#)
                == #"{"variables":{"a":{"value":"{{token}}"},"token":{"value":"••••••","description":"Send ••••••"}}}"#)
    }

    @Test func `a template in an example would mean nothing`() throws {
        #expect(
            try replaced(#"{"examples": [{"name": "ok", "body": "a \#(Self.token)"}]}"#)
                == #"{"examples":[{"name":"ok","body":"a ••••••"}]}"#)
    }

    @Test func `an expectation that repeats a credential is left out`() throws {
        let token = Self.token
        #expect(
            try replaced(
                #"{"expect": {"status": "200", "body": [{"path": "$.a", "equals": "\#(token)"}, {"contains": "b"}]}}"#)
                == #"{"expect":{"status":"200","body":[{"contains":"b"}]}}"#)
        #expect(try replaced(#"{"path": "/x", "expect": {"body": [{"equals": "\#(token)"}]}}"#) == #"{"path":"/x"}"#)
    }

    @Test func `a word of the format stays, whatever the credentials are`() {
        let secret = ImportedSecret(name: "a", value: "authorizationCode", environment: nil)
        var replacement = RepeatedCredentials([secret])
        let settings: JSONValue = ["oauth2": ["grant": "authorizationCode", "clientID": "authorizationCode"]]
        let result = replacement.replaced(in: settings)
        #expect(result == ["oauth2": ["grant": "authorizationCode", "clientID": "{{a}}"]])
    }

    @Test func `a sample of a document is a credential only if it looks like one`() throws {
        let type = "urn:ietf:params:oauth:token-type:access_token"
        let (request, _) = try OpenAPISample.only(
            #""requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": {"type": "object", "#
                + #""required": ["token_type", "client_secret"], "properties": {"#
                + #""token_type": {"type": "string", "example": "\#(type)"}, "#
                + #""client_secret": {"type": "string", "example": "\#(Self.token)"}}}}}}"#)
        #expect(
            request.body
                == .form(FormContent([Field("token_type", type), Field("client_secret", "{{client_secret}}")])))
    }
}
