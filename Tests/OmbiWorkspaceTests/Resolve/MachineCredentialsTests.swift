import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

/// Credentials that files of this machine have, with files that are none.
@Suite struct MachineCredentialsTests {
    private static func resolve(
        _ authentication: SavedAuthentication, _ files: [String: String], variables: [String: String] = [:],
        headers: [Field] = [], standIn: String? = nil
    ) throws -> ResolvedRequest {
        var reader = SecretReader(
            environment: { variables[$0] },
            file: { path throws(FileError) in
                guard let text = files[path] else { throw FileError(operation: "read", path: path, code: ENOENT) }
                return Array(text.utf8)
            })
        if let standIn { reader = reader.standing(in: standIn, isLenient: true) }
        let request = SavedRequest(name: "r", path: "/p", headers: headers, authentication: authentication)
        return try Resolver(
            collection: Collection(name: "c"), environment: Environment(name: "e", host: "https://API.test:8443/v1"),
            secrets: reader
        ).resolve(request)
    }

    private static let netrc = "machine api.test login ada password s3cret"

    @Test(
        arguments: [
            (NetrcAuthentication(), "~/.netrc", [:]), (NetrcAuthentication(), "/x/users", ["NETRC": "/x/users"]),
            (NetrcAuthentication(), "~/.netrc", ["NETRC": ""]),
            (NetrcAuthentication(file: "users"), "users", ["NETRC": "/x"]),
        ] as [(NetrcAuthentication, String, [String: String])])
    func `the user of the host is sent as Basic, and masked`(
        authentication: NetrcAuthentication, path: String, variables: [String: String]
    ) throws {
        let resolved = try Self.resolve(.netrc(authentication), [path: Self.netrc], variables: variables)
        #expect(resolved.headers[.authorization]?.text == "Basic YWRhOnMzY3JldA==")
        #expect(resolved.redactor.redact("s3cret YWRhOnMzY3JldA==") == "•••••• ••••••")
        #expect(resolved.connectionAuthentication == nil && !resolved.isRepeatable)
    }

    @Test(
        arguments: [
            ([:], "there is no file ~/.netrc"),
            (["~/.netrc": "machine other.test login ada password s3cret"], "~/.netrc has no entry for"),
            (["~/.netrc": "machine api.test"], "~/.netrc has no entry for"),
            (["~/.netrc": "machine api.test\nlogin \"s3cret"], "~/.netrc, line 2: a quote is not closed"),
            (["~/.netrc": String(repeating: "s3cret", count: 200_000)], "~/.netrc is larger than 1 MB"),
            (["~/.netrc": "machine api.test login a:b password s3cret"], "colon"),
        ] as [([String: String], String)])
    func `a file without the user is an error`(files: [String: String], reason: String) {
        let error = #expect(throws: ResolveError.self) { try Self.resolve(.netrc(NetrcAuthentication()), files) }
        #expect(error?.field == "authentication netrc")
        #expect(error?.reason.contains(reason) == true && error?.reason.contains("s3cret") == false, "\(error as Any)")
    }

