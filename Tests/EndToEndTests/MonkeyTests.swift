import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Somebody who presses anything, while files change and responses come.
    @Suite struct MonkeyTests {
        /// Each case can be played again by its number. `OMBI_MONKEY_STEPS` sets the steps of the first, and leaves the
        /// others out: 200,000 take a quarter of an hour.
        @Test(arguments: MonkeyTests.seeds) func `no row of keys, sizes, files and responses ends it`(
            seed: UInt64
        ) throws {
            try Scene.play { scene in
                let files = MonkeyFiles(try scene.port())
                var monkey = Monkey(seed: seed, files)
                try scene.write("shop.json", files.first)
                var ombi = try Self.start(scene)
                for step in 0..<Self.steps {
                    if step % 50_000 == 49_999 { Self.report(ombi, after: step + 1) }
                    guard let size = try monkey.act(on: ombi, in: scene) else { continue }
                    if try Self.hasQuit(ombi, at: size, "step \(step) of seed \(seed)") {
                        ombi = try Self.start(scene)
                        monkey.size = MonkeySize(80, 24)
                    }
                }
                let memory = Self.memory(of: ombi, "VmRSS")
                #expect(memory ?? 0 < 250_000, "kB after \(Self.steps) steps")
                ombi.terminal.kill(SIGTERM)
                #expect(try ombi.waitForExit() == 128 + SIGTERM)
                ombi.expectTerminalRestored()
            }
        }

        private static let wanted = ProcessInfo.processInfo.environment["OMBI_MONKEY_STEPS"].flatMap { Int($0) }
        private static let steps = wanted ?? 1_200
        private static let seeds: [UInt64] = wanted == nil ? [1, 2, 3, 4, 5, 6] : [1]

        private static func start(_ scene: Scene) throws -> Session {
            let ombi = try scene.explore("shop.json", columns: 80, rows: 24, environment: ["EDITOR": "true"])
            try ombi.look {
                $0.contains("1 Requests") || $0.contains("Unsaved edits")
            } orSay: {
                "the first screen"
            }
            return ombi
        }

        /// Waits for a sign of life after another size of the terminal.
        /// - Returns: true when the program was quit, which a click or the palette may do.
        private static func hasQuit(_ ombi: Session, at size: MonkeySize, _ place: String) throws -> Bool {
            if let status = try? ombi.terminal.waitForExit(timeout: 0) {
                #expect(status == 0, "\(place)")
                return true
            }
            let start = ombi.screen.bytesSeen
            ombi.terminal.resize(columns: size.columns, rows: size.rows)
            do {
                try ombi.look {
                    $0.bytesSeen > start
                } orSay: {
                    "a sign of life at \(place)"
                }
                return false
            } catch {
                guard try ombi.waitForExit() == 0 else { throw error }
                return true
            }
        }

        // MARK: Memory

        private static func memory(of ombi: Session, _ key: String) -> Int? {
            let path = "/proc/\(ombi.terminal.processIdentifier)/status"
            let status = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix(key + ":") }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        }

        private static func report(_ ombi: Session, after steps: Int) {
            let numbers = ["VmRSS", "VmHWM"].map { "\($0) \(memory(of: ombi, $0) ?? 0) kB" }
            print("monkey after \(steps) steps:", numbers.joined(separator: ", "))
        }
    }
}

struct MonkeySize: Equatable {
    var columns: Int
    var rows: Int

    init(_ columns: Int, _ rows: Int) { (self.columns, self.rows) = (columns, rows) }
}

/// The contents that the file of the monkey takes on.
struct MonkeyFiles {
    let first: String
    private let others: [String?]

    init(_ port: Int) {
        first = Samples.shop(port: port)
        others = [
            first, first.replacing("\"one user\"", with: "\"any user\""),
            first.replacing("/users\"", with: "/people\""),
            first.replacing("\"folder\": \"trouble\"", with: "\"folder\": \"joy\", \"unknown\": 1"),
            String(first.prefix(first.count / 2)), "", nil,
            first.replacing("\"items\": [", with: "\"items\": [{ \"request\": \"new\", \"path\": \"/new\" },"),
        ]
    }

