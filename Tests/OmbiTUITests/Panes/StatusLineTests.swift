import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

@Suite struct StatusLineTests {
    private static func draw(_ line: StatusLine, columns: Int) -> String {
        var surface = Surface(size: Size(columns: columns, rows: 2))
        let screen = Rect(column: 0, row: 0, columns: columns, rows: 2)
        line.draw(on: &surface, in: screen.bottom(1), above: screen.top(1))
        return surface.text(row: 1)
    }

    private static func both(_ line: StatusLine, columns: Int) -> String {
        above(line, columns: columns) + "\n" + draw(line, columns: columns)
    }

    /// The row above, which a long text covers.
    private static func above(_ line: StatusLine, columns: Int) -> String {
        var surface = Surface(size: Size(columns: columns, rows: 2))
        let screen = Rect(column: 0, row: 0, columns: columns, rows: 2)
        line.draw(on: &surface, in: screen.bottom(1), above: screen.top(1))
        return surface.text(row: 0)
    }

    private static func line(_ scopes: [KeyScope], notice: Notice? = nil, runs: [RunState] = []) -> StatusLine {
        StatusLine(
            runs: runs, notice: notice, hints: Keymap.standard.footer(in: scopes),
            firstKeys: runs.isEmpty ? [] : Keymap.standard.hints(runKeys, in: [.everywhere]), now: .milliseconds(100))
    }

    private static let runKeys: [(Action, String)] = [
        (.run(.cancel), "cancel"), (.run(.retryNow), "retry now"), (.run(.addAttempt), "attempt"),
    ]

    private static let run: RunState = {
        var run = RunState(id: 1, item: ItemID(), name: "user by id", startedAt: .zero)
        run.prepare(SampleRun.sent, now: .zero)
        return run
    }()

    @Test func `a run that waits for a secret has no SLA yet`() {
        let run = RunState(id: 1, item: ItemID(), name: "user by id", startedAt: .zero)
        let text = Self.both(Self.line([.request], runs: [run]), columns: 80)
        #expect(text.contains("↻ user by id  preparing · 0.1 s"), "\(text)")
        #expect(!text.contains("SLA"))
    }

    @Test(arguments: 40...200) func `hints fit any width, and help and quit stay longest`(columns: Int) {
        for scopes in [
            [KeyScope.tree, .lists, .everywhere], [.request, .lists, .everywhere], [.response, .lists, .everywhere],
        ] {
            let text = Self.draw(Self.line(scopes), columns: columns)
            #expect(TextWidth.of(text) < columns)
            #expect(text.hasPrefix(" s send  "), "\(text)")
            #expect(text.contains("  Enter ") || scopes[0] == .response, "\(text)")
            #expect(text.hasSuffix("? help  q quit"), "\(text)")
            #expect(!text.contains("…"))
        }
    }

    @Test(arguments: [40, 60, 80, 120]) func `the keys of a run show at any width`(columns: Int) {
        let text = Self.draw(Self.line([.tree, .lists, .everywhere], runs: [Self.run]), columns: columns)
        #expect(text.hasPrefix(" x cancel  r retry now  + attempt"), "\(text)")
        #expect(columns < 60 || text.hasSuffix("q quit"), "\(text)")
    }

    @Test func `with room every hint shows`() {
        let scopes = [KeyScope.tree, .lists, .everywhere]
        let text = Self.draw(Self.line(scopes), columns: 200)
        for hint in Keymap.standard.footer(in: scopes) {
            #expect(text.contains("\(hint.keys[0].name) \(hint.footer ?? "?")"))
        }
    }

    @Test func `the keys of a run are those of the settings`() throws {
        let changes = Keymap.standard.bindings.map { binding in
            switch binding.action {
            case .run(.cancel): binding.bound(to: [["X"]])
            case .run(.retryNow): binding.bound(to: [])
            default: binding
            }
        }
        var line = Self.line([.tree, .lists, .everywhere], runs: [Self.run])
        #expect(Self.draw(line, columns: 100).hasPrefix(" x cancel  r retry now  + attempt  "))
        line.firstKeys = Keymap(changes).hints(Self.runKeys, in: [.everywhere])
        let text = Self.draw(line, columns: 100)
        #expect(text.hasPrefix(" X cancel  + attempt  ") && !text.contains("retry now"))
    }

