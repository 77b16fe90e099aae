#if canImport(CCurl)
internal import CCurl

/// libcurl's multi handle. Whoever wakes a loop up holds it meanwhile, so that it is not cleaned up under their hands.
///
/// All of it belongs to the thread of the loop but for `wakeUp()`.
final class CurlMulti: Sendable {
    private let library: CurlLibrary
    private let address: UInt

    var pointer: CurlLibrary.Handle? { CurlLibrary.Handle(bitPattern: address) }

    init(library: CurlLibrary, maximumConnections: Int, maximumStreams: Int) throws(TransportError) {
        guard let pointer = library.multiInit() else { throw .outOfMemory("libcurl could not be set up") }
        self.library = library
        address = UInt(bitPattern: pointer)
        // Without the descriptors for this the loop could not be woken up.
        guard library.multiWakeup(pointer) == CURLM_OK else { throw .noDescriptors("libcurl could not be set up") }
        for (option, value) in [
            (CURLMOPT_MAX_TOTAL_CONNECTIONS, maximumConnections), (CURLMOPT_MAXCONNECTS, maximumConnections),
            (CURLMOPT_MAX_CONCURRENT_STREAMS, maximumStreams),
        ] where omb_multi_setopt_long(library.multiSetopt, pointer, option, value) == CURLM_OUT_OF_MEMORY {
            throw .outOfMemory("libcurl could not be set up")
        }
    }

    deinit { _ = library.multiCleanup(pointer) }

    /// Connections to one host, 0 for any number. The queue keeps to that anyway but for one case: a server that ends a
    /// shared connection (GOAWAY) while requests are on it makes libcurl send each of them again over one of its own.
    func limit(connectionsPerHost limit: Int) {
        _ = omb_multi_setopt_long(library.multiSetopt, pointer, CURLMOPT_MAX_HOST_CONNECTIONS, limit)
    }

    func wakeUp() { _ = library.multiWakeup(pointer) }

    /// Throws when libcurl cannot go on with any of its transfers.
    func perform() throws(TransportError) {
        var running: CInt = 0
        try check(library.multiPerform(pointer, &running))
    }

    /// A transfer that has ended since the last time, and its result.
    func nextEnd() -> (CurlHandle, CURLcode)? {
        var left: CInt = 0
        while let message = library.multiInfoRead(pointer, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let handle = CurlHandle.of(easy, library)
            else { continue }
            return (handle, omb_message_result(message))
        }
        return nil
    }

    /// Until something comes over the network, a timer of libcurl fires, the time is over, or `wakeUp()` is called.
    func wait(_ limit: Duration) throws(TransportError) {
        // Rounded up: a moment too early would be one round more.
        let milliseconds = min((limit.nanosecondsClamped + 999_999) / 1_000_000, 60_000)
        try check(library.multiPoll(pointer, nil, 0, CInt(milliseconds), nil))
    }

    func add(_ handle: CurlHandle) throws(TransportError) { try check(library.multiAdd(pointer, handle.pointer)) }

    func remove(_ handle: CurlHandle) throws(TransportError) {
        try check(library.multiRemove(pointer, handle.pointer))
    }

    private func check(_ code: CURLMcode) throws(TransportError) {
        guard code != CURLM_OK else { return }
        let reason = library.multiStrerror(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
        if code == CURLM_OUT_OF_MEMORY { throw .outOfMemory("libcurl could not go on") }
        throw TransportError(code: .unknown, message: "libcurl could not go on (\(reason))")
    }
}

extension TransportError {
    static func outOfMemory(_ what: String) -> TransportError {
        TransportError(code: .outOfMemory, message: "\(what): the system has no memory left for it")
    }

    static func noDescriptors(_ what: String) -> TransportError {
        TransportError(
            code: .noDescriptors,
            message: "\(what): the process has no file descriptors left; raise the limit (ulimit -n)")
    }

    static func noThread(_ what: String) -> TransportError {
        TransportError(code: .outOfMemory, message: "\(what): the system gives the process no further thread")
    }
}
#endif
