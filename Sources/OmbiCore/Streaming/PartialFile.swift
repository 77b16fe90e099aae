import OmbiPlatform

/// The file that a download writes next to its destination, and the record of its contents. Used by one caller at a
/// time; a queue of its own waits for the disk.
///
/// A system lock (`flock`) excludes other downloads to the same destination, including those of other programs.
final class PartialFile: Sendable {
    /// The identity of the bytes so far. Saved in a file of its own, so that a later call can continue.
    struct Record: Codable, Hashable {
        /// A fingerprint of the request.
        var request: String
        /// The value of `If-Range`.
        var validator: String
        /// The length in bytes; nil if the server has not sent it.
        var total: Int?
    }

    private struct State {
        var length = 0
        var record: Record?
        var hasStartedOver = false
        var isGivenUp = false
    }

    let destination: String
    private let request: String
    /// True if a partial file outlives a failure.
    private let isKept: Bool
    private let descriptor: CInt
    private let queue: DispatchQueue
    private let state: Lock<State>

    private var path: String { destination + ".part" }
    private var recordPath: String { path + ".json" }

    /// The length in bytes.
    var length: Int { state.withLock { $0.length } }

    /// True if the file contains nothing of an earlier call.
    var hasStartedOver: Bool { state.withLock { $0.hasStartedOver } }

    /// The position from which to continue; nil if the file has to start over.
    var resumePoint: (offset: Int, record: Record)? {
        state.withLock { state in
            guard state.length > 0, let record = state.record else { return nil }
            return (state.length, record)
        }
    }

    /// Opens the file before any request, so that an invalid path fails first.
    static func open(
        _ destination: String, for request: String, isKept: Bool
    ) async throws(UnwritableFile) -> PartialFile {
        let queue = DispatchQueue(label: "ombi.download")
        return try await onDisk(queue) { () throws(UnwritableFile) in
            try PartialFile(destination, for: request, isKept: isKept, queue: queue)
        }
    }

    private init(
        _ destination: String, for request: String, isKept: Bool, queue: DispatchQueue
    ) throws(UnwritableFile) {
        self.destination = destination
        self.request = request
        self.isKept = isKept
        self.queue = queue
        var status = stat()
        let isPath = !destination.isEmpty && !destination.utf8.contains(0) && !destination.hasSuffix("/")
        guard isPath, stat(destination, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw UnwritableFile(.notAFile, path: destination, reason: isPath ? "not a regular file" : "not a path")
        }
        descriptor = try Self.lock(destination + ".part")
        guard fstat(descriptor, &status) == 0 else {
            close(descriptor)
            throw UnwritableFile(path: destination, errno: errno)
        }
        state = Lock(State(length: Int(status.st_size)))
        if length > 0 { try readRecord() }
    }

    deinit { close(descriptor) }

    /// Opens and locks the file; repeats both if the lock's owner has renamed or removed it meanwhile.
    private static func lock(_ path: String) throws(UnwritableFile) -> CInt {
        while true {
            // Opening a pipe without a reader would otherwise block.
            let descriptor = openFile(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
            guard descriptor >= 0 else { throw UnwritableFile(path: path, errno: errno) }
            var (own, current) = (stat(), stat())
            guard fstat(descriptor, &own) == 0, own.st_mode & S_IFMT == S_IFREG else {
                close(descriptor)
                throw UnwritableFile(.notAFile, path: path, reason: "not a regular file")
            }
            // File systems without locks are accepted.
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                close(descriptor)
                throw UnwritableFile(.inUse, path: path, reason: "another download writes it")
            }
            if stat(path, &current) == 0, current.st_ino == own.st_ino, current.st_dev == own.st_dev {
                return descriptor
            }
            close(descriptor)
        }
    }

    private func readRecord() throws(UnwritableFile) {
        guard let data = try? Data(contentsOf: URL(filePath: recordPath)),
            let record = try? JSONDecoder().decode(Record.self, from: data)
        else { return }
        guard record.request == request else {
            throw UnwritableFile(.otherDownload, path: path, reason: "a download of another request has left it")
        }
        guard isKept, RequestHeaders.isResumeValidator(record.validator), length <= record.total ?? .max
        else { return }
        state.withLock { $0.record = record }
    }

    /// Removes the existing bytes. With a validator the new contents can be continued.
    func startOver(validator: String? = nil, total: Int? = nil) async throws(UnwritableFile) {
        let record = validator.map { Record(request: request, validator: $0, total: total) }
        try await onDisk { () throws(UnwritableFile) in
            // The order matters: a record must never accompany bytes of another response.
            unlink(self.recordPath)
            guard ftruncate(self.descriptor, 0) == 0 else { throw UnwritableFile(path: self.path, errno: errno) }
            self.state.withLock { $0 = State(record: record, hasStartedOver: true) }
            if self.isKept, let record { try self.write(record) }
        }
    }

