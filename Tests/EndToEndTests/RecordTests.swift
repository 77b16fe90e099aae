import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A collection that is made of what another program sends.
    @Suite struct RecordTests {
        @Test func `requests that went through the proxy are a collection that sends them again`() throws {
            let origin = try LoopbackServer { request in
                request.headers["authorization"] == "Bearer s3cr3t-token-1" ? .ok("{\"id\":42}") : .status(401, "no")
            }
            defer { origin.stop() }
            try Scene.play { scene in
                let outcome = try scene.shell(
                    """
                    mkfifo out
                    "$0" record --to shop.json --target \(origin.host) > out 2> notes &
                    exec 3< out
                    read url <&3
                    for user in 42 43; do
                        "$0" send "$url/users/$user" "Authorization:Bearer s3cr3t-token-1" --body --no-record
                        echo " $?"
                    done
                    "$0" send POST "$url/login" "Authorization:Bearer s3cr3t-token-1" password=s3cr3t-word --no-record
                    kill -TERM $!
                    wait $!
                    echo "ended $?"
                    cat <&3
                    "$0" check shop.json
                    echo "check $?"
                    "$0" run shop.json -e 127.0.0.1:\(origin.port) --trust --no-record
                    echo "run $?"
                    "$0" history
                    """)
                let (text, notes) = (try scene.read("shop.json"), try scene.read("notes"))
                for part in [
                    "{\"id\":42} 0", "ended 0", "GET /users/42  200 OK", "new: GET /users/:userId",
                    "GET /users/43  200 OK", "POST /login  200 OK", "check 0", "run 0",
                ] { #expect(outcome.output.contains(part), "\(part)\n\(outcome.output)\(outcome.errors)\(notes)") }
                #expect(notes.contains("2 new requests in shop.json"), "\(notes)")
                #expect(!(outcome.output + outcome.errors + notes + text).contains("s3cr3t"))
                #expect(try scene.read("shop.local.json").contains("s3cr3t-word"))
                #expect(text.contains("\"/users/:userId\"") && !text.contains("/users/43"))
                // The run sends what was recorded.
                let again = origin.requests.suffix(2)
                #expect(again.map(\.target) == ["/users/42", "/login"])
                #expect(again.allSatisfy { $0.headers["authorization"] == "Bearer s3cr3t-token-1" })
                #expect(again.last?.text.contains("s3cr3t-word") == true)
            }
        }

        @Test func `what no proxy can be made of is refused before anything listens`() throws {
            try Scene.play { scene in
                try scene.write("broken.json", "{ \"version\": 1, ")
                let wrong = [
                    ["--to", "c.json"], ["--to", "c.txt", "--target", "http://a.test"],
                    ["--to", "c.json", "--target", "a.test"], ["--to", "broken.json", "--target", "http://a.test"],
                    ["--to", "c.json", "--target", "http://a.test", "--host", "0.0.0.0"],
                ]
                for arguments in wrong {
                    let outcome = try scene.background(Program.ombi, ["record"] + arguments).outcome()
                    #expect(outcome.status == 2, "\(arguments) \(outcome.errors)")
                }
                #expect(!FileManager.default.fileExists(atPath: scene.path("c.json")))
            }
        }
    }
}
