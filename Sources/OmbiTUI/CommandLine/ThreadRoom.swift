import OmbiBase
import OmbiPlatform

/// The room for the threads that a run needs. Dispatch waits for a thread that the system does not create, without end and
/// without a message.
enum ThreadRoom {
    private static let threads = 6
    /// The bytes next to their stacks: libcurl with the libraries that it needs, and what requests take.
    private static let memory = 64 << 20

    /// Ends with a message where there is too little room.
    static func check() throws {
        guard !isEnough else { return }
        StandardError.print(
            "ombi: the system gives too little memory, or too few threads, to send requests; "
                + "raise its limits (ulimit -v, ulimit -u)")
        throw ExitStatus.failure
    }

    /// True if as many threads can be created at the same time.
    private static var isEnough: Bool {
        let flags = MAP_PRIVATE | MAP_NORESERVE | MAP_ANON
        guard let block = mmap(nil, memory, PROT_NONE, flags, -1, 0), block != MAP_FAILED else { return false }
        defer { munmap(block, memory) }
        let end = DispatchSemaphore(value: 0)
        var count = 0
        while count < threads, DetachedThread.run({ end.wait() }) { count += 1 }
        for _ in 0..<count { end.signal() }
        return count == threads
    }
}

extension Task where Failure == Never {
    /// Blocks the thread until the task ends, and returns its value.
    func wait() -> Success {
        let value = Lock<Success?>(nil)
        let isThere = DispatchSemaphore(value: 0)
        Task<Void, Never> {
            let result = await self.value
            value.withLock { $0 = result }
            isThere.signal()
        }
        while true {
            isThere.wait()
            if let value = value.withLock({ $0 }) { return value }
        }
    }
}
