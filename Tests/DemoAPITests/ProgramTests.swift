import DemoAPI
import Foundation
import Testing

/// The program `ombi-demo-server`, which the build puts beside the tests.
private struct Program: Sendable {
    struct Result: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs it to its end; its standard input is at the end from the start.
    static func run(_ arguments: String...) async throws -> Result {
        try await onOwnThread {
            let (process, output, errors) = (process(arguments), Pipe(), Pipe())
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return Result(status: process.terminationStatus, output: text, errors: complaint)
        }
    }

    static func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("ombi-demo-server")
        process.arguments = arguments
        return process
    }
}

@Test func `the program says where it listens, and ends with its input`() async throws {
    let result = try await Program.run("--until-eof")
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(result.output.hasPrefix("listening on http://127.0.0.1:"))
    #expect(result.output.split(separator: "\n").count == 1)
}

@Test(arguments: [SIGTERM, SIGINT]) func `the program answers until a signal ends it`(signal: Int32) async throws {
    let (process, input, output) = (Program.process([]), Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let handle = output.fileHandleForReading
    let line = try await onOwnThread { String(decoding: handle.availableData, as: UTF8.self) }
    let port = try #require(UInt16(line.split(separator: ":").last?.dropLast() ?? ""))
    #expect(try await Client(port: port).get("/time").status == 200)
    kill(process.processIdentifier, signal)
    _ = try await onOwnThread { handle.readDataToEndOfFile() }
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
}

@Test func `the program says that a port is in use`() async throws {
    let server = try await DemoServer.start()
    let result = try await Program.run("--port", "\(server.port)")
    #expect(result.status == 1)
    #expect(result.output == "")
    #expect(result.errors.contains("cannot listen on port \(server.port): another program uses it"))
    await server.stop()
}

@Test(arguments: [["--port"], ["--port", "70000"], ["--port=x"], ["--verbose"], ["8765"]])
func `the program refuses what it does not understand`(arguments: [String]) async throws {
    let result = try await arguments.count == 1 ? Program.run(arguments[0]) : Program.run(arguments[0], arguments[1])
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors.contains("Usage: ombi-demo-server"))
}