    private func write(_ record: Record) throws(UnwritableFile) {
        guard let data = try? JSONEncoder().encode(record) else { return }
        let descriptor = openFile(recordPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { throw UnwritableFile(path: recordPath, errno: errno) }
        defer { close(descriptor) }
        try Self.write(data, to: descriptor, at: 0, path: recordPath)
    }

    /// Appends pieces, and waits until they are written.
    func append(_ pieces: [Data]) async throws(UnwritableFile) {
        try await onDisk { () throws(UnwritableFile) in
            for piece in pieces {
                try Self.write(piece, to: self.descriptor, at: self.length, path: self.path)
                self.state.withLock { $0.length += piece.count }
            }
        }
    }

    private static func write(
        _ data: Data, to descriptor: CInt, at offset: Int, path: String
    ) throws(UnwritableFile) {
        let failure = data.withUnsafeBytes { bytes -> CInt? in
            var done = 0
            while done < bytes.count {
                let count = pwrite(
                    descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
                if count > 0 { done += count } else if count == 0 || errno != EINTR { return count == 0 ? EIO : errno }
            }
            return nil
        }
        if let failure { throw UnwritableFile(path: path, errno: failure) }
    }

    func finish() async throws(UnwritableFile) {
        try await onDisk { () throws(UnwritableFile) in
            guard fsync(self.descriptor) == 0 || errno == EINVAL, rename(self.path, self.destination) == 0 else {
                throw UnwritableFile(path: self.destination, errno: errno)
            }
            unlink(self.recordPath)
        }
    }

    /// Ends the download after a failure, and leaves the file to others at once: an attempt that has not noticed its
    /// cancellation yet writes nothing any more. A file that cannot be continued is removed.
    func giveUp() async {
        try? await onDisk { () throws(UnwritableFile) in
            if !self.isKept || self.resumePoint == nil {
                unlink(self.recordPath)
                unlink(self.path)
            }
            self.state.withLock { $0.isGivenUp = true }
            flock(self.descriptor, LOCK_UN)
        }
    }

    private func onDisk(
        _ body: @escaping @Sendable () throws(UnwritableFile) -> Void
    ) async throws(UnwritableFile) {
        try await Self.onDisk(queue) { () throws(UnwritableFile) in
            guard !self.state.withLock({ $0.isGivenUp }) else {
                throw UnwritableFile(path: self.path, errno: ECANCELED)
            }
            try body()
        }
    }

    private static func onDisk<Value: Sendable>(
        _ queue: DispatchQueue, _ body: @escaping @Sendable () throws(UnwritableFile) -> Value
    ) async throws(UnwritableFile) -> Value {
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<_, Never>) in
            queue.async { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }
}

/// Outside the class, whose own `open` hides the system's. The umask restricts the permissions.
private func openFile(_ path: String, _ flags: CInt) -> CInt { open(path, flags, 0o666) }

/// A `Content-Range` in bytes (RFC 9110 §14.4).
struct ContentRange: Hashable {
    /// The bytes of the body; nil in a 416.
    var range: ClosedRange<Int>?
    /// The length of the whole representation; nil if unknown to the server.
    var total: Int?

    /// Returns nil for text other than a range of bytes.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] != "*" {
            guard let total = Self.number(parts[1]) else { return nil }
            self.total = total
        }
        if parts[0] == "*" {
            guard total != nil else { return nil }
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < total ?? .max else {
            return nil
        }
        range = first...last
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy(\.isASCIIDigit) ? Int(text) : nil
    }
}

extension RequestHeaders {
    /// The value of a later `If-Range` for a response with these fields (RFC 9110 §13.1.5): a strong entity tag or,
    /// without any tag, a modification time at least a second older than the response (§8.8.2.2).
    var resumeValidator: String? {
        if let tag = self[.etag]?.text { return Self.isStrong(tag) ? tag : nil }
        guard let text = self[.lastModified]?.text, let changed = RetryAfter.date(text),
            let sent = self["Date"].flatMap({ RetryAfter.date($0.text) }), sent > changed
        else { return nil }
        return text
    }

    /// True if the body had a content coding, which the transport has decoded.
    var isEncoded: Bool { self[.contentEncoding].map { $0.text.lowercased() != "identity" } ?? false }

    /// Returns true if a saved text is valid in `If-Range`.
    static func isResumeValidator(_ text: String) -> Bool {
        isStrong(text) || text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && RetryAfter.date(text) != nil
    }

    private static func isStrong(_ tag: String) -> Bool {
        let bytes = tag.utf8
        return bytes.count >= 2 && bytes.first == 0x22 && bytes.last == 0x22
            && bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
    }
}
