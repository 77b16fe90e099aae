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

/// Writes bodies to files.
enum BodyFile {
    /// Saves a body, and tells what became of it. A path that ends with `!` may be that of a file that is there.
    static func save(_ document: BodyDocument, _ form: BodyForm, to typed: String) -> Notice {
        let overwrites = typed.hasSuffix("!")
        let path = expanded(overwrites ? String(typed.dropLast()) : typed)
        if !overwrites, access(path, F_OK) == 0 {
            return Notice(.warning, "\(path) is there already; \(typed)! overwrites it")
        }
        let bytes = bytes(of: document, form)
        if let reason = write(bytes, to: path) { return Notice(.failure, "cannot write \(path): \(reason)") }
        return Notice(.success, "saved \(TimeText.size(bytes.count)) to \(path)")
    }

    /// Formatted differs for JSON only; other text is in UTF-8.
    static func bytes(of document: BodyDocument, _ form: BodyForm) -> Bytes {
        guard form == .formatted else { return document.raw }
        guard let json = document.json, json.error == nil else {
            return document.kind.isText ? document.text : document.raw
        }
        var writer = JSONWriter(json, form: .formatted)
        var output: [UInt8] = []
        while let portion = writer.next(1 << 20) { output += portion }
        return Bytes(output + [0x0A])
    }

    /// - Returns: what went wrong.
    static func write(_ bytes: Bytes, to path: String) -> String? {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes(written..<bytes.count) {
                systemWrite(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 { written += count } else if errno != EINTR { break }
        }
        let isWhole = written == bytes.count
        let reason = isWhole ? nil : String(cString: strerror(errno))
        return close(descriptor) == 0 || reason != nil ? reason : String(cString: strerror(errno))
    }

    private static func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
        return String(cString: home) + path.dropFirst()
    }
}
