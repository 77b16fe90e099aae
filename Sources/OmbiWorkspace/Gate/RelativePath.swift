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
}
