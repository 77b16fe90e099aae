import OmbiDocument

/// The content of a file when it was last read or written, to detect changes by others since.
///
/// It is the content itself, so that no change goes unnoticed; collection files are small.
public struct Fingerprint: Sendable {
    /// Nil when there was no file.
    public let content: Bytes?

    /// The fingerprint of a file with this content.
    public init(_ content: Bytes) { self.content = content }

    /// The fingerprint of a file with these bytes.
    public init(bytes: [UInt8]) { self.init(Bytes(bytes)) }

    private init() { content = nil }

    /// The fingerprint of a file that does not exist.
    public static let absent = Fingerprint()

    /// A copy of the content; nil when there was no file.
    public var bytes: [UInt8]? { content.map { $0.array(0..<$0.count) } }
}

extension Fingerprint: Equatable {
    public static func == (one: Fingerprint, other: Fingerprint) -> Bool {
        switch (one.content, other.content) {
        case (nil, nil): true
        case (let content?, let other?): content.hasBytes(of: other)
        default: false
        }
    }
}
