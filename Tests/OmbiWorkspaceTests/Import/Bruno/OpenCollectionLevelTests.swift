import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Environments, defaults and credentials of OpenCollection.
@Suite struct OpenCollectionLevelTests {
    private static let shop = """
        opencollection: 1.0.0
        bundled: true
        info: { name: Shop, description: All of it. }
        config:
          environments:
            - name: base
              variables:
                - { name: host, value: https://a.test }
                - { name: region, value: eu }
            - name: dev
              extends: base
              dotEnvFilePath: .env.dev
              variables: [{ name: region, value: us }]
              externalSecrets: { type: hashicorp-vault-server, variables: [{ name: vault, path: secret/x }] }
            - { name: odd, extends: nowhere, variables: [{ name: host, value: https://b.test }] }
          clientCertificates:
            - { domain: a.test, type: pem, certificateFilePath: c.pem, privateKeyFilePath: k.pem, disabled: true }
        request:
          settings: { http: { followRedirects: false, timeout: 5000, encodeUrl: true } }
          actions:
            - type: set-variable
              selector: { expression: res.body.id, method: jsonq }
              variable: { name: id, scope: runtime }
        items:
          - info: { name: one, type: http, description: The first. }
            http:
              method: GET
              url: "{{host}}/users/:id/:part?x=1"
              params: [{ name: id, value: 1/2, type: path }, { name: part, value: a b, type: path }]
          - info: { name: two, type: http }
            http:
              method: GET
              url: "{{host}}/two"
              auth:
                type: oauth2
                flow: client_credentials
                accessTokenUrl: https://id.test/token
                refreshTokenUrl: https://id.test/refresh
                credentials: { clientId: shop, clientSecret: "{{secret}}", placement: body }
                additionalParameters:
                  accessTokenRequest:
                    - { name: audience, value: api, placement: body }
                    - { name: X-A, value: "1", placement: header }
                tokenConfig: { placement: { query: token }, source: id_token }
        """

    private static func shopped() throws -> (imported: Imported, notes: [ImportNote]) {
        try BrunoSample.imported(shop, path: "shop.yml")
    }

    @Test func `an environment has the values of the one that it extends`() throws {
        let (imported, notes) = try Self.shopped()
        let environments = imported.collection.environments
        #expect(environments.map(\.host) == ["https://a.test", "https://a.test", "https://b.test"])
        #expect(environments[1].variables == [Field("region", "us")] && environments[1].inherits == nil)
        #expect(environments[1].secrets == [Secret("vault", .prompt(""))])
        #expect(environments.allSatisfy { $0.connection == nil }, "the certificate is disabled")
        #expect(notes.lose("hashicorp-vault-server") && notes.lose("odd", "nowhere"))
        #expect(notes.contains { $0.kind == .remark && $0.subject == ".env.dev" })
    }

    @Test func `an environment alone has these parts, too`() throws {
        let (imported, _) = try BrunoSample.imported(
            "name: dev\nextends: base\nvariables:\n  - { name: host, value: https://a.test }\n", path: "dev.yml")
        #expect(imported.collection.environments.map(\.name) == ["dev"])
    }

    @Test func `the settings of all requests are those of the collection`() throws {
        let (imported, notes) = try Self.shopped()
        let collection = imported.collection
        #expect(collection.connection?.maximumRedirects == 0 && collection.policy?.timeout == .seconds(5))
        #expect(collection.settings.description == "All of it.")
        #expect(collection.requests[0].description == "The first.")
        #expect(notes.lose("encodeUrl") && notes.lose("vars:post-response"))
    }

    @Test(arguments: [("1/2", "1/2", "1/2"), ("a%2Fb", "a%2Fb", "a%2Fb"), ("a#b", "a#b", ":id"), ("a b", ":id", ":id")])
    func `marks of URLs in a value of the path are sent as Bruno inserts them`(
        value: String, plain: String, encoded: String
    ) throws {
        for (isEncoded, segment) in [(false, plain), (true, encoded)] {
            let (imported, _) = try BrunoSample.imported(
                """
                info: { name: one, type: http }
                http:
                  method: GET
                  url: "https://a.test/users/:id/x"
                  params: [{ name: id, value: "\(value)", type: path }]
                settings: { encodeUrl: \(isEncoded) }
                """, path: "one.yml")
            let request = try #require(imported.collection.requests.first)
            let path = segment.contains("#") ? "/users/a" : "/users/\(segment)/x"
            #expect(request.path == path, "\(isEncoded)")
        }
    }

    @Test func `parameters of the request for a token are kept, and what is said of the token is a loss`() throws {
        let (imported, notes) = try Self.shopped()
        guard case .oauth2(let oauth2)? = imported.collection.requests[1].authentication else {
            Issue.record("no OAuth 2")
            return
        }
        #expect(oauth2.parameters == [Field("audience", "api")] && oauth2.sendsSecretInBody)
        for subject in ["token_placement", "token_source", "refresh_token_url", "additional parameters"] {
            #expect(notes.lose(subject), "\(subject)")
        }
    }

    /// Each has a variable: those of all bases would be millions.
    @Test(.timeLimit(.minutes(2))) func `a chain of thousands of environments is bounded, which is a loss`() throws {
        let environments = (0..<3000).map { number in
            "{ name: e\(number), extends: e\(number + 1), variables: [{ name: v\(number), value: x }] }"
        }
        let text = """
            opencollection: 1.0.0
            info: { name: Shop }
            config: { environments: [\(environments.joined(separator: ", "))] }
            items: [{ info: { name: one, type: http }, http: { method: GET, url: "https://a.test/x" } }]
            """
        let (imported, notes) = try BrunoSample.imported(text, path: "shop.yml")
        #expect(imported.collection.environments.count == 3000 && notes.lose("e20", "in a row"))
        #expect(imported.collection.environments[0].variables.map(\.name).suffix(2) == ["v19", "v20"])
        #expect(notes.lose("e2999", "which is not there"))
    }

    @Test func `a cycle of environments ends`() throws {
        let text = Self.shop.replacing("- name: base\n", with: "- name: base\n      extends: dev\n")
        let environments = try BrunoSample.imported(text, path: "shop.yml").imported.collection.environments
        #expect(environments[0].secrets == [Secret("vault", .prompt(""))])
        #expect(environments[0].host == "https://a.test")
    }
}
