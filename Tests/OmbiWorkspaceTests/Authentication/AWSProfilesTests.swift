import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The profiles of the AWS command line.
@Suite struct AWSProfilesTests {
    @Test(
        arguments: [
            ("", [:]), ("# a\n; b\n\n", [:]), ("[a]", ["a": [:]]), ("[a]\nk = v", ["a": ["k": "v"]]),
            ("[a]\r\nk=v\r\nl = w\r\n", ["a": ["k": "v", "l": "w"]]), ("  [ a ]  \nK\t=\tv  ", ["a": ["k": "v"]]),
            ("[a]\nk = v=w/x+y==\n", ["a": ["k": "v=w/x+y=="]]), ("[a]\nk: v\n", ["a": ["k": "v"]]),
            ("[a]\nk = v # no comment", ["a": ["k": "v # no comment"]]), ("[a]\n#k = v", ["a": [:]]),
            ("[a]\nk = 1\nk = 2", ["a": ["k": "2"]]),
            ("[a]\nk = 1\n[b]\nk = 2\n[a]\nl = 3", ["a": ["k": "1", "l": "3"], "b": ["k": "2"]]),
            ("[a]\ns3 =\n  k = 1\n\tl = 2\nm = 3", ["a": ["s3": "", "m": "3"]]), ("[a]\n  k = v", ["a": ["k": "v"]]),
            ("[profile x y]\nk =", ["profile x y": ["k": ""]]), ("[a]b\nk = \u{1B}[2J", ["a": ["k": "\u{1B}[2J"]]),
        ] as [(String, [String: [String: String]])])
    func `a file has sections with keys and values`(text: String, sections: [String: [String: String]]) throws {
        #expect(try AWSFile(text).sections == sections)
    }

    @Test(arguments: [
        ("k = s3cret", 1), ("[a\nk = s3cret", 1), ("[a]\n\ns3cret", 3), ("[a]\n= s3cret", 2),
        ("[a]\nk=v\ns3cret\n", 3),
    ])
    func `a broken file is an error with its line, and without its words`(text: String, line: Int) {
        let error = #expect(throws: AWSFile.Failure.self) { try AWSFile(text) }
        #expect(error?.line == line && error?.message.contains("s3cret") == false)
    }

    @Test(
        arguments: [
            ("default", "default"), ("profile dev", "dev"), ("profile \t dev", "dev"), ("profile \"my dev\"", "my dev"),
            ("profile 'my dev'", "my dev"), ("profile", nil), ("profile ", nil), ("dev", nil),
            ("sso-session corp", nil),
            ("profiles dev", nil), ("services x", nil),
        ] as [(String, String?)])
    func `a section of the configuration describes a profile, or something else`(section: String, name: String?) {
        #expect(AWSFile.profile(of: section) == name)
    }

    private static func profiles(_ credentials: String, _ config: String = "") throws -> AWSProfiles {
        AWSProfiles(credentials: try AWSFile(credentials), config: try AWSFile(config))
    }

    private static let keys = AWSProfiles.Keys(accessKeyID: "A", secretAccessKey: "s3cret")
    private static let both = "aws_access_key_id = A\naws_secret_access_key = s3cret\n"

