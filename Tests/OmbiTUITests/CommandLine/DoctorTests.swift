import Foundation
import OmbiDocument
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// The examination of a machine. On the main actor, as the screens of other tests are: ncurses has one current terminal.
@MainActor @Suite struct DoctorTests {
    private static func doctor(
        _ environment: [String: String] = ["TERM": "xterm-256color", "LANG": "C.UTF-8"], programs: Set<String> = ["vi"],
        _ change: (inout Doctor) -> Void = { _ in }
    ) -> Doctor {
        var state = StateFolderReport(path: nil)
        (state.path, state.exists, state.isWritable) = ("/home/me/.local/state/ombi", true, true)
        var doctor = Doctor(
            environment: { environment[$0] }, isInstalled: { programs.contains($0) }, configuration: Configuration(),
            configurationPath: "/home/me/.config/ombi/config.json", state: state, grants: [], exists: { _ in true })
        change(&doctor)
        return doctor
    }

    private static func finding(_ name: String, _ doctor: Doctor) throws -> Finding {
        try #require(doctor.findings.first { $0.name == name })
    }

    @Test func `libcurl is named with its parts`() throws {
        let curl = try Self.finding("libcurl", Self.doctor())
        #expect(curl.state == .ok && curl.value.first?.isNumber == true)
        #expect(try Self.finding("TLS", Self.doctor()).value.contains("/"))
        let features = try Self.finding("features", Self.doctor()).value
        #expect(["HTTP/2", "Negotiate", "NTLM"].allSatisfy { features.contains($0) })
    }

    @Test func `ssh is there, or is named as what a via needs`() throws {
        #expect(try Self.finding("ssh", Self.doctor(programs: ["vi", "ssh"])).state == .ok)
        let missing = try Self.finding("ssh", Self.doctor())
        #expect(missing.state == .missing && missing.advice.contains("openssh-client"))
    }

    @Test(arguments: [
        (["TERM": "xterm-256color"], Finding.State.ok, "xterm-256color"), ([:], .missing, "TERM is not set"),
        (["TERM": "dumb"], .problem, "dumb cannot move its cursor"),
        (["TERM": "no-such-terminal"], .problem, "no-such-terminal is not in the terminfo database"),
    ]) func `the terminal is known, or not`(environment: [String: String], state: Finding.State, value: String) throws {
        let finding = try Self.finding("terminal", Self.doctor(environment))
        #expect(finding.state == state && finding.value == value)
        #expect(finding.advice.isEmpty == (state == .ok))
    }

    @Test(arguments: [
        (["TERM": "xterm-256color"], "256"), (["TERM": "vt100"], "none"),
        (["TERM": "xterm-256color", "NO_COLOR": "1"], "none: NO_COLOR is set"),
    ]) func `its colours are those of its description`(environment: [String: String], value: String) throws {
        #expect(try Self.finding("colours", Self.doctor(environment)).value == value)
    }

    @Test func `without UTF-8 there is ASCII, and the locale to set`() throws {
        let finding = try Self.finding("symbols", Self.doctor(["TERM": "xterm", "LC_ALL": "C"]))
        #expect(finding.value == "ASCII alone" && finding.advice.contains("LANG"))
    }

    @Test func `no value of a variable that may hold a password is printed`() throws {
        let environment = [
            "TERM": "xterm", "https_proxy": "http://me:s3cret@proxy.test", "EDITOR": "vi", "BROWSER": "/opt/b",
            "SSH_CONNECTION": "10.9.8.7 22",
        ]
        let findings = Self.doctor(environment).findings
        #expect(try Self.finding("proxy", Self.doctor(environment)).value == "https_proxy in the environment")
        let text = findings.map { $0.text(columns: 10, glyphs: .unicode) + $0.json.text }.joined()
        #expect(!text.contains("s3cret") && !text.contains("10.9.8.7"))
    }

    @Test func `tokens are kept where there is a keyring`() throws {
        let bus = ["TERM": "xterm", "DBUS_SESSION_BUS_ADDRESS": "unix:"]
        #if os(Linux)
        let with = Self.doctor(bus, programs: ["secret-tool", "vi"])
        #expect(try Self.finding("keyring", with).state == .ok)
        #expect(try Self.finding("tokens", with).value == "kept, sealed with a key of the keyring")
        #expect(try Self.finding("keyring", Self.doctor(bus)).advice.contains("libsecret-tools"))
        #expect(try Self.finding("tokens", Self.doctor(bus)).state == .missing)
        #endif
        let file = Self.doctor(bus) { $0.configuration.tokens = .file }
        #expect(try Self.finding("tokens", file).state == .ok)
    }

