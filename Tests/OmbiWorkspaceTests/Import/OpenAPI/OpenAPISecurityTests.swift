import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Security schemes as credentials.
@Suite struct OpenAPISecurityTests {
    private static let schemes = """
        "components": {"securitySchemes": {
        "basic": {"type": "http", "scheme": "BASIC"}, "hoba": {"type": "http", "scheme": "hoba"},
        "digest": {"type": "http", "scheme": "Digest"}, "login": {"type": "http", "scheme": "bearer"},
        "query": {"type": "apiKey", "in": "query", "name": "k"},
        "open": {"type": "openIdConnect", "openIdConnectUrl": "https://id.test/o"}, "mutual": {"type": "mutualTLS"},
        "device": {"type": "oauth2", "flows": {"deviceAuthorization": {
          "deviceAuthorizationUrl": "https://id.test/d", "tokenUrl": "https://id.test/t", "scopes": {}}}},
        "several": {"type": "oauth2", "flows": {
          "password": {"tokenUrl": "https://id.test/p", "scopes": {}},
          "authorizationCode": {"authorizationUrl": "https://id.test/a", "tokenUrl": "https://id.test/t"}}},
        "implicit": {"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "https://id.test/a"}}}}}
        """

    /// A request with these alternatives.
    private static func request(_ security: String) throws -> (request: SavedRequest, notes: [ImportNote]) {
        try OpenAPISample.only(
            "\"security\": \(security), \"responses\": {}", ", \(schemes)", method: "get", version: "3.1.0")
    }

    private static let credentials: [(security: String, expected: SavedAuthentication)] = [
        (
            #"[{"basic": []}]"#,
            .basic(BasicAuthentication(username: "{{basicUsername}}", password: "{{basicPassword}}"))
        ),
        (
            #"[{"digest": []}]"#,
            .digest(DigestAuthentication(username: "{{digestUsername}}", password: "{{digestPassword}}"))
        ),
        (#"[{"login": []}]"#, .bearer(BearerAuthentication(token: "{{login}}"))),
        (#"[{"query": []}]"#, .apiKey(APIKeyAuthentication(name: "k", value: "{{query}}", location: .query))),
        (#"[{"hoba": []}]"#, .apiKey(APIKeyAuthentication(name: "Authorization", value: "hoba {{hoba}}"))),
        (
            #"[{"device": ["r", "w"]}]"#,
            .oauth2(
                OAuth2Authentication(
                    grant: .deviceCode, tokenURL: "https://id.test/t", deviceURL: "https://id.test/d",
                    clientID: "{{deviceClientID}}", scope: "r w"))
        ),
        (#"[]"#, .noAuthentication),
    ]

    @Test func `credentials that no operation asks for are named`() throws {
        for (security, isNamed) in [("", true), ("\"security\": [], ", false), ("\"security\": [{}], ", false)] {
            let (request, notes) = try OpenAPISample.only("\(security)\"responses\": {}", ", \(Self.schemes)")
            #expect(notes.contains { $0.message.contains("no operation asks") } == isNamed)
            if isNamed { #expect(request.authentication == nil) }
        }
    }

    @Test(arguments: credentials)
    func `a scheme is a kind of credentials`(security: String, expected: SavedAuthentication) throws {
        let (request, notes) = try Self.request(security)
        #expect(request.authentication == expected)
        // The document has no host.
        #expect(!notes.contains { $0.kind == .loss && $0.subject != "servers" }, "\(notes)")
    }

    @Test(arguments: ["open", "mutual"])
    func `nothing is sent in place of credentials that Ombi does not have`(name: String) throws {
        let (request, notes) = try Self.request("[{\"\(name)\": []}]")
        #expect(request.authentication == .noAuthentication)
        #expect(notes.contains { $0.kind == .loss && $0.message.hasPrefix("no such credentials") })
    }

    @Test func `of several flows the authorization code is taken, and the implicit one is a loss`() throws {
        guard case .oauth2(let several)? = try Self.request(#"[{"several": []}]"#).request.authentication else {
            Issue.record("no OAuth 2")
            return
        }
        #expect(several.grant == .authorizationCode && several.tokenURL == "https://id.test/t")
        let (request, notes) = try Self.request(#"[{"implicit": []}]"#)
        #expect(request.authentication?.kind == .oauth2 && notes.lose("implicit"))
    }

    @Test func `names in braces in the URL of a flow are typed in`() throws {
        let more = """
            , "components": {"securitySchemes": {"o": {"type": "oauth2", "flows": {"clientCredentials": {
            "tokenUrl": "https://{zone(id)}.id.test/{tenant}/t", "scopes": {}}}}}}
            """
        let (imported, _) = try OpenAPISample.imported(
            OpenAPISample.document("\"/x\": {\"get\": {\"security\": [{\"o\": []}], \"responses\": {}}}", more))
        let result = imported.collection
        guard case .oauth2(let client)? = result.requests.first?.authentication else {
            Issue.record("no OAuth 2")
            return
        }
        #expect(client.tokenURL == "https://{{zone_id_}}.id.test/{{tenant}}/t")
        #expect(["zone_id_", "tenant"].allSatisfy { result.environments[0].defines($0) })
        #expect(CollectionFile.read(Array(result.text.utf8), file: "").problems.allSatisfy { $0.severity != .error })
    }

    @Test func `a scheme may be a reference to another one`() throws {
        let more = """
            , "components": {"securitySchemes": {"a": {"$ref": "#/components/securitySchemes/b"},
            "b": {"type": "http", "scheme": "bearer"}, "open": {"type": "openIdConnect"}}}
            """
        let members = #""security": [{"open": []}, {"a": []}], "responses": {}"#
        let (request, _) = try OpenAPISample.only(members, more)
        #expect(request.authentication == .bearer(BearerAuthentication(token: "{{a}}")))
    }

    @Test func `the first alternative that Ombi has is taken, also where none is needed`() throws {
        let (request, notes) = try Self.request(#"[{}, {"open": []}, {"login": []}]"#)
        #expect(request.authentication == .bearer(BearerAuthentication(token: "{{login}}")))
        #expect(notes.filter { $0.subject == "security" }.map(\.kind) == [.remark, .remark])
    }

    @Test func `OpenAPI 2.0 has the same schemes by other names`() throws {
        let more = """
            , "securityDefinitions": {"o": {"type": "oauth2", "flow": "accessCode",
            "authorizationUrl": "https://id.test/a", "tokenUrl": "https://id.test/t", "scopes": {}},
            "b": {"type": "basic"}, "app": {"type": "oauth2", "flow": "application", "tokenUrl": "https://id.test/t"}}
            """
        let kind = { (name: String) in
            let members = "\"security\": [{\"\(name)\": []}], \"responses\": {}"
            return try OpenAPISample.only(members, more, version: "2.0").request.authentication
        }
        #expect(
            try kind("b") == .basic(BasicAuthentication(username: "{{bUsername}}", password: "{{bPassword}}")))
        guard case .oauth2(let code)? = try kind("o"), case .oauth2(let client)? = try kind("app") else {
            Issue.record("no OAuth 2")
            return
        }
        #expect(code.grant == .authorizationCode && client.grant == .clientCredentials)
    }
}
