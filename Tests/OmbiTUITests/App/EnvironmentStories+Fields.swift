import Foundation
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The fields of the editor of environments as they are typed.
@Suite struct EnvironmentFieldStories {
    @Test(arguments: [60, 80, 100, 120]) func `the cells of a row under edit never touch`(columns: Int) {
        let host = "https://a-rather-long-name.of-some-host.example.com:8443/v1"
        let names = ["local", "staging", "live"].map { "{ \"name\": \"\($0)\", \"host\": \"\(host)\" }" }
        var story = Story(
            columns: columns, rows: 24,
            file:
                "{ \"version\": 1, \"name\": \"t\", \"environments\": [\(names.joined(separator: ", "))], \"items\": [] }"
        )
        story.press("E", "Tab")
        for _ in 0..<3 {
            story.press("Enter")
            let row = story.lines.first { $0.contains("host ") } ?? ""
            let parts = row.components(separatedBy: "http")
            for part in parts.dropFirst().dropLast() {
                #expect(part.hasSuffix("… ") || part.hasSuffix(" "), "\(row)")
            }
            story.press("Esc", "Right")
        }
    }

    @Test(arguments: [120, 200]) func `the values next to the field under edit stay until its text needs their room`(
        columns: Int
    ) {
        let names = ["local", "staging", "live"]
        let environments = names.map { "{ \"name\": \"\($0)\", \"host\": \"http://\($0).test\" }" }
        var story = Story(
            columns: columns, rows: 24,
            file: "{ \"version\": 1, \"name\": \"t\", \"environments\": [\(environments.joined(separator: ", "))], "
                + "\"items\": [] }")
        story.press("E", "Tab", "Enter")
        func hosts() -> [Bool] {
            let row = story.lines.first { $0.contains("host ") } ?? ""
            return names.map { row.contains("http://\($0).test") }
        }
        for _ in names {
            #expect(hosts() == [true, true, true], "\(story.screen)")
            story.press("Tab")
        }
        story.type("/" + String(repeating: "x", count: columns / 3))
        #expect(hosts() == [true, false, true], "\(story.screen)")
    }

    @Test func `a variable that is named like a credential is masked as a header of that name is`() {
        let variables = #"{ "password": "hunter3abc", "token": "{{clientSecret}}", "page": "two22" }"#
        var story = Story(
            columns: 120, rows: 30,
            file: #"{ "version": 1, "name": "t", "variables": { "clientSecret": "hunter2abc" }, "environments": [{ "#
                + #""name": "local", "host": "http://h.test", "variables": \#(variables) }], "items": [] }"#)
        story.press("E", "Tab")
        #expect(!story.screen.contains("hunter") && story.screen.contains("••••••"), "\(story.screen)")
        #expect(story.screen.contains("two22") && story.screen.contains("{{clientSecret}}"), "\(story.screen)")
    }

    @Test func `an empty field of a new secret shows a source, and does not take the row away`() {
        for key in ["Enter", "Tab"] {
            var story = Story.environments(columns: 80, rows: 24)
            story.go(to: "token", in: .secrets)
            story.press("a")
            story.type("password")
            story.press("Enter")
            #expect(story.screen.contains("│ env NAME, file PATH"), "\(story.screen)")
            #expect(story.screen.contains("prompt TEXT or keyring SERVICE ACCOUNT"), "\(story.screen)")
            story.press(key)
            #expect(story.state.environmentPane?.editing != nil, "\(story.screen)")
            #expect(story.state.notice?.text.hasPrefix("password needs a source: env NAME") ?? false)
            story.press("Esc")
            #expect(!story.screen.contains("password") && story.state.workbench.dirtyFiles.isEmpty)
        }
    }

    @Test(arguments: [
        ("connect within", "the maximum time to a connection"), ("via", "a host of ssh"),
        ("abstract", "others inherit from it"), ("protected", "unsafe methods ask"),
        ("inherits", "the environment that"),
        ("proxy", "not set: that of http_proxy"), ("minimum TLS", "not set: 1.2"),
    ]) func `the line below the table explains the field under the cursor`(field: String, line: String) {
        var story = Story.environments()
        story.go(to: field)
        #expect(story.screen.contains(line), "\(story.screen)")
    }
}
