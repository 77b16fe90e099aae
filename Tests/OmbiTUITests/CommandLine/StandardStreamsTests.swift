import Foundation
import Testing

@testable import OmbiTUI

@Suite struct StandardStreamsTests {
    @Test func `what a device does not take is an error, once`() {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        let output = ResultOutput(full)
        #expect(output.failure == nil && !output.isClosed)
        [UInt8]("text".utf8).withUnsafeBytes { output.write($0) }
        #expect(output.failure == "No space left on device" && output.isClosed)
    }

    @Test func `a reader that is gone is seen without a write`() {
        let (output, input, written) = Self.paced()
        defer { close(written) }
        #expect(!output.isClosed)
        close(input)
        #expect(output.isClosed && output.failure == nil)
    }

    /// A pipe with results that share writes, and its end to read from.
    private static func paced() -> (output: ResultOutput, input: Int32, written: Int32) {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        return (ResultOutput(ends[1], isPaced: true), ends[0], ends[1])
    }

    private static func read(_ input: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = Foundation.read(input, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private static func write(_ text: String, to output: ResultOutput) {
        [UInt8](text.utf8).withUnsafeBytes { output.write($0) }
    }

    @Test func `a row that comes alone is written at once, and none waits for the next one`() {
        let (output, input, written) = Self.paced()
        defer { for end in [input, written] { close(end) } }
        Self.write("1\n", to: output)
        #expect(Self.read(input) == "1\n")
        Self.write("2\n", to: output)
        #expect(Self.read(input) == "2\n", "by itself, after a pause")
    }

    @Test func `rows that come close behind each other share writes, in their order`() {
        let (output, input, written) = Self.paced()
        defer { close(input) }
        let rows = (0..<3000).map { "row \($0)\n" }
        for row in rows { Self.write(row, to: output) }
        Self.write(String(repeating: "x", count: 20_000), to: output)
        Self.write("end", to: output)
        output.flush()
        close(written)
        var all = ""
        var reads = 0
        while case let text = Self.read(input), !text.isEmpty {
            all += text
            reads += 1
        }
        #expect(all == rows.joined() + String(repeating: "x", count: 20_000) + "end")
        #expect(reads < 10)
    }

    @Test(arguments: [(false, "\u{1B}]0;t\u{07}\u{9B}\n"), (true, "␛]0;t␇\u{FFFD}\n")])
    func `a terminal is written no controls, a pipe what there is`(isTerminal: Bool, written: String) {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        defer { for end in ends { close(end) } }
        Self.write("\u{1B}]0;t\u{07}\u{9B}\n", to: ResultOutput(ends[1], isTerminal: isTerminal))
        #expect(Self.read(ends[0]) == written)
    }
}
