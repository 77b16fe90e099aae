import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The settings of a connection in a file, as texts to edit, and as the engine takes them.
@Suite struct SavedConnectionTests {
    private static let pin = "sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE="

    /// A request with a connection; the members begin at column 2 of line 3.
    private static func file(_ members: String) -> String {
        """
        { "version": 1, "name": "c", "items": [{ "request": "r", "path": "/",
        "connection":
        {\(members)} }] }
        """
    }

    private static func read(_ members: String) -> (connection: SavedConnection?, problems: [String]) {
        let (collection, problems) = CollectionFile.read(Array(file(members).utf8), file: "f")
        return (collection?.requests.first?.connection, problems.map(\.description))
    }

    private static let all = """
        "connectTimeout": "5s", "proxy": "http://proxy.example:3128", "caFile": "./ca.pem",
        "clientCertificate": { "file": "./me.pem", "key": "./me.key", "password": "{{p}}" }, "pins": ["\(pin)"],
        "minimumTLS": "1.3", "httpVersion": "1.1", "maximumRedirects": 0, "resolve": ["a.test:443:[::1]"],
        "addressFamily": "ipv4", "interface": "eth0", "cookies": true, "maximumReceiveRate": 1000, "maximumSendRate": 10
        """

    @Test func `everything is read, written as it was, and obeys the schema`() throws {
        let (connection, problems) = Self.read(Self.all)
        #expect(problems == [])
        let read = try #require(connection)
        #expect(read.connectTimeout == .seconds(5) && read.maximumRedirects == 0 && read.cookies == true)
        #expect(read.clientCertificate == SavedCertificate(file: "./me.pem", key: "./me.key", password: "{{p}}"))
        #expect(read.json.compact == (try JSONValue.parse("{\(Self.all)}")).compact)
        let file = try JSONValue.parse(Self.file(Self.all))
        #expect(try SampleTests.schema().failures(file) == [])
    }

    @Test func `an empty connection is kept, and a file without one gets none`() throws {
        for members in ["", "\"x\": 1"] {
            let connection = try #require(Self.read(members).connection)
            #expect(connection.json.compact == (try JSONValue.parse("{\(members)}")).compact)
        }
        #expect(!Collection(name: "c", environments: [Environment(name: "e", host: "")]).text.contains("connection"))
    }