    #if os(Linux)
    @Test(arguments: [
        (["DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/7/bus,guid=1"], "/run/user/7/bus", true),
        (["DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/7/bus,guid=1"], "/run/user/8/bus", false),
        (["DBUS_SESSION_BUS_ADDRESS": "unix:path=/gone;tcp:host=h,port=1"], "", true),
        (["XDG_RUNTIME_DIR": "/run/user/7"], "/run/user/7/bus", true), (["XDG_RUNTIME_DIR": "/run/user/7"], "", false),
        ([:], "/bus", false),
    ])
    func `a session bus is one whose socket is there`(environment: [String: String], socket: String, isThere: Bool)
        throws
    {
        let doctor = Self.doctor(environment, programs: ["secret-tool"]) { $0.exists = { $0 == socket } }
        let keyring = try Self.finding("keyring", doctor)
        #expect(keyring.state == (isThere ? .ok : .missing) && (isThere || keyring.value == "no session bus"))
    }
    #endif

    @Test func `settings with problems say where to look`() throws {
        let doctor = Self.doctor {
            $0.configuration.problems = [Problem(file: "/home/me/.config/ombi/config.json", message: "x")]
        }
        let finding = try Self.finding("settings", doctor)
        #expect(finding.state == .problem && finding.value == "1 problem in /home/me/.config/ombi/config.json")
        #expect(finding.advice == "ombi check /home/me/.config/ombi/config.json lists them")
    }

    @Test func `the state folder is there, private and writable`() throws {
        #expect(try Self.finding("state folder", Self.doctor()).state == .ok)
        #expect(try Self.finding("state folder", Self.doctor { $0.state.isWritable = false }).state == .problem)
        let open = try Self.finding("state folder", Self.doctor { $0.state.isOpen = true })
        #expect(open.state == .problem && open.advice == "chmod 700 /home/me/.local/state/ombi")
        #expect(try Self.finding("state folder", Self.doctor { $0.state.path = nil }).state == .problem)
    }

    @Test func `a folder is examined as it is`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-doctor-\(UUID())").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let there = StateFolderReport(path: folder)
        #expect(there.exists && there.isWritable && there.isOpen)
        let later = StateFolderReport(path: folder + "/a/b")
        #expect(!later.exists && later.isWritable && !later.isOpen)
        let atRoot = StateFolderReport(path: "/ombi-doctor-\(UUID())/a")
        #expect(!atRoot.exists && atRoot.isWritable == (access("/", W_OK | X_OK) == 0))
    }

    @Test func `trusted files that are gone are named`() throws {
        let doctor = Self.doctor {
            $0.grants = ["/a.json", "/b c.json", "/b c.json"].map {
                .init(collection: $0, source: "$A", destination: "https://a.test", day: "")
            }
            $0.exists = { $0 != "/b c.json" }
        }
        let finding = try Self.finding("trusted files", doctor)
        #expect(finding.value == "2, 1 of them not there" && finding.advice == "ombi trust --revoke '/b c.json'")
    }

    @Test func `YAML is read, or the library to install is named`() throws {
        #expect(try Self.finding("YAML", Self.doctor()) == Doctor.yaml(problem: YAMLSupport.problem))
        #expect(Doctor.yaml(problem: nil).state == .ok)
        let missing = Doctor.yaml(problem: "install libyaml-0-2")
        #expect(missing.state == .missing && missing.advice == "install libyaml-0-2")
    }

    @Test func `a finding is a line with its mark, and one with the advice`() {
        let finding = Finding(name: "x", state: .problem, value: "a\u{1B}[31m", advice: "mend it")
        let lines = finding.text(columns: 3, glyphs: .unicode).split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasPrefix("✗ x    a") && lines[1] == "       mend it")
        #expect(!lines[0].contains("\u{1B}"))
        #expect(finding.text(columns: 3, glyphs: .ascii).hasPrefix("x x    "))
        #expect(finding.json.text.contains("\"state\": \"problem\""))
    }
}
