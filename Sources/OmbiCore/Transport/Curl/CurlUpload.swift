#if canImport(CCurl)
/// The body of a request on its way out: what libcurl has read of it, and what has gone out.
struct CurlUpload {
    /// In bytes; nil when only the end of the stream tells.
    let length: Int?
    /// The reader had nothing when it was asked last.
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

    /// Nothing at all.
    init() {
        length = 0
        reader = nil
        waitingReader = nil
        wake = nil
    }

    var isEmpty: Bool { length == 0 }

    /// The stream is open, and nobody has read from it: there is no need to open it again.
    var isUntouched: Bool { reader != nil && bytesRead == 0 && !hasEnded }

    /// Gives the number of bytes, 0 at the end; nil when there are none yet.
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

    /// The reader has more. False when nobody waits for it.
    mutating func goOn() -> Bool {
        defer { isWaiting = false }
        return isWaiting
    }

    private func next(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        if let waitingReader, let wake { return try waitingReader.read(into: buffer, wake: wake) }
        return try reader?.read(into: buffer) ?? 0
    }

    /// What libcurl says that it has sent counts the framing of chunks, too.
    func payload(_ bytes: Int) -> Int { length == nil ? min(bytes, bytesRead) : bytes }

    /// False when that was known. It never goes back.
    mutating func sent(_ bytes: Int) -> Bool {
        guard payload(bytes) > bytesSent else { return false }
        bytesSent = payload(bytes)
        return true
    }

    /// Whether somebody is still to be told how much has gone out; then it counts as told.
    mutating func takeProgress(isDue: () -> Bool) -> Bool {
        guard bytesSent > bytesTold, isComplete || isDue() else { return false }
        bytesTold = bytesSent
        return true
    }

    /// All of it has gone out.
    var isComplete: Bool { bytesSent >= (length ?? (hasEnded ? bytesRead : .max)) }

    /// "512 of 2048 bytes"
    var progress: String { length.map { "\(bytesSent) of \($0) bytes" } ?? "\(bytesSent) bytes" }
}
#endif