    @Test func `keys and region come from whichever file has them`() throws {
        let own = try Self.profiles("[dev]\n\(Self.both)", "[profile dev]\nregion = eu\naws_access_key_id = no")
        #expect(try own.find("dev") == .init(origin: .keys(Self.keys), region: "eu", files: [.credentials, .config]))
        #expect(
            try own.find("dev", needsRegion: false)
                == .init(origin: .keys(Self.keys), region: nil, files: [.credentials]))
        let config = try Self.profiles("", "[default]\n\(Self.both)aws_session_token = t")
        var temporary = Self.keys
        temporary.sessionToken = "t"
        #expect(try config.find("default") == .init(origin: .keys(temporary), region: nil, files: [.config]))
        let both = try Self.profiles("", "[profile default]\nregion = eu\n[default]\nregion = us\n\(Self.both)")
        #expect(try both.find("default") == .init(origin: .keys(Self.keys), region: "eu", files: [.config]))
    }

    @Test func `a source profile has the keys, and not the region`() throws {
        let profiles = try Self.profiles(
            "[base]\n\(Self.both)region = us", "[profile dev]\nsource_profile = base\nregion = eu")
        #expect(
            try profiles.find("dev")
                == .init(origin: .keys(Self.keys), region: "eu", files: [.credentials, .config]))
    }

    /// The names are those that the AWS command line computes.
    @Test(arguments: [
        ("sso_session = corp", "e916525d47e3ac474990796ecd6fd8a0bde18c3d"),
        ("sso_start_url = https://corp.awsapps.com/start", "22cc9a999c0fe14267a721edf1a9f8eb92722564"),
        ("sso_start_url = https://x.test\nsso_session = corp", "e916525d47e3ac474990796ecd6fd8a0bde18c3d"),
    ])
    func `a role of single sign-on has its keys in the cache`(place: String, name: String) throws {
        let profiles = try Self.profiles(
            "[sso]\n\(Self.both)",
            "[profile sso]\nsso_account_id = 123456789012\nsso_role_name = Reader\n\(place)\n[sso-session corp]\nx = y")
        #expect(try profiles.find("sso").origin == .cache(name + ".json"))
    }

    @Test(arguments: [
        ("other", "", "there is no profile \"other\"; `aws configure list-profiles`"),
        ("dev", "[profile dev]\nrole_arn = arn:s3cret\nsource_profile = base", "the profile \"dev\" assumes a role"),
        ("dev", "[profile dev]\ncredential_process = s3cret", "from a program (credential_process)"),
        ("dev", "[profile dev]\nregion = eu", "the profile \"dev\" has no keys of its own"),
        ("dev", "[profile dev]\naws_access_key_id = A", "has an access key, and no aws_secret_access_key"),
        ("dev", "[profile dev]\nsource_profile = dev", "the profile \"dev\" is its own source_profile"),
        ("a", "[profile a]\nsource_profile = b\n[profile b]\nsource_profile = a", "\"b\" is its own source_profile"),
        ("dev", "[profile dev]\nsource_profile = gone", "there is no profile \"gone\""),
        ("dev", "[profile dev]\nsso_account_id = 1\nsso_role_name = r", "has neither sso_session nor sso_start_url"),
        ("\u{1B}[2J", "", "there is no profile \""),
    ])
    func `a profile without keys says why`(name: String, config: String, reason: String) throws {
        let profiles = try Self.profiles("[base]\n\(Self.both)", config)
        let error = #expect(throws: AWSProfiles.Failure.self) { try profiles.find(name) }
        let message = error?.message ?? ""
        #expect(message.contains(reason) && !message.contains("s3cret") && !message.contains("\u{1B}"), "\(message)")
    }

    @Test func `a long row of profiles has an end`() throws {
        let sections = (0..<20_000).map { "[profile p\($0)]\nsource_profile = p\($0 + 1)" }
        let profiles = try Self.profiles("", sections.joined(separator: "\n"))
        let error = #expect(throws: AWSProfiles.Failure.self) { try profiles.find("p0") }
        #expect(error?.message == "more than 100 profiles follow each other by source_profile")
    }

    @Test func `a file of the cache has keys that end`() {
        let whole =
            #"{"ProviderType": "sso", "Credentials": {"AccessKeyId": "A", "SecretAccessKey": "s", "SessionToken": "t", "#
            + #""Expiration": "2026-11-28T12:00:00Z", "AccountId": "1"}}"#
        #expect(
            AWSProfiles.Keys(cached: whole)
                == AWSProfiles.Keys(
                    accessKeyID: "A", secretAccessKey: "s", sessionToken: "t", expiration: "2026-11-28T12:00:00Z"))
        for text in ["", "[]", "{}", #"{"Credentials": 1}"#, #"{"Credentials": {"AccessKeyId": "A"}}"#] {
            #expect(AWSProfiles.Keys(cached: text) == nil)
        }
        let copies = ["AccessKeyId", "SecretAccessKey", "SessionToken", "Expiration"].map {
            whole.replacing("\"\($0)\"", with: "\"X\"")
        }
        #expect(copies.allSatisfy { AWSProfiles.Keys(cached: $0) == nil })
    }

    @Test func `the keys are in no description`() {
        #expect(!"\(Self.keys)".contains("s3cret"))
        var text = ""
        dump(Self.keys, to: &text)
        #expect(!text.contains("s3cret"))
    }
}
