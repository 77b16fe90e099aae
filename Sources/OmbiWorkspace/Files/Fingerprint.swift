/// What a file held when it was last read or written: tells whether somebody else changed it since.
///
/// It is the content itself, so that nothing is mistaken for unchanged; collection files are small.
public struct Fingerprint: Sendable, Equatable {
    /// Nil when there was no file.
    let bytes: [UInt8]?

    /// There was no file.
    public static let absent = Fingerprint(bytes: nil)
}
