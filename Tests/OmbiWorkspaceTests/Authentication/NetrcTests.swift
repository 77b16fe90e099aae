import Testing

@testable import OmbiWorkspace

/// The files in which curl and others look up a user by the host.
@Suite struct NetrcTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        var host = "a.test"
        var login: String?
        var password: String?
        /// False for a host without an entry.
        var isThere = true

        var testDescription: String { text }
    }

    private static func entry(_ text: String, host: String = "a.test", _ login: String?, _ password: String?) -> Case {
        Case(text: text, host: host, login: login, password: password)
    }

    private static func none(_ text: String, host: String = "a.test") -> Case {
        Case(text: text, host: host, isThere: false)
    }

    private static let cases: [Case] = [
        entry("machine a.test login ada password pw", "ada", "pw"),
        entry("machine a.test\n  login ada\n  password pw\n", "ada", "pw"),
        entry("machine a.test\r\nlogin ada\r\npassword pw\r\n", "ada", "pw"),
        entry("\tmachine\ta.test\tlogin\tada\tpassword\tpw", "ada", "pw"),
        entry("MACHINE a.test Login ada PASSWORD pw", "ada", "pw"),
        entry("machine a.TEST login ada password pw", host: "A.test", "ada", "pw"),
        none("machine a.test login ada password pw", host: "b.test"),
        none("machine a.test login ada password pw", host: "a.test.evil"), none(""), none("\n\n \t\n"),
        none("login ada password pw"),
        entry("machine b.test login b password b\ndefault login any password pw", "any", "pw"),
        entry("default login any password pw\nmachine a.test login ada password 2", "any", "pw"),
        entry("machine a.test login ada password 1\nmachine a.test login bob password 2", "ada", "1"),
        entry("machine b.test login b\nmachine a.test login ada password pw", "ada", "pw"),
        entry(
            "# machine a.test login no password no\nmachine a.test login ada # password no\npassword pw", "ada", "pw"),
        entry("machine a.test login ada password #pw", "ada", nil), entry("machine a.test login a#b", "a#b", nil),
        entry("machine a.test login ada password \"#pw\"", "ada", "#pw"),
        entry(#"machine a.test login "a d\"a" password "p\\w\n\t""#, "a d\"a", "p\\w\n\t"),
        entry(#"machine a.test login "" password """#, "", ""),
        entry(#""machine" "a.test" login ada password pw"#, "ada", "pw"),
        entry("macdef init\nmachine a.test login no password no\n\nmachine a.test login ada password pw", "ada", "pw"),
        entry("machine a.test login ada password pw\nmacdef end\ndefault login evil", "ada", "pw"),
        entry("macdef init\ncd /\n \t\nmachine a.test login ada password pw", "ada", "pw"),
        entry("machine a.test login ada account machine password pw", "ada", "pw"),
        entry("machine a.test port 21 login ada password pw", "ada", "pw"),
        entry("login no password no machine a.test login ada password pw", "ada", "pw"),
        entry("machine a.test login login password machine", "login", "machine"),
        entry("machine a.test password pw", nil, "pw"), entry("machine a.test login", nil, nil),
        entry("machine a.test login ada login bob password 1 password 2", "ada", "1"),
        entry("machine ::1 login ada password pw", host: "[::1]", "ada", "pw"),
        entry("machine a.test login a\u{0}b\u{1B}[2J password é", "a\u{0}b\u{1B}[2J", "é"),
    ]

    @Test(arguments: cases) func `a host has the user that curl finds`(sample: Case) throws {
        let found = try Netrc(sample.text).entry(of: sample.host)
        #expect(found?.login == sample.login && found?.password == sample.password)
        #expect((found != nil) == sample.isThere)
    }

    @Test(arguments: [
        (#"machine a.test login "ada"#, 1), ("machine a.test\nlogin \"ada\npassword pw\"", 2),
        ("machine a.test\n\nlogin \"ada\\", 3), ("machine a.test login ada\nmachine", 2), ("machine # a.test", 1),
    ])
    func `a broken file is an error with its line, and without its words`(text: String, line: Int) {
        let error = #expect(throws: Netrc.Failure.self) { try Netrc(text) }
        #expect(error?.line == line && error?.message.contains("ada") == false)
    }
}
