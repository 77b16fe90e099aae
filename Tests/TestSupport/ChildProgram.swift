import Foundation

/// Programs that tests use as peers and judges.
public enum ChildProgram {
    public struct Output: Sendable {
        public let status: Int32
        public let output: String
        public let errors: String
    }

    /// The path of an installed program.
    public static func find(_ name: String) -> String? {
        ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a program to its end, on a thread of its own.
    public static func run(
        _ path: String, _ arguments: [String], input: Data = Data(), environment: [String: String] = [:]
    ) async throws -> Output {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try runHere(path, arguments, input: input, environment: environment) })
            }
        }
    }

    private static func runHere(
        _ path: String, _ arguments: [String], input: Data, environment: [String: String]
    ) throws -> Output {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-child-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["in", "out", "err"].map { folder.appending(path: $0) }
        for (file, data) in zip(files, [input, Data(), Data()]) { try data.write(to: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path, "LC_ALL": "C.UTF-8"]
            .merging(environment) { $1 }
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        process.waitUntilExit()
        let texts = try files.dropFirst().map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return Output(status: process.terminationStatus, output: texts[0], errors: texts[1])
    }
}