    @Test(
        arguments: [
            ("\"proxi\": \"none\"", "3:2: warning: unknown key \"proxi\"; did you mean \"proxy\"?"),
            (
                "\"proxy\": 3128",
                "3:11: error: \"proxy\": expected a string, found a number; a proxy needs a scheme; "
                    + "write http://proxy.example:3128, or none for no proxy"
            ),
            (
                "\"proxy\": \"proxy\"",
                "3:11: error: \"proxy\": a proxy needs a scheme; write http://proxy.example:3128, or none for no proxy"
            ),
            (
                "\"proxy\": \"me:pw@proxy:3128\"",
                "3:11: error: \"proxy\": a proxy needs a scheme; write http://proxy.example:3128, or none for no proxy"
            ),
            (
                "\"proxy\": \"sock5://h\"",
                "3:11: error: \"proxy\": \"sock5\" is no scheme of a proxy; did you mean \"socks5\"?; the schemes are "
                    + "http, https, socks4, socks4a, socks5, socks5h"
            ),
            (
                "\"proxy\": \"http://h:99999\"",
                "3:11: error: \"proxy\": \"99999\" is no port of a proxy; write http://proxy.example:3128, or none for no "
                    + "proxy"
            ),
            (
                "\"connectTimeout\": \"0s\"",
                "3:20: error: \"connectTimeout\": the duration is zero; " + DurationText.form
            ),
            ("\"caFile\": \"\"", "3:12: error: \"caFile\": the path of the file is empty"),
            ("\"clientCertificate\": { \"key\": \"k\" }", "3:23: error: missing key \"file\""),
            (
                "\"clientCertificate\": { \"file\": \"a.p12\", \"key\": \"k\" }",
                "3:49: error: \"key\": a PKCS#12 file has its key in itself; remove this one"
            ),
            (
                "\"clientCertificate\": \"me.p12\"",
                "3:23: error: \"clientCertificate\": write { \"file\": \"me.p12\" }, or \"none\" to send no certificate"
            ),
            (
                "\"clientCertificate\": { \"file\": \"a\", \"pasword\": \"k\" }",
                "3:38: warning: unknown key \"pasword\"; did you mean \"password\"?"
            ),
            (
                "\"pins\": [\"sha256//abc\"]",
                "3:11: error: \"pins\": a pin is sha256// and the Base64 of 32 bytes, as curl --pinnedpubkey takes it"
            ),
            (
                "\"pins\": [1]",
                "3:11: error: \"pins\": expected a string, found a number; a pin is sha256// and the Base64 of 32 bytes, as "
                    + "curl --pinnedpubkey takes it"
            ),
            (
                "\"minimumTLS\": \"1.4\"",
                "3:16: error: \"minimumTLS\": unknown value \"1.4\"; did you mean \"1.0\"?; write one of \"1.0\", \"1.1\", "
                    + "\"1.2\", \"1.3\""
            ),
            (
                "\"minimumTLS\": 1.2",
                "3:16: error: \"minimumTLS\": expected one of \"1.0\", \"1.1\", \"1.2\", \"1.3\", found a number"
            ),
            (
                "\"maximumRedirects\": -1",
                "3:22: error: \"maximumRedirects\": expected a whole number from 0 to 1000, found -1"
            ),
            (
                "\"resolve\": [\"a.test:443:b.test\"]",
                "3:14: error: \"resolve\": \"a.test:443:b.test\": \"b.test\" is not an IP address; write HOST:PORT:ADDRESS"
            ),
            (
                "\"resolve\": [\"a.test\"]",
                "3:14: error: \"resolve\": \"a.test\": write HOST:PORT:ADDRESS, such as api.example.com:443:127.0.0.1"
            ),
            ("\"cookies\": \"yes\"", "3:13: error: \"cookies\": expected true or false, found a string"),
            (
                "\"unixSocket\": \"s\", \"proxy\": \"http://h\"",
                "3:16: error: \"unixSocket\": and \"proxy\" exclude each other; remove one of them"
            ),
            (
                "\"via\": \"ssh://h\", \"proxy\": \"http://h\"",
                "3:9: error: \"via\": and \"proxy\" exclude each other; remove one of them"
            ),
            (
                "\"via\": \"ssh://-oProxyCommand=id\"",
                "3:9: error: \"via\": \"-oProxyCommand=id\" is no host of ssh; write ssh://host, or ssh://user@host:22"
            ),
        ] as [(String, String)])
    func `a mistake is told with its place`(members: String, expected: String) {
        #expect(Self.read(members).problems == ["f:" + expected])
    }

    // MARK: Texts to edit

    @Test func `what a field shows is what it takes`() throws {
        let connection = try #require(Self.read(Self.all).connection)
        var copy = SavedConnection()
        for field in SavedConnection.fields { try field.write(&copy, field.read(connection)) }
        #expect(copy == connection)
        for field in SavedConnection.fields { try field.write(&copy, field.choices.isEmpty ? "" : "inherit") }
        #expect(copy == SavedConnection())
    }

    @Test(arguments: [
        ("proxy", "ftp://h"), ("client key", "k.pem"), ("pins", "abc"), ("resolve", "a:b"),
        ("resolve", "*:443:127.0.0.1"),
        ("redirects", "many"), ("receive rate", "0"), ("interface", "eth 0"), ("connect within", "2 weeks"),
    ])
    func `a field refuses what a file could not have, and changes nothing`(label: String, text: String) throws {
        let field = try #require(SavedConnection.fields.first { $0.label == label })
        var connection = SavedConnection()
        #expect(throws: FieldError.self) { try field.write(&connection, text) }
        #expect(connection == SavedConnection())
    }

    @Test func `no pins stand over inherited ones`() throws {
        let field = try #require(SavedConnection.fields.first { $0.label == "pins" })
        var connection = SavedConnection()
        try field.write(&connection, "none")
        #expect(connection.pins == [] && field.read(connection) == "none")
        #expect(connection.merging(over: SavedConnection { $0.pins = [Self.pin] }).pins == [])
    }

    private static let inherited = SavedConnection {
        ($0.caFile, $0.unixSocket, $0.clientCertificate) = ("ca.pem", "s", SavedCertificate(file: "me.p12"))
    }

