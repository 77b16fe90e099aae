import OmbiCore
import OmbiDocument
import OmbiProcess
import OmbiViewer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs the user's editor (`$VISUAL`, `$EDITOR`, else vi) on a file and waits for it. The terminal has been restored.
enum ExternalEditor {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Opens a text in the editor and returns the edited text.
    static func edit(_ text: String, suffix: String, line: Int) throws -> String {
        let edited = try inPrivateFile("ombi" + suffix, Bytes(text.utf8)) { path in
            try open(path, line: line)
            guard let bytes = FileManager.default.contents(atPath: path) else {
                throw Failure(description: "\(editor.command) left no file behind; nothing was changed")
            }
            return bytes
        }
        guard let edited = String(validating: edited, as: UTF8.self) else {
            throw Failure(description: "The edited text is not UTF-8; nothing was changed")
        }
        return edited.hasSuffix("\n") && !text.hasSuffix("\n") ? String(edited.dropLast()) : edited
    }

    /// Opens a file at a line.
    static func open(_ path: String, line: Int) throws {
        try run(editor, line > 1 ? "+\(line) " : "", path)
    }

    /// Opens a copy of a body; changes to it are discarded.
    /// - Returns: true when the copy was changed.
    static func show(_ copy: BodyCopy) throws -> Bool {
        switch copy.program {
        case .editor: try open(copy.path, line: 1)
        case .pager: try run(pager, "", copy.path)
        }
        return copy.wasChanged
    }

    // MARK: The user's programs

    /// A command line, and the variable that sets it.
    private struct UserCommand {
        var variable: String
        var command: String

        /// - Parameter names: the variables in order of precedence; the last is the one that is usually set.
        init(_ names: [String], else standard: String) {
            let environment = ProcessInfo.processInfo.environment
            let found = names.first { !(environment[$0] ?? "").isEmpty }
            variable = found ?? names[names.count - 1]
            command = found.flatMap { environment[$0] } ?? standard
        }
    }

    private static var editor: UserCommand { UserCommand(["VISUAL", "EDITOR"], else: "vi") }
    private static var pager: UserCommand { UserCommand(["PAGER"], else: "less") }

    /// The exit statuses of a shell that does not find a command, and of one that may not run it.
    private static let notThere: [Int32] = [127, 126]

    private static func run(_ program: UserCommand, _ options: String, _ path: String) throws {
        // Through a shell, because the variable may hold arguments ("code --wait").
        let status = try Subprocess(["/bin/sh", "-c", "\(program.command) \(options)\"$1\"", "sh", path]).wait()
        guard status != 0 else { return }
        throw Failure(
            description: notThere.contains(status)
                ? "Cannot run \(program.command): set $\(program.variable) to a program that is here"
                : "\(program.command) ended with status \(status)")
    }

    // MARK: Files of its own

    /// Calls `body` with a file that only the user can read, and deletes it afterwards.
    private static func inPrivateFile<Result>(
        _ name: String, _ bytes: Bytes, _ body: (String) throws -> Result
    ) throws -> Result {
        let (folder, path) = try makePrivateFile(name)
        defer { removeFolder(folder) }
        try BodyFile.write(BodyWriter(bytes), to: path, CancelFlag())
        return try body(path)
    }

    static var temporaryFolder: String { CurlTransport.Configuration.defaultTemporaryFolder }

    /// Creates an empty file in a folder of its own, both private to the user; a file that replaces it stays so.
    static func makePrivateFile(
        _ name: String, in base: String = ExternalEditor.temporaryFolder
    ) throws(Failure) -> (folder: String, path: String) {
        let folder = try makePrivateFolder(in: base)
        let path = folder + "/" + name
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw Failure(description: "Cannot write \(path): \(String(cString: strerror(errno)))")
        }
        return (folder, path)
    }

    /// Creates a folder that is private to the user.
    static func makePrivateFolder(in base: String = ExternalEditor.temporaryFolder) throws(Failure) -> String {
        var template = Array("\(base)/ombi-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(description: "Cannot make a temporary folder in \(base): \(String(cString: strerror(errno)))")
        }
        return template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? base }
    }

    static func removeFolder(_ folder: String) {
        try? FileManager.default.removeItem(atPath: folder)
    }
}
