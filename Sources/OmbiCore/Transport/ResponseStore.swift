internal import OmbiBase
import OmbiPlatform

/// The body of a large response, in one range of addresses in which it grows without being moved: in memory up to a
/// limit, then in an unlinked temporary file mapped after it.
///
/// Any thread may read the bytes received so far, without copying and while more arrive. The body is released with the
/// last reference. Two stores are equal if they are the same object.
public final class ResponseStore: Sendable {
    private let pages: Lock<StorePages>
    /// The range of readable bytes; behind a lock, so that a thread that sees the count sees the bytes.
    private let published = Lock((address: UInt(0), count: 0))
    /// Nil for a body whose times nobody asks for.
    private let timed: Lock<(start: ContinuousClock.Instant, arrivals: BodyArrivals)?>
    /// Nil for a body that waits for no reader.
    private let pace = Lock<Pace?>(nil)

    private struct Pace {
        let lead: Int
        var position = 0
        var resume: (@Sendable () -> Void)?
    }

    /// Creates a store for a custom transport, which announces it with `TransportEvent.body`, fills it, and finishes
    /// it.
    /// - Parameters:
    ///   - capacity: The maximum length of the body, in bytes.
    ///   - memoryLimit: The maximum part in memory, in bytes, within the budget.
    ///   - budget: The memory shared with other stores.
    ///   - temporaryFolder: The folder for the rest; nil for that of `TMPDIR`, or `/tmp`.
    public init(
        capacity: Int = 1 << 30, memoryLimit: Int = 32 << 20, budget: MemoryBudget = .standard,
        temporaryFolder: String? = nil
    ) {
        timed = Lock(nil)
        pages = Lock(
            StorePages(
                capacity: capacity, memoryLimit: memoryLimit, budget: budget,
                temporaryFolder: temporaryFolder ?? ResponseLimits.defaultTemporaryFolder))
    }

    /// The number of bytes received so far.
    public var count: Int { published.withLock { $0.count } }

    /// Calls `body` with the bytes received so far. They must not be used after it has returned.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(bytes) }
    }

    /// The bytes received so far, without a copy: the data retains the store.
    public var data: Data {
        let bytes = bytes
        guard let address = bytes.baseAddress, !bytes.isEmpty else { return Data() }
        return Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: address), count: bytes.count,
            deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
    }

    private var bytes: UnsafeRawBufferPointer {
        let (address, count) = published.withLock { $0 }
        return UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
    }

    /// Appends bytes. Throws `responseTooLarge` beyond the capacity, and `responseNotStored` if there is no memory or
    /// no room for the temporary file, or if the store is finished; it is then unchanged, or has a part more.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        guard !bytes.isEmpty else { return }
        let result = pages.withLock { pages in
            Result { () throws(TransportError) in
                try pages.append(bytes)
                let count = pages.count
                timed.withLock { timed in
                    guard let start = timed?.start else { return }
                    timed?.arrivals.add(end: count, at: .now - start)
                }
                published.withLock { $0 = (pages.address, count) }
            }
        }
        try result.get()
    }

    /// Appends bytes in memory, like `append(_:)` for a buffer.
    public func append(_ data: Data) throws(TransportError) {
        let result = data.withUnsafeBytes { bytes in Result { () throws(TransportError) in try append(bytes) } }
        try result.get()
    }

    /// Notes from now on when each part arrives.
    /// - Parameter start: the start of the attempt.
    package func recordArrivals(since start: ContinuousClock.Instant) {
        timed.withLock { timed in if timed == nil { timed = (start, BodyArrivals()) } }
    }

    /// The times of the parts; nil unless they are recorded.
    package var arrivals: BodyArrivals? { timed.withLock { $0?.arrivals } }

    /// Lets the body be at most about `lead` bytes ahead of a reader, who tells its position from then on.
    package func setReader(lead: Int) { pace.withLock { $0 = $0 ?? Pace(lead: lead) } }

    /// Takes the reader's position, and resumes the transport once half of the lead is read.
    package func read(upTo position: Int) {
        let count = count
        let resume = pace.withLock { pace -> (@Sendable () -> Void)? in
            guard let known = pace else { return nil }
            let position = max(known.position, position)
            pace?.position = position
            guard count - position <= known.lead / 2 else { return nil }
            return pace?.resume.take()
        }
        resume?()
    }

    /// Returns true if the body has to wait for its reader: then `resume` is called when it may go on.
    package func mustWait(_ resume: @escaping @Sendable () -> Void) -> Bool {
        let count = count
        return pace.withLock { pace in
            guard let known = pace, count - known.position > known.lead else { return false }
            pace?.resume = resume
            return true
        }
    }

    /// True for a body that has a reader to wait for.
    package var hasReader: Bool { pace.withLock { $0 != nil } }

    /// Ends the body, and releases memory that was reserved and not used. The bytes remain.
    public func finish() { pages.withLock { $0.finish() } }
}

