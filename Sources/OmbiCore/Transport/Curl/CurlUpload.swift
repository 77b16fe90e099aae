#if canImport(CCurl)
/// The progress of a request body: the bytes that libcurl has read, and those sent.
struct CurlUpload {
    /// The length in bytes; nil if unknown.
    let length: Int?
    /// True if the reader had no bytes at the last read.
    private(set) var isWaiting = false
    private(set) var bytesSent = 0
    private var bytesTold = 0
    private let reader: (any BodyReader)?
    private let waitingReader: (any WaitingBodyReader)?
    private let wake: (@Sendable () -> Void)?
    private var bytesRead = 0
    private var hasEnded = false

    /// Opens the stream at its start.
    init(_ hop: Hop, wake: (@Sendable () -> Void)?) throws {
        length = hop.bodyStream == nil ? hop.body?.count ?? 0 : hop.bodyStream?.length
        reader = try hop.bodyStream?.open()
        waitingReader = wake == nil ? nil : reader as? any WaitingBodyReader
        self.wake = wake
    }

    /// Creates an empty upload.
    init() {
        length = 0
        reader = nil
        waitingReader = nil
        wake = nil
    }

    var isEmpty: Bool { length == 0 }

    /// True if the stream is open and unread, so that it need not be opened again.
    var isUntouched: Bool { reader != nil && bytesRead == 0 && !hasEnded }

    /// Returns the number of bytes, 0 at the end; nil if there are none yet.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        isWaiting = false
        guard let count = try next(buffer) else {
            isWaiting = true
            return nil
        }
        bytesRead += count
        hasEnded = count == 0
        return count
    }

    /// Resumes after the reader has more bytes. Returns false if libcurl was not waiting.
    mutating func goOn() -> Bool {
        defer { isWaiting = false }
        return isWaiting
    }

    private func next(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        if let waitingReader, let wake { return try waitingReader.read(into: buffer, wake: wake) }
        return try reader?.read(into: buffer) ?? 0
    }

    /// Returns the sent bytes of the body; libcurl's count includes the framing of chunks.
    func payload(_ bytes: Int) -> Int { length == nil ? min(bytes, bytesRead) : bytes }

    /// Records the bytes sent. Returns false without an increase; the count never decreases.
    mutating func sent(_ bytes: Int) -> Bool {
        guard payload(bytes) > bytesSent else { return false }
        bytesSent = payload(bytes)
        return true
    }

    /// Returns true if progress is due to be reported, and marks it as reported.
    mutating func takeProgress(isDue: () -> Bool) -> Bool {
        guard bytesSent > bytesTold, isComplete || isDue() else { return false }
        bytesTold = bytesSent
        return true
    }

    /// True once the whole body has been sent.
    var isComplete: Bool { bytesSent >= (length ?? (hasEnded ? bytesRead : .max)) }

    /// "512 of 2048 bytes"
    var progress: String { length.map { "\(bytesSent) of \($0) bytes" } ?? "\(bytesSent) bytes" }
}
#endif
