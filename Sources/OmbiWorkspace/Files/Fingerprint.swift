import OmbiDocument

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The content of a file when it was last read or written, to detect changes by others since.
///
/// It is the content itself, so that no change goes unnoticed; collection files are small.
public struct Fingerprint: Sendable {
    /// Nil when there was no file.
    public let content: Bytes?
    /// The text of the file at an earlier time. What a save brings back is written as it was there.
    let earlier: Bytes?

    /// The fingerprint of a file with this content.
    public init(_ content: Bytes) { self.init(content, earlier: nil) }

    /// The fingerprint of a file with these bytes.
    public init(bytes: [UInt8]) { self.init(Bytes(bytes)) }

    private init(_ content: Bytes?, earlier: Bytes?) { (self.content, self.earlier) = (content, earlier) }

    /// The fingerprint of a file that does not exist.
    public static let absent = Fingerprint(nil, earlier: nil)

    /// The content of the file, or the one that it had before it was removed.
    public var text: Bytes? { content ?? earlier }

    /// The fingerprint of the file once it is gone: a save writes it with the text that it had.
    public var removed: Fingerprint { Fingerprint(nil, earlier: text) }

    /// This fingerprint, with an earlier text of the file for what comes back from there.
    public func recalling(_ earlier: Bytes?) -> Fingerprint {
        guard let earlier, earlier.base != content?.base else { return self }
        return Fingerprint(content, earlier: earlier)
    }

    /// A copy of the content; nil when there was no file.
    public var bytes: [UInt8]? { content.map { $0.array(0..<$0.count) } }
}

/// Compares the contents alone: an earlier text is not in the file.
extension Fingerprint: Equatable {
    public static func == (one: Fingerprint, other: Fingerprint) -> Bool {
        switch (one.content, other.content) {
        case (nil, nil): true
        case (let content?, let other?): content.hasBytes(of: other)
        default: false
        }
    }
}

/// A file whatever its name: another one that takes its place has another identity.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Nil where there is no file at the path.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
    }
}
