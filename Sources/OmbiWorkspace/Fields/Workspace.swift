#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The folders that a collection may use without being trusted: its own, and the one in which the program was started.
enum Workspace {
    /// Returns the path of a file outside the workspace, without links and dots; nil for one inside, and for none at all.
    static func outside(_ path: String, folder: String) -> String? {
        guard let real = real(RelativePath.resolve(path, folder: folder)) else { return nil }
        return contains(real, folder: folder) ? nil : real
    }

    /// - Parameter real: a path without links and dots.
    static func contains(_ real: String, folder: String) -> Bool {
        [folder, "."].compactMap(Self.real).contains { real.hasPrefix($0 == "/" ? $0 : $0 + "/") }
    }

    /// The path without links and dots; nil, with `errno` set, where there is nothing.
    static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