extension ResponseStore: Hashable {
    public static func == (left: ResponseStore, right: ResponseStore) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The times at which the parts of a body arrived, since the start of its attempt.
package struct BodyArrivals: Sendable, Equatable {
    /// The end of each part, ascending, with its time.
    private var ends: [Int] = []
    private var times: [Duration] = []

    /// Later parts count as the last one: what goes on for longer is no stream that people read.
    static let maximumParts = 1 << 20

    package init() {}

    package mutating func add(end: Int, at time: Duration) {
        guard end > ends.last ?? 0 else { return }
        if ends.count == Self.maximumParts {
            ends[ends.count - 1] = end
        } else {
            ends.append(end)
            times.append(time)
        }
    }

    /// Returns the time at which the byte before an offset arrived; nil for one that has not.
    package func time(upTo offset: Int) -> Duration? {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] < offset { low = middle + 1 } else { high = middle }
        }
        return low < times.count ? times[low] : nil
    }
}

/// The body of an arriving response: plain data if it is known to be small, which costs least, else a store.
package struct ResponseBody {
    package private(set) var count = 0
    /// True if the bytes are only counted, since they are delivered elsewhere.
    private(set) var isPassedOn = false
    package private(set) var store: ResponseStore?
    private var small = Data()
    /// The length of a small body, as announced.
    private var length = 0

    /// The maximum size, in bytes, of a body that does not justify its own pages.
    static let maximumSmall = 64 << 10

    package init() {}

    static let passedOn: ResponseBody = {
        var body = ResponseBody()
        body.isPassedOn = true
        return body
    }()

    /// - Parameter length: The length in bytes; nil if unknown.
    package init(length: Int?, limits: ResponseLimits) {
        if let length, length <= Self.maximumSmall {
            small.reserveCapacity(length)
            self.length = length
        } else {
            store = ResponseStore(capacity: length ?? .max, limits: limits)
        }
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        if let store {
            try store.append(bytes)
        } else if !isPassedOn {
            small.append(contentsOf: bytes)
        }
        count += bytes.count
    }

    /// Makes the received part of a small body readable while the rest arrives, or after a failure.
    package mutating func moveToStore(_ limits: ResponseLimits) {
        guard store == nil, count > 0 else { return }
        let kept = ResponseStore(capacity: max(count, length), limits: limits)
        // Without room for so little, the part is dropped rather than causing another failure.
        guard (try? small.withUnsafeBytes(kept.append)) != nil else { return }
        (store, small) = (kept, Data())
    }

    /// The bytes received so far.
    package var data: Data { store?.data ?? small }
}

/// The size limits and storage of responses: the common part of the transports' configurations.
package struct ResponseLimits: Sendable, Hashable {
    package var maximumBytes: Int
    package var memoryLimit: Int
    package var memoryBudget: MemoryBudget
    package var temporaryFolder: String

    package init(maximumBytes: Int, memoryLimit: Int, memoryBudget: MemoryBudget, temporaryFolder: String) {
        self.maximumBytes = maximumBytes
        self.memoryLimit = memoryLimit
        self.memoryBudget = memoryBudget
        self.temporaryFolder = temporaryFolder
    }

    /// The value of `TMPDIR`, or `/tmp`.
    package static var defaultTemporaryFolder: String {
        guard let folder = getenv("TMPDIR"), folder.pointee != 0 else { return "/tmp" }
        return String(cString: folder)
    }
}

extension ResponseStore {
    /// Creates a store for at most `capacity` bytes, within the limits.
    package convenience init(capacity: Int, limits: ResponseLimits) {
        self.init(
            capacity: min(capacity, limits.maximumBytes), memoryLimit: limits.memoryLimit, budget: limits.memoryBudget,
            temporaryFolder: limits.temporaryFolder)
    }
}

/// Responses that may go on for as long as the server likes, recognised by their Content-Type.
package enum OpenEndedResponse {
    private static let types = ["text/event-stream", "multipart/x-mixed-replace"]

    /// True for a stream, and for the answer to the handshake of a WebSocket.
    package static func follows(_ head: ResponseHead?) -> Bool {
        head?.statusCode == 101 || isAnnounced(by: head?.headers)
    }

    package static func isAnnounced(by headers: RequestHeaders?) -> Bool {
        guard let type = headers?[.contentType].map({ String(MediaType.essence(of: $0.text)) }) else { return false }
        return types.contains(type) || JSONStreamType.matches(type)
    }
}

/// The limits that end with the head of an open-ended response: those that nobody has chosen for it.
package struct LiftedLimits: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `TransportRequest.attemptTimeout`.
    package static let attemptTimeout = LiftedLimits(rawValue: 1)
    /// The limit over all attempts of a run.
    package static let sla = LiftedLimits(rawValue: 2)
}
