import Foundation

/// What a program left behind.
struct Outcome {
    /// The exit code, or the signal that killed it as a negative number.
    var status: Int32
    var output: String
    var errors: String

    /// The standard output as JSON.
    func json() throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
        guard let object = value as? [String: Any] else { throw StoryFailure("no JSON object: \(output)") }
        return object
    }
}

/// A program without a terminal: its input is at the end, its output goes to files.
final class BackgroundProgram: @unchecked Sendable {
    private let process = Process()
    private let ended = DispatchSemaphore(value: 0)
    private let outputPath: String
    private let errorsPath: String

    // Unchecked: only the semaphore is used from the queue on which the end of the process is told.
    init(_ program: String, _ arguments: [String], environment: [String: String], directory: String) throws {
        // Not in the folder of the story, where an explorer would see it appear.
        let name = NSTemporaryDirectory() + "/ombi-output-\(UUID().uuidString)"
        (outputPath, errorsPath) = (name, name + "-errors")
        for path in [outputPath, errorsPath] { try Data().write(to: URL(fileURLWithPath: path)) }
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = environment
        process.currentDirectoryURL = URL(fileURLWithPath: directory)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: outputPath))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errorsPath))
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for the end.
    func outcome(timeout: TimeInterval = 30) throws -> Outcome {
        guard ended.wait(timeout: .now() + timeout) == .success else {
            throw StoryFailure(
                "\(process.arguments ?? []) did not end within \(timeout) s; it wrote:\n\(text(outputPath))")
        }
        ended.signal()
        let status = process.terminationStatus
        return Outcome(
            status: process.terminationReason == .exit ? status : -status, output: text(outputPath),
            errors: text(errorsPath))
    }

    func end() {
        if process.isRunning { signal(SIGKILL) }
        process.waitUntilExit()
        for path in [outputPath, errorsPath] { try? FileManager.default.removeItem(atPath: path) }
    }

    private func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}
