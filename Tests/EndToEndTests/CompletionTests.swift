import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The names that shells complete: read from the files, while nothing is sent, asked or kept.
    @Suite struct CompletionTests {
        private static let odd = """
            { "version": 1, "name": "it's $(touch pwned)", "variables": [{ "name": "token", "value": "x" }], "items": [
                { "request": "a b", "path": "/", "tags": ["smoke"] }, { "request": "GET :id", "path": "/" }] }
            """
        private static let files = ["broken.json", "odd.json", "shop.json"]

        private static func play(_ story: (Scene) throws -> Void) throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                try scene.write("odd.json", odd)
                try scene.write("broken.json", "{ \"version\": 1, \"items\": [ }")
                try story(scene)
                #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder).sorted() == files)
            }
        }

        /// The folder of the program first, as scripts call it by its name.
        private static let path = [
            "PATH": URL(fileURLWithPath: Program.ombi).deletingLastPathComponent().path + ":/usr/bin:/bin"
        ]

        /// Calls the completion function as bash does, with words as they are typed.
        private static let bash = """
            source <(ombi completions bash)
            COMP_WORDS=(ombi "$@")
            COMP_CWORD=$#
            COMP_LINE="${COMP_WORDS[*]}"
            COMP_POINT=${#COMP_LINE}
            COMPREPLY=()
            __ombi_completed ombi "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """

        @Test(arguments: [
            (["ru"], ["run"]), (["history", "li"], ["list"]), (["run", "--no-r"], ["--no-record"]),
            (["run", ""], ["it's $(touch pwned)/", "shop/"]), (["run", "sh"], ["shop/"]),
            (["run", "shop/us"], ["shop/users/"]), (["run", "shop/users/o"], ["shop/users/one user"]),
            (["run", #"it\'s\ \$(touch\ pwned)/a"#], ["it's $(touch pwned)/a b"]),
            (["run", "\"shop/users/o"], ["shop/users/one user"]), (["run", "bro"], ["broken.json"]),
            (["list", "shop.json/tr"], ["shop.json/trouble/"]), (["history", "list", "sh"], ["shop/"]),
            (["run", "shop", "-e", ""], ["local", "down"]), (["run", "--environment", "d"], ["down"]),
            (["run", "--tag", "s"], ["smoke"]), (["run", "--set", "to"], ["token="]), (["run", "shop/nobody"], []),
            (["send", "PA"], ["PATCH"]), (["send", "--form", "PU"], ["PUT"]), (["send", "GET", "P"], []),
            (["send", "CO"], []), (["help", "hi"], ["history"]), (["help", "man"], []),
        ])
        func `bash completes commands, options and names`(words: [String], names: [String]) throws {
            try Self.play { scene in
                let outcome = try scene.background(
                    "/bin/bash", ["-c", Self.bash, "bash"] + words, environment: Self.path
                ).outcome()
                #expect(outcome.output.split(separator: "\n").map(String.init) == names)
                #expect(outcome.errors == "")
            }
        }

        @Test(.enabled(if: ChildProgram.find("zsh") != nil, "zsh is not installed: apt-get install zsh"))
        func `zsh completes names, and goes on after those of folders`() throws {
            try Self.complete(
                in: try #require(ChildProgram.find("zsh")), ["-f", "-i"],
                "autoload -U compinit; compinit -u -D; source <(ombi completions zsh); PS1='re''ady> '")
        }

        @Test(.enabled(if: ChildProgram.find("fish") != nil, "fish is not installed: apt-get install fish"))
        func `fish completes names, and goes on after those of folders`() throws {
            try Self.complete(
                in: try #require(ChildProgram.find("fish")), ["--no-config", "--private"],
                "ombi completions fish | source; function fish_prompt; echo -n 're''ady> '; end")
        }

        /// - Parameter preparation: the command that loads the script and sets the prompt.
        private static func complete(in shell: String, _ arguments: [String], _ preparation: String) throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                try scene.write("odd.json", odd)
                let session = try scene.start(shell, arguments, environment: path)
                session.type(preparation, Keys.enter)
                try session.see("ready>")
                session.type("ombi run shop/us", Keys.tab)
                try session.see("ready> ombi run shop/users/")
                session.type("one", Keys.tab)
                try session.see("ready> ombi run shop/users/one\\ user")
                session.type(Keys.deleteToStart)
                session.type("ombi run shop -e d", Keys.tab)
                try session.see("ready> ombi run shop -e down")
                session.type(Keys.deleteToStart)
                session.type("ombi run --set to", Keys.tab)
                try session.see("ready> ombi run --set token=")
                session.type(Keys.deleteToStart)
                session.type("ombi send PA", Keys.tab)
                try session.see("ready> ombi send PATCH")
                session.type(Keys.deleteToStart)
                session.type("ombi help hist", Keys.tab)
                try session.see("ready> ombi help history")
            }
        }
    }
}
