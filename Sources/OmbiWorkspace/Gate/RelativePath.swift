#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A path as a collection file writes it: relative to the folder of that file, or to the home folder after `~/`.
enum RelativePath {
    static func resolve(
        _ path: String, folder: String, home: String? = getenv("HOME").map { String(cString: $0) }
    ) -> String {
        if path.hasPrefix("~/"), let home { return home + path.dropFirst() }
        return path.hasPrefix("/") || folder.isEmpty ? path : folder + "/" + path
    }

    /// Returns the way from one folder to another, such as `../api/`; empty for the same one, and where one is missing.
    static func way(from folder: String, to other: String) -> String {
        func components(_ folder: String) -> [Substring]? {
            Workspace.real(folder.isEmpty ? "." : folder)?.split(separator: "/")
        }
        guard let start = components(folder), let end = components(other) else { return "" }
        let shared = zip(start, end).prefix { $0.0 == $0.1 }.count
        let up = String(repeating: "../", count: start.count - shared)
        return up + end.dropFirst(shared).map { "\($0)/" }.joined(separator: "")
    }
}
