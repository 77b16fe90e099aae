import Foundation

/// Code that the Swift compiler is given, and what it has to say about it.
public struct Snippet: Sendable, CustomStringConvertible {
    public enum Expectation: Sendable {
        case compiles
        /// An error in these words, and in no others.
        case fails(String)
        /// It compiles, with a warning in these words.
        case warns(String)
    }

    public let description: String
    public let code: String
    public let expectation: Expectation

    public init(_ description: String, _ expectation: Expectation, _ code: String) {
        self.description = description
        self.expectation = expectation
        self.code = code
    }

    /// One member of a request.
    public static func member(_ code: String, _ expectation: Expectation = .compiles) -> Snippet {
        Snippet(
            code, expectation,
            """
            struct R: HTTPRequest {
                typealias ResponseBody = User
                let path = "/"
                let method = RequestMethod.post
                \(code)
            }
            """)
    }
}

/// The Swift compiler, which type-checks many snippets in one process: each is a file, whose declarations are private.
public struct Compiler: Sendable {
    public enum Isolation: String, Sendable {
        case nonisolated
        case mainActor = "MainActor"
    }

    /// One line of the compiler's about one snippet.
    public struct Diagnostic: Sendable, CustomStringConvertible {
        public let isError: Bool
        public let text: String

        public var description: String { (isError ? "error: " : "warning: ") + text }
    }

    /// The folder of the repository.
    public static let root = (0..<3).reduce(URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()) { url, _ in
        url.deletingLastPathComponent()
    }

    /// nil, with a line on standard error, where there is no compiler or no module of OmbiCore beside this program.
    public static let installed: Compiler? = {
        guard let executable = program("swiftc") else { return skip("swiftc is not on the PATH") }
        guard let products else { return skip("OmbiCore.swiftmodule is not beside the tests") }
        return Compiler(executable: executable, products: products)
    }()

    private let executable: String
    private let arguments: [String]

    private init(executable: String, products: URL) {
        self.executable = executable
        arguments = [
            "-typecheck", "-wmo", "-swift-version", "6", "-module-name", "Snippets",
            "-I", products.appendingPathComponent("Modules").path, "-I", products.path,
            "-Xcc", "-fmodule-map-file=\(Self.root.appendingPathComponent("Sources/CCurl/module.modulemap").path)",
        ]
    }

    private static func skip(_ reason: String) -> Compiler? {
        FileHandle.standardError.write(Data("compile tests skipped: \(reason)\n".utf8))
        return nil
    }

    private static func program(_ name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The folder with what was built for these tests.
    private static var products: URL? {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).standardizedFileURL
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let module = folder.appendingPathComponent("Modules/OmbiCore.swiftmodule")
            if FileManager.default.fileExists(atPath: module.path) { return folder }
        }
        return nil
    }

    /// What the compiler says about each snippet, in their order. `shared` is seen by all of them.
    public func check(_ snippets: [Snippet], shared: String, isolation: Isolation) throws -> [[Diagnostic]] {
        let names = snippets.indices.map { "Snippet\($0).swift" }
        let codes = snippets.map { "import OmbiCore\n\n" + Self.hidingDeclarations(of: $0.code) }
        let output = try run(
            Array(zip(names, codes)) + [("Shared.swift", "import OmbiCore\n\n" + shared)], isolation,
            options: ["-parse-as-library"])
        return names.map { Self.diagnostics(in: $0, output) }
    }

    /// What the compiler says about a program of one file.
    public func check(program code: String, isolation: Isolation) throws -> [Diagnostic] {
        Self.diagnostics(in: "main.swift", try run([("main.swift", code)], isolation))
    }

    /// So that they may have the same names in all snippets.
    private static func hidingDeclarations(of code: String) -> String {
        let keywords = ["struct ", "protocol ", "final class ", "class ", "enum ", "func "]
        return code.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            keywords.contains { line.hasPrefix($0) } ? "private " + line : String(line)
        }.joined(separator: "\n")
    }

    private func run(
        _ files: [(name: String, code: String)], _ isolation: Isolation, options: [String] = []
    ) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("snippets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for file in files {
            try Data(file.code.utf8).write(to: folder.appendingPathComponent(file.name))
        }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: executable)
        process.currentDirectoryURL = folder
        process.arguments = arguments + ["-default-isolation", isolation.rawValue] + options + files.map(\.name)
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return output
    }

    /// "Snippet3.swift:5:8: error: …"; the same may be said several times.
    private static func diagnostics(in file: String, _ output: String) -> [Diagnostic] {
        var seen: Set<Substring> = []
        return output.split(separator: "\n").compactMap { line in
            guard let start = line.range(of: "\(file):"), line[..<start.lowerBound].allSatisfy({ $0 != " " }),
                seen.insert(line).inserted
            else { return nil }
            for (mark, isError) in [(": error: ", true), (": warning: ", false)] {
                if let range = line.range(of: mark) {
                    return Diagnostic(isError: isError, text: String(line[range.upperBound...]))
                }
            }
            return nil
        }
    }
}
