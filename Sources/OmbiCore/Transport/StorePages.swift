import OmbiPlatform

/// The pages of a response store. The whole range is reserved with the first byte; pages of memory are made accessible
/// step by step, and so are pages of the file, which is written to and mapped for reading.
///
/// Writing to the file instead of the mapping turns a full disk into an error with a reason; a store to the mapping
/// would end the program with a signal.
final class StorePages {
    /// 0 before the first byte.
    private(set) var address: UInt = 0
    private(set) var count = 0
    private let capacity: Int
    /// Whole pages. When the budget is exhausted, reduced to the accessible part.
    private var memoryLimit: Int
    private let budget: MemoryBudget
    /// The bytes taken from the budget.
    private var taken = 0
    private let temporaryFolder: String
    /// The reserved and the accessible part of the range; in bytes, whole pages.
    private var reserved = 0
    private var opened = 0
    private var file: CInt?
    private var isFinished = false

    private static let memoryStep = 1 << 20
    private static let fileStep = 16 << 20
    private static let margin = 64 << 20
    /// More than any memory, and less than the address space.
    private static let maximumReserve = 1 << 40
    private static let pageSize = max(Int(sysconf(CInt(_SC_PAGESIZE))), 4096)

    init(capacity: Int, memoryLimit: Int, budget: MemoryBudget, temporaryFolder: String) {
        self.capacity = min(max(capacity, 1), Self.maximumReserve)
        self.memoryLimit = Self.wholePages(min(max(memoryLimit, 0), Self.maximumReserve))
        self.budget = budget
        self.temporaryFolder = temporaryFolder
    }

    deinit {
        if reserved > 0 { munmap(UnsafeMutableRawPointer(bitPattern: address), reserved) }
        if let file { close(file) }
        budget.giveBack(taken)
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        guard !isFinished else {
            throw TransportError(code: .responseNotStored, message: "the store of the response is finished already")
        }
        if reserved == 0 { try reserve() }
        guard bytes.count <= capacity - count else {
            throw TransportError(code: .responseTooLarge, message: "the response is larger than \(capacity) bytes")
        }
        guard bytes.count <= reserved - count else { throw Self.failure("in memory", code: ENOMEM) }
        try openMemory(for: bytes.count)
        let inMemory = min(bytes.count, max(memoryLimit - count, 0))
        if inMemory > 0 { appendToMemory(UnsafeRawBufferPointer(rebasing: bytes[..<inMemory])) }
        if inMemory < bytes.count { try appendToFile(UnsafeRawBufferPointer(rebasing: bytes[inMemory...])) }
    }

    private func reserve() throws(TransportError) {
        var length = Self.wholePages(capacity)
        var range = Self.range(length)
        // If address space is limited (ulimit -v), a smaller range is used.
        while range == nil, length > Self.fileStep {
            length = Self.wholePages(length / 2)
            range = Self.range(length)
        }
        guard let range else { throw Self.failure("in memory", code: errno) }
        address = UInt(bitPattern: range)
        reserved = length
    }

    /// Returns addresses for `length` bytes; nil if too few would be left for the rest of the program, which cannot
    /// continue without memory.
    private static func range(_ length: Int) -> UnsafeMutableRawPointer? {
        let flags = MAP_PRIVATE | MAP_NORESERVE | MAP_ANON
        guard let range = mmap(nil, length + margin, PROT_NONE, flags, -1, 0), range != MAP_FAILED else { return nil }
        munmap(range + length, margin)
        return range
    }

    /// Makes memory accessible for `more` bytes, as far as the limits allow.
    private func openMemory(for more: Int) throws(TransportError) {
        guard count < memoryLimit, count + more > opened else { return }
        let target = min(Self.steps(count + more, of: Self.memoryStep), min(memoryLimit, reserved))
        guard target > opened else { return }
        guard budget.take(target - opened) else {
            memoryLimit = opened
            return
        }
        taken += target - opened
        guard mprotect(pointer(opened), target - opened, PROT_READ | PROT_WRITE) == 0 else {
            throw Self.failure("in memory", code: errno)
        }
        opened = target
    }