    /// Writes one of them; or removes the file.
    func write(to path: String, using random: inout SeededRandom) throws {
        guard let text = others.randomElement(using: &random) ?? nil else {
            try? FileManager.default.removeItem(atPath: path)
            return
        }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
}

/// A row of steps: keys, pastes, the mouse, files that change, and after some of them another size.
struct Monkey {
    private var random: SeededRandom
    private let files: MonkeyFiles
    private var keys = ""
    private var pending = 0
    var size = MonkeySize(80, 24)

    init(seed: UInt64, _ files: MonkeyFiles) {
        random = SeededRandom(seed: seed)
        self.files = files
    }

    /// Takes a step.
    /// - Returns: the size that the terminal is to have next; nil for most steps.
    mutating func act(on ombi: Session, in scene: Scene) throws -> MonkeySize? {
        switch Int.random(in: 0..<100, using: &random) {
        case 0: try files.write(to: scene.path("shop.json"), using: &random)
        case 1..<8: keys += mouse()
        case 8..<12: keys += Self.runs.randomElement(using: &random) ?? ""
        default: keys += Keys.harmless.randomElement(using: &random) ?? ""
        }
        pending += 1
        guard pending == 8 else { return nil }
        ombi.type(keys)
        (keys, pending) = ("", 0)
        let columns = [9, 12, 39, 40, 60, 80, 90, 99, 100, 120, 149, 150, 300].filter { $0 != size.columns }
        let rows = Int.random(in: 0..<40, using: &random) == 0 ? [100, 5] : [5, 9, 10, 19, 20, 24, 34]
        size = MonkeySize(
            columns.randomElement(using: &random) ?? 80, rows.randomElement(using: &random) ?? 24)
        return size
    }

    /// Sends, runs a folder, cancels, retries, and steps in.
    private static let runs = ["s", "s", "1gs\r", "1gjs\r", "x", "r", "+", "T", "\u{1B}[15~"]

    private mutating func mouse() -> String {
        let column = Int.random(in: 1...max(1, size.columns), using: &random)
        let row = Int.random(in: 1...max(1, size.rows), using: &random)
        let place = "\(column);\(row)"
        return [
            "\u{1B}[<0;\(place)M\u{1B}[<0;\(place)m", "\u{1B}[<0;\(place)M", "\u{1B}[<32;\(place)M",
            "\u{1B}[<0;\(place)m", "\u{1B}[<64;\(place)M", "\u{1B}[<65;\(place)M",
        ].randomElement(using: &random) ?? ""
    }
}

extension Keys {
    /// Any key but those that quit, run a command of the shell, or write a file of any name.
    fileprivate static let harmless =
        "jkhlgGsxrE+w u123z:?[]aAdDRJKem/| Y{}\"é漢😀nNpvVyCMtW#<>cTfXULi,.-=*0".map { String($0) } + [
            enter, enter, tab, up, down, end, "\u{1B}[C", "\u{1B}[D", "\u{1B}[5~", "\u{1B}[6~", "\u{1B}[3~", "\u{1B}[Z",
            "\u{1B}[H", "\u{1B}[1;3C", "\u{1B}[1;3D", "\u{1B}[1;3A", "\u{1B}[1;3B", "\u{1B}OP", "\u{1B}[1;5C",
            "\u{1B}[1;2C", "\u{7F}", "\u{04}", "\u{06}", "\u{07}", "\u{0B}", "\u{0E}", "\u{10}", "\u{12}", "\u{14}",
            "\u{15}", "\u{17}", "\u{19}", "\u{1B}", controlZ, paste("{\n\"a\": [1,\n2]}"),
            paste("curl -X POST https://a.test/b -d 'c=1'"), paste("https://a.test/x?y=1"), paste("äöü 漢字 {{token}}"),
            paste("{\"k\": 1, \"k\": 2}"),
        ]
}
