import OmbiDocument

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

/// Runs the user's editor (`$VISUAL`, `$EDITOR`, else vi) on a file and waits for it. The terminal has been given back.
enum ExternalEditor {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Lets the user edit a text and gives back what it became.
    static func edit(_ text: String, suffix: String, line: Int) throws -> String {
        let folder = try makePrivateFolder()
        defer { removeFolder(folder) }
        let path = folder + "/ombi" + suffix
        try write(text, to: path)
        try open(path, line: line)
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure(description: "\(command) left no file behind; nothing was changed")
        }
        guard let edited = String(validating: bytes, as: UTF8.self) else {
            throw Failure(description: "the edited text is not UTF-8; nothing was changed")
        }
        return edited.hasSuffix("\n") && !text.hasSuffix("\n") ? String(edited.dropLast()) : edited
    }

    /// Opens a file at a line.
    static func open(_ path: String, line: Int) throws {
        // Through a shell, because $EDITOR may hold arguments ("code --wait").
        let script = "\(command) \(line > 1 ? "+\(line) " : "")\"$1\""
        let status = try Subprocess(["/bin/sh", "-c", script, "sh", path]).wait()
        guard status == 0 else {
            throw Failure(description: "\(command) ended with status \(status); set $EDITOR to an editor that is here")
        }
    }

    /// Shows a copy of a body; what is changed in it is let go.
    static func look(at copy: BodyCopy) throws {
        switch copy.program {
        case .editor: try open(copy.path, line: 1)
        case .pager:
            let pager = choice(["PAGER"], else: "less")
            let status = try Subprocess(["/bin/sh", "-c", "\(pager) \"$1\"", "sh", copy.path]).wait()
            guard status == 0 else {
                throw Failure(description: "\(pager) ended with status \(status); set $PAGER to a pager that is here")
            }
        }
    }

    private static var command: String { choice(["VISUAL", "EDITOR"], else: "vi") }

    private static func choice(_ names: [String], else standard: String) -> String {
        let environment = ProcessInfo.processInfo.environment
        return names.compactMap { environment[$0] }.first { !$0.isEmpty } ?? standard
    }

    static func makePrivateFolder() throws(Failure) -> String {
        let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(base)/ombi-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(description: "cannot make a temporary folder in \(base): \(String(cString: strerror(errno)))")
        }
        return template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? base }
    }

    private static func write(_ text: String, to path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
            throw Failure(description: "cannot write \(path): \(String(cString: strerror(errno)))")
        }
    }

    static func removeFolder(_ folder: String) {
        try? FileManager.default.removeItem(atPath: folder)
    }
}
