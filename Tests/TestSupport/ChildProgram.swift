import Foundation

/// Programs that tests use as peers and judges.
public enum ChildProgram {
    public struct Output: Sendable {
        /// The exit code, or the signal that killed it as a negative number.
        public let status: Int32
        public let output: String
        public let errors: String
    }

    /// The path of a program that is installed, or that `scripts/peers.txt` brings.
    public static func find(_ name: String) -> String? {
        ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin", peers].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static let peers = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: ".build/peers/bin").path

    /// The interpreter that the first line of an installed script names: the Python that a package is installed for.
    public static func interpreter(of name: String) -> String? {
        let text = find(name).flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
        guard let line = text?.split(whereSeparator: \.isNewline).first, line.hasPrefix("#!") else { return nil }
        return line.dropFirst(2).trimmingCharacters(in: .whitespaces)
    }

    /// Runs a program to its end, on a thread of its own.
    public static func run(
        _ path: String, _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) async throws -> Output {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try runHere(path, arguments, input: input, environment: environment) })
            }
        }
    }

    static func runHere(
        _ path: String, _ arguments: [String], input: String, environment: [String: String]
    ) throws -> Output {
        let folder = try TemporaryFolder(files: ["in": Data(input.utf8), "out": Data(), "err": Data()])
        defer { folder.remove() }
        let files = ["in", "out", "err"].map { open(folder.url.appending(path: $0).path, O_RDWR) }
        defer { for file in files { close(file) } }
        let process = try ChildProcess(
            path, arguments, environment: environment, folder: folder.url.path, input: files[0], output: files[1],
            errors: files[2])
        return Output(status: process.wait(), output: folder.text("out"), errors: folder.text("err"))
    }
}
