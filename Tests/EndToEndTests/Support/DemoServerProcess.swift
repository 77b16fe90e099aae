import Foundation

/// `ombi-demo-server` on a free port. It ends with its standard input, so it never outlives the tests.
final class DemoServerProcess {
    let port: Int
    private let process = Process()
    private let lifeline = Pipe()

    init(environment: [String: String]) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: Program.demoServer)
        process.arguments = ["--until-eof"]
        process.environment = environment
        process.standardInput = lifeline
        process.standardOutput = output
        try process.run()
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            line += more
        }
        let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
        guard let port = text.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw StoryFailure("the demo server did not start; it said: \(text)")
        }
        self.port = port
    }

    func stop() {
        try? lifeline.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