    @Test func `what is inherited can be switched off`() throws {
        let text = #""caFile": "none", "clientCertificate": "none", "unixSocket": "none", "proxy": "http://p.test""#
        let (connection, problems) = Self.read(text)
        #expect(problems == [])
        let read = try #require(connection)
        #expect(read.json.compact == (try JSONValue.parse("{\(Self.sorted(text))}")).compact)
        #expect(try SampleTests.schema().failures(JSONValue.parse(Self.file(text))) == [])
        let merged = try Self.resolved(read.merging(over: Self.inherited))
        #expect(merged.tls == Connection().tls && merged.unixSocket == nil)
        // As a text to edit.
        var edited = SavedConnection()
        for label in ["CA file", "client cert", "unix socket"] {
            let field = try #require(SavedConnection.fields.first { $0.label == label })
            try field.write(&edited, "none")
            #expect(field.read(edited) == "none")
        }
        edited.proxy = "http://p.test"
        #expect(edited == read)
        let key = try #require(SavedConnection.fields.first { $0.label == "client key" })
        #expect(throws: FieldError.self) { try key.write(&edited, "k.pem") }
    }

    /// The members in the order in which they are written.
    private static func sorted(_ members: String) -> String {
        let parts = members.components(separatedBy: ", ")
        return [parts[3], parts[0], parts[1], parts[2]].joined(separator: ", ")
    }

    // MARK: Values of the engine

    private static func resolved(_ saved: SavedConnection) throws -> Connection {
        try saved.resolved({ text, _ in text }, request: "r", folder: "/shop")
    }

    @Test(arguments: [
        ("none", Connection.Proxy.none),
        ("http://p.test", .server(.init(host: "p.test", port: 3128))),
        ("socks5h://[::1]/", .server(.init(scheme: .socks5h, host: "[::1]", port: 1080))),
        (
            "https://ada:p%40ss%2B+@p.test:8443",
            .server(.init(scheme: .https, host: "p.test", port: 8443, username: "ada", password: "p@ss++"))
        ),
    ])
    func `a proxy`(text: String, proxy: Connection.Proxy) throws {
        #expect(try Self.resolved(SavedConnection { $0.proxy = text }).proxy == proxy)
    }

    @Test func `a secret in a proxy may have any characters`() throws {
        let saved = SavedConnection { $0.proxy = "http://ada:{{p}}@{{h}}:81" }
        let values = ["{{p}}": "a@b:c%41+/", "{{h}}": "p.test", "{{u}}": "socks5://u.test:1"]
        let fill: TemplateFill = { text, _ in values.reduce(text) { $0.replacing($1.key, with: $1.value) } }
        let connection = try saved.resolved(fill, request: "r", folder: "")
        #expect(
            connection.proxy == .server(.init(host: "p.test", port: 81, username: "ada", password: "a@b:c%41+/")))
        let whole = try SavedConnection { $0.proxy = "{{u}}" }.resolved(fill, request: "r", folder: "")
        #expect(whole.proxy == .server(.init(scheme: .socks5, host: "u.test", port: 1)))
    }

    @Test func `paths start at the folder of the file`() throws {
        let connection = try Self.resolved(
            SavedConnection {
                ($0.caFile, $0.unixSocket) = ("./ca.pem", "/run/s")
                $0.clientCertificate = SavedCertificate(file: "me.pfx", password: "p")
            })
        #expect(connection.tls.caFile == "/shop/./ca.pem" && connection.unixSocket == "/run/s")
        #expect(connection.tls.clientCertificate == .pkcs12(file: "/shop/me.pfx", password: "p"))
        let pem = SavedConnection { $0.clientCertificate = SavedCertificate(file: "me.pem", key: "k", password: "p") }
        #expect(
            try Self.resolved(pem).tls.clientCertificate
                == .pem(certificate: "/shop/me.pem", key: "/shop/k", password: "p"))
    }

    @Test func `a network interface is inherited, named by curl, and can be switched off`() throws {
        let inherited = SavedConnection { $0.interface = "eth0" }
        let connection = try Self.resolved(SavedConnection().merging(over: inherited))
        #expect(connection.networkInterface == "eth0")
        #expect(connection.curlOptions { $0 } == ["--interface eth0"])
        let off = SavedConnection { $0.interface = "none" }.merging(over: inherited)
        #expect(try Self.resolved(off) == Connection())
    }

    @Test func `nothing set is the default of the engine`() throws {
        #expect(try Self.resolved(SavedConnection()) == Connection())
    }

    @Test(arguments: [
        ("http://ada:secret@p.test:1", "http://ada:••••••@p.test:1"), ("http://p.test:1", "http://p.test:1"),
        ("http://ada:{{p}}@p.test", "http://ada:{{p}}@p.test"), ("http://ada@p.test", "http://ada@p.test"),
        ("http://ada:a:b@c@p.test", "http://ada:••••••@p.test"), ("none", "none"),
    ])
    func `the password of a proxy does not show`(text: String, shown: String) {
        #expect(ConnectionText.masked(proxy: text) == shown)
    }
}