    private func appendToMemory(_ bytes: UnsafeRawBufferPointer) {
        guard let target = pointer(count), let source = bytes.baseAddress else { return }
        target.copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    private func appendToFile(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        let file = try openFile()
        var offset = 0
        while offset < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
            let written = pwrite(file, rest.baseAddress, rest.count, off_t(count - memoryLimit + offset))
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw Self.failure("in \(temporaryFolder)", code: written < 0 ? errno : ENOSPC) }
            offset += written
        }
        let end = count + bytes.count
        if end > opened { try map(file, upTo: end) }
        count = end
    }

    /// Maps pages of the file. Those past its end must not be accessed; nothing reads them before they are written.
    private func map(_ file: CInt, upTo end: Int) throws(TransportError) {
        let start = max(opened, memoryLimit)
        let target = min(memoryLimit + Self.steps(end - memoryLimit, of: Self.fileStep), reserved)
        let mapped = mmap(
            pointer(start), target - start, PROT_READ, MAP_SHARED | MAP_FIXED, file, off_t(start - memoryLimit))
        guard mapped != MAP_FAILED else { throw Self.failure("in \(temporaryFolder)", code: errno) }
        opened = target
    }

    private func openFile() throws(TransportError) -> CInt {
        if let file { return file }
        let file = Self.openNameless(in: temporaryFolder)
        guard file >= 0 else { throw Self.failure("in \(temporaryFolder)", code: errno) }
        self.file = file
        return file
    }

    /// Creates a file and unlinks it at once. Unlike with `mkstemp`, child processes never inherit it (`O_CLOEXEC`).
    private static func openNameless(in folder: String) -> CInt {
        while true {
            let path = "\(folder)/ombi-\(String(UInt64.random(in: .min ... .max), radix: 36))"
            let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if file >= 0 { unlink(path) }
            if file >= 0 || errno != EEXIST && errno != EINTR { return file }
        }
    }

    /// Ends the body, and releases unused memory.
    func finish() {
        isFinished = true
        if let file { close(file) }
        file = nil
        let used = Self.wholePages(count)
        guard used < reserved else { return }
        munmap(pointer(used), reserved - used)
        reserved = used
        opened = min(opened, used)
        budget.giveBack(max(0, taken - used))
        taken = min(taken, used)
    }

    private func pointer(_ offset: Int) -> UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: address + UInt(offset))
    }

    private static func wholePages(_ count: Int) -> Int { steps(count, of: pageSize) }

    private static func steps(_ count: Int, of size: Int) -> Int { (count + size - 1) / size * size }

    private static func failure(_ location: String, code: CInt) -> TransportError {
        let reason = strerror(code).map { ": " + String(cString: $0) } ?? ""
        return TransportError(
            code: .responseNotStored,
            message: "the response could not be kept \(location)\(reason); set TMPDIR to a folder with room for it")
    }
}

/// The memory shared by the bodies of all responses. The rest is stored in temporary files, so that many large
/// responses, concurrent or retained, do not exhaust memory.
///
///     let budget = MemoryBudget(bytes: 64 << 20)
///     let transport = CurlTransport(configuration: .init(memoryBudget: budget))
public final class MemoryBudget: Sendable {
    private let left: Lock<Int>

    /// - Parameter bytes: The total size in bytes.
    public init(bytes: Int) { left = Lock(max(0, bytes)) }

    /// The default budget, shared by all transports: 256 MiB.
    public static let standard = MemoryBudget(bytes: 256 << 20)

    /// Takes bytes from the budget; returns false if fewer are left.
    func take(_ count: Int) -> Bool {
        left.withLock { left in
            guard count <= left else { return false }
            left -= count
            return true
        }
    }

    func giveBack(_ count: Int) { left.withLock { $0 += count } }
}

extension MemoryBudget: Hashable {
    /// Compares by identity.
    public static func == (left: MemoryBudget, right: MemoryBudget) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
