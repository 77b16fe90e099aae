/// The content of a file when it was last read or written, to detect changes by others since.
///
/// It is the content itself, so that no change goes unnoticed; collection files are small.
public struct Fingerprint: Sendable, Equatable {
    /// Nil when there was no file.
    public let bytes: [UInt8]?

    /// The fingerprint of a file with these bytes.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    private init() { bytes = nil }

    /// The fingerprint of a file that does not exist.
    public static let absent = Fingerprint()
}
