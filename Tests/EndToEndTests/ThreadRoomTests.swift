import Foundation
import Testing

extension EndToEnd {
    /// A system that gives so little memory that the threads of a request cannot be created.
    @Suite struct ThreadRoomTests {
        @Test(arguments: [
            "run shop.json", "run shop.json --dry-run", "history list",
            "record --to new.json --target http://127.0.0.1:1",
        ])
        func `a command without room for its threads ends with a message`(command: String) throws {
            try Scene.play { scene in
                try scene.write(
                    "shop.json",
                    #"{"version": 1, "name": "shop", "items": [{"request": "one", "path": "http://127.0.0.1:1/"}]}"#)
                // The least memory with which the program starts: a debug build needs more than a release.
                let outcome = try scene.shell(
                    """
                    export SWIFT_BACKTRACE=enable=no
                    for kib in $(seq 40000 10000 1000000); do
                        (ulimit -v $kib; timeout -k 1 5 "$0" --version) >/dev/null 2>&1 || continue
                        ulimit -v $kib
                        exec "$0" \(command)
                    done
                    """)
                #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
                #expect(
                    outcome.errors.contains("too little memory, or too few threads"),
                    "\(outcome.output)\(outcome.errors)")
                #expect(outcome.errors.contains("ulimit -v"))
            }
        }
    }
}