    @Test(arguments: ["t0ken-of-ada", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"])
    func `a token in the place of the user is masked`(token: String) throws {
        let password = token.hasPrefix("ghp_") ? " password x-oauth-basic" : ""
        let files = ["~/.netrc": "machine api.test login \(token)\(password)"]
        let resolved = try Self.resolve(.netrc(NetrcAuthentication()), files)
        #expect(resolved.redactor.redact("user \(token)") == "user ••••••")
        let named = try Self.resolve(.netrc(NetrcAuthentication()), ["~/.netrc": Self.netrc])
        #expect(named.redactor.redact("user ada") == "user ada")
    }

    @Test func `a file is not read for credentials that are not sent`() throws {
        let resolved = try Self.resolve(
            .netrc(NetrcAuthentication()), [:], headers: [Field("Authorization", "Bearer x")])
        #expect(resolved.headers[.authorization]?.text == "Bearer x" && resolved.credentials == nil)
    }

    @Test(arguments: [
        SavedAuthentication.netrc(NetrcAuthentication()),
        .aws(AWSAuthentication(accessKeyID: "", secretAccessKey: "", region: "eu", service: "s", profile: "dev")),
    ])
    func `a question about grants needs no file`(authentication: SavedAuthentication) throws {
        #expect(try Self.resolve(authentication, [:], standIn: "1").credentials != nil)
    }

    // MARK: AWS

    private static func aws(_ region: String = "") -> SavedAuthentication {
        .aws(AWSAuthentication(accessKeyID: "", secretAccessKey: "", region: region, service: "s3", profile: "dev"))
    }

    private static let credentials = "[dev]\naws_access_key_id = AKID\naws_secret_access_key = s3cret\n"

    private static func keys(_ resolved: ResolvedRequest) -> [String?] {
        guard case .aws(let aws)? = resolved.credentials else { return [] }
        return [aws.accessKeyID, aws.secretAccessKey, aws.sessionToken, aws.region, aws.service, aws.profile]
    }

    @Test func `a profile gives keys and region`() throws {
        let files = ["~/.aws/credentials": Self.credentials, "~/.aws/config": "[profile dev]\nregion = us"]
        let resolved = try Self.resolve(Self.aws(), files)
        #expect(Self.keys(resolved) == ["AKID", "s3cret", nil, "us", "s3", ""])
        #expect(resolved.redactor.redact("s3cret") == "••••••" && !resolved.isRepeatable)
        #expect(Self.keys(try Self.resolve(Self.aws("eu"), files)) == ["AKID", "s3cret", nil, "eu", "s3", ""])
        let moved = try Self.resolve(
            Self.aws("eu"), ["/x": Self.credentials], variables: ["AWS_SHARED_CREDENTIALS_FILE": "/x"])
        #expect(Self.keys(moved) == ["AKID", "s3cret", nil, "eu", "s3", ""])
    }

    private static let sso = "[profile dev]\nsso_account_id = 123456789012\nsso_role_name = Reader\nsso_session = corp"
    private static let cache = "~/.aws/cli/cache/e916525d47e3ac474990796ecd6fd8a0bde18c3d.json"

    private static func cached(until year: Int) -> String {
        #"{"Credentials": {"AccessKeyId": "AKID", "SecretAccessKey": "s3cret", "SessionToken": "t0ken", "#
            + "\"Expiration\": \"\(year)-01-01T00:00:00Z\"}}"
    }

    @Test func `a role of single sign-on has the keys that the AWS command line keeps`() throws {
        let files = ["~/.aws/config": Self.sso, Self.cache: Self.cached(until: 9999)]
        let resolved = try Self.resolve(Self.aws("eu"), files)
        #expect(Self.keys(resolved) == ["AKID", "s3cret", "t0ken", "eu", "s3", ""])
        #expect(resolved.redactor.redact("s3cret t0ken") == "•••••• ••••••")
    }

    @Test(
        arguments: [
            (["~/.aws/config": sso, cache: cached(until: 2020)], "run `aws sso login --profile dev`"),
            (["~/.aws/config": sso], "run `aws sso login --profile dev`"),
            (["~/.aws/config": sso, cache: "s3cret"], "run `aws sso login --profile dev`"),
            ([:], "there is no profile"),
            (["~/.aws/credentials": "[dev]\ns3cret"], "~/.aws/credentials, line 2: there is no key"),
            (["~/.aws/config": "s3cret = 1"], "~/.aws/config, line 1: there is no [section]"),
        ] as [([String: String], String)])
    func `a profile without valid keys says what to do`(files: [String: String], reason: String) {
        let error = #expect(throws: ResolveError.self) { try Self.resolve(Self.aws("eu"), files) }
        #expect(error?.field == "authentication profile")
        #expect(error?.reason.contains(reason) == true && error?.reason.contains("s3cret") == false, "\(error as Any)")
    }

    @Test func `a request without a region needs that of the profile`() {
        let error = #expect(throws: ResolveError.self) {
            try Self.resolve(Self.aws(), ["~/.aws/credentials": Self.credentials])
        }
        #expect(error?.reason == "neither the request nor the profile dev has a region")
    }

    // MARK: The connection

    @Test func `what the transport negotiates is in no header`() throws {
        let authentication = NTLMAuthentication(username: "ada", password: "s3cret", domain: "CORP")
        let resolved = try Self.resolve(.ntlm(authentication), [:])
        #expect(resolved.headers[.authorization] == nil)
        #expect(resolved.connectionAuthentication?.scheme == .ntlm(username: "CORP\\ada", password: "s3cret"))
        #expect(PreparedRequest(resolved).authentication?.value == "NTLM")
        let ticket = try Self.resolve(.negotiate(NegotiateAuthentication()), [:])
        #expect(ticket.connectionAuthentication?.scheme == .negotiate && ticket.sources.credentials == [.kerberos])
        #expect(PreparedRequest(ticket).authentication?.value == "Negotiate")
    }

    @Test func `a user with a control character is refused`() {
        let authentication = NTLMAuthentication(username: "a\u{0}b", password: "p")
        #expect(throws: ResolveError.self) { try Self.resolve(.ntlm(authentication), [:]) }
    }
}

extension ResolvedRequest {
    fileprivate var connectionAuthentication: ConnectionAuthentication? { credentials?.connectionAuthentication }
}