    @Test(arguments: 40...200) func `a notice stands beside the keys or above them, and hides none`(columns: Int) {
        let line = Self.line([.tree, .everywhere], notice: Notice(.info, "Saved demo.json"))
        let keys = Self.draw(Self.line([.tree, .everywhere]), columns: columns)
        let text = Self.draw(line, columns: columns)
        #expect(text.hasPrefix(keys), "\(text)")
        #expect(text.hasSuffix("  Saved demo.json") || Self.above(line, columns: columns) == " Saved demo.json")
    }

    @Test(arguments: [40, 60, 80, 120]) func `a long notice is cut at the edge`(columns: Int) {
        let notice = Notice(.failure, String(repeating: "long ", count: 120))
        let text = Self.above(Self.line([.tree, .everywhere], notice: notice), columns: columns)
        #expect(TextWidth.of(text) <= columns)
        #expect(text.hasSuffix("…"))
    }

    @Test func `a notice takes up to three rows above the keys, below the run`() {
        func rows(_ words: Int, _ runs: [RunState] = []) -> [String] {
            let text = (1...words).map { "word \($0)" }.joined(separator: " ")
            let line = Self.line([.tree, .everywhere], notice: Notice(.warning, text), runs: runs)
            var surface = Surface(size: Size(columns: 60, rows: 8))
            let screen = Rect(column: 0, row: 0, columns: 60, rows: 8)
            line.draw(on: &surface, in: screen.bottom(1), above: screen.dropBottom(1))
            return (0..<7).map { surface.text(row: $0) }.filter { !$0.isEmpty }
        }
        #expect(rows(6) == [" word 1 word 2 word 3 word 4 word 5 word 6"])
        #expect(rows(12).count == 2 && rows(12)[1].hasSuffix("word 12"))
        let cut = rows(99)
        #expect(cut.count == 3 && cut[2].hasSuffix("…") && cut[0].hasPrefix(" word 1 word 2"))
        let beside = rows(12, [Self.run])
        #expect(beside.count == 3 && beside[0].hasPrefix(" ↻") && beside[2].hasSuffix("word 12"), "\(beside)")
    }

    @Test func `a run tells what it does and how much is left`() {
        var run = Self.run
        #expect(
            Self.both(Self.line([.question], runs: [run]), columns: 120)
                .contains(" ↻ user by id  attempt 1/4 · starting · ▓▓▓▓▓▓▓▓▓▓ SLA 1.9 s left"))
        #expect(
            Self.both(Self.line([.question], runs: [run]), columns: 120)
                .contains(" x cancel  r retry now  + attempt  "))
        run.fold(.attemptStarted(number: 1, attempts: 4, at: .zero))
        run.fold(.phaseReached(attempt: 1, phase: .resolve, at: .zero))
        #expect(Self.both(Self.line([.question], runs: [run]), columns: 120).contains("· resolving the host ·"))
        run.fold(.phaseReached(attempt: 1, phase: .receive, at: .zero))
        run.fold(.bodyReceived(attempt: 1, bytes: 2100, expected: nil, at: .zero))
        #expect(Self.both(Self.line([.question], runs: [run]), columns: 120).contains("· receiving 2.1 kB ·"))
        run.fold(.waiting(attempt: 2, until: .milliseconds(450), reason: .backoff, at: .zero))
        #expect(
            Self.both(Self.line([.question], runs: [run, run]), columns: 120).contains("· waiting 0.4 s ·")
                || Self.both(Self.line([.question], runs: [run, run]), columns: 120).contains("· waiting 0.3 s ·"))
        #expect(Self.both(Self.line([.question], runs: [run, run]), columns: 120).contains("2 running"))
    }

    @Test func `an SLA that is over is not less than nothing`() {
        var line = Self.line([.question], runs: [Self.run])
        line.now = .seconds(99)
        #expect(Self.both(line, columns: 120).contains("░░░░░░░░░░ SLA 0.0 s left"))
    }
}
