#if canImport(CCurl)
internal import CCurl
import OmbiPlatform

/// The multi handle of libcurl. A thread that wakes a loop retains it meanwhile, so that it is not cleaned up during
/// the call.
///
/// Confined to the thread of the loop, except for `wakeUp()`.
final class CurlMulti: Sendable {
    private let library: CurlLibrary
    private let address: UInt

    var pointer: CurlLibrary.Handle? { CurlLibrary.Handle(bitPattern: address) }

    init(library: CurlLibrary, configuration: CurlTransport.Configuration) throws(TransportError) {
        guard let pointer = library.multiInit() else { throw .outOfMemory("libcurl could not be set up") }
        self.library = library
        address = UInt(bitPattern: pointer)
        // Without these descriptors the loop could not be woken.
        guard library.multiWakeup(pointer) == CURLM_OK else { throw .noDescriptors("libcurl could not be set up") }
        let limit = configuration.connectionLimit
        for (option, value) in [
            (CURLMOPT_MAX_TOTAL_CONNECTIONS, limit),
            // The idle connections of all loops together.
            (CURLMOPT_MAXCONNECTS, max(limit / configuration.loopCount, 1)),
            (CURLMOPT_MAX_CONCURRENT_STREAMS, configuration.maximumStreamsPerHost),
        ] where omb_multi_setopt_long(library.multiSetopt, pointer, option, value) == CURLM_OUT_OF_MEMORY {
            throw .outOfMemory("libcurl could not be set up")
        }
    }

    deinit { _ = library.multiCleanup(pointer) }

    /// Limits connections to one host, 0 for any number. The queue enforces the limit except in one case: if a server
    /// ends a shared connection (GOAWAY) with active requests, libcurl sends each of them again over its own
    /// connection.
    func limit(connectionsPerHost limit: Int) {
        _ = omb_multi_setopt_long(library.multiSetopt, pointer, CURLMOPT_MAX_HOST_CONNECTIONS, limit)
    }

    func wakeUp() { _ = library.multiWakeup(pointer) }

    /// Throws if libcurl cannot continue any of its transfers.
    func perform() throws(TransportError) {
        var running: CInt = 0
        try check(library.multiPerform(pointer, &running))
    }

    /// Returns the next finished transfer and its result; nil if there is none.
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

    /// Waits for the network, a timer of libcurl, the limit, or `wakeUp()`.
    func wait(_ limit: Duration) throws(TransportError) {
        // Rounded up: waking a moment too early would cost another iteration.
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

/// The state that the handles of a loop share in addition to libcurl's connection pool.
final class CurlShared {
    let library: CurlLibrary
    let configuration: CurlTransport.Configuration
    private var shares: [Connection.AddressFamily: CurlLibrary.Handle] = [:]
    /// The sockets of idle HTTP/1.1 connections by local port.
    private var idleSockets: [CInt: CInt] = [:]
    private static let maximumSockets = 4096

    init(library: CurlLibrary, configuration: CurlTransport.Configuration) {
        self.library = library
        self.configuration = configuration
    }

    deinit { for share in shares.values { _ = library.shareCleanup(share) } }

    /// Returns a name cache for requests limited to one version of IP; nil for that of the loop. libcurl caches the
    /// addresses of a name without the versions they were looked up for.
    func nameCache(for family: Connection.AddressFamily) throws(TransportError) -> CurlLibrary.Handle? {
        if family == .any { return nil }
        if let share = shares[family] { return share }
        let what = Int(CURL_LOCK_DATA_DNS.rawValue)
        guard let share = library.shareInit(),
            omb_share_setopt_long(library.shareSetopt, share, CURLSHOPT_SHARE, what) == CURLSHE_OK
        else { throw .outOfMemory("libcurl could not make a cache of addresses") }
        shares[family] = share
        return share
    }

    // MARK: Unsolicited responses

    // Bytes that a server sends on an idle connection (a 408, or an attack) would become the response to the next
    // request: libcurl 7.88 considers such a connection usable.

    /// Notes the connection of a successful request over HTTP/1.1.
    func leave(_ handle: CurlHandle) {
        guard library.features.takesUnaskedResponses else { return }
        if idleSockets.count >= Self.maximumSockets { idleSockets = [:] }
        let port = CInt(truncatingIfNeeded: handle.number(CURLINFO_LOCAL_PORT))
        if port > 0, let socket = handle.socket { idleSockets[port] = socket }
    }

    /// Returns true if bytes have arrived on the connection that `handle` is about to use for a request.
    func hasUnaskedBytes(for handle: CurlHandle, localPort: CInt) -> Bool {
        guard let socket = idleSockets.removeValue(forKey: localPort), handle.number(CURLINFO_NUM_CONNECTS) == 0 else {
            return false
        }
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT)) > 0
    }
}

/// A multi handle of libcurl, which owns the connections, and the free easy handles. Confined to one loop.
final class CurlPool {
    private let configuration: CurlTransport.Configuration
    private(set) var multi: CurlMulti?
    private var shared: CurlShared?
    private var free: [CurlHandle] = []
    /// The multi handle's limit of connections per host; 0 for any number.
    private var connectionsPerHost: Int?
    private static let maximumFreeHandles = 64

    init(configuration: CurlTransport.Configuration) { self.configuration = configuration }

    func open() throws(TransportError) -> CurlMulti {
        if let multi { return multi }
        let multi = try CurlMulti(library: CurlLibrary.shared.get(), configuration: configuration)
        self.multi = multi
        return multi
    }

    /// Closes all connections. There must be no active transfers.
    func shut() {
        free = []
        shared = nil
        multi = nil
        connectionsPerHost = nil
    }

    func take() throws(TransportError) -> CurlHandle {
        if let handle = free.popLast() { return handle }
        return try CurlHandle(try share())
    }

    private func share() throws(TransportError) -> CurlShared {
        if let shared { return shared }
        let made = CurlShared(library: try CurlLibrary.shared.get(), configuration: configuration)
        shared = made
        return made
    }

    func giveBack(_ handle: CurlHandle) {
        handle.transfer = nil
        if free.count < Self.maximumFreeHandles { free.append(handle) }
    }

    /// Raises the limit of connections to a host to that of the transfer. libcurl counts all connections through a
    /// proxy as connections to that host, so that there is no limit with one.
    func limitConnections(for transfer: CurlTransfer) {
        let limit = transfer.mayUseProxy ? 0 : transfer.connectionsPerHost
        if let last = connectionsPerHost, last == 0 || last >= limit && limit > 0 { return }
        connectionsPerHost = limit
        multi?.limit(connectionsPerHost: limit)
    }
}

/// The state that the transfers of a loop share with it.
final class CurlContext {
    let configuration: CurlTransport.Configuration
    /// The time of this iteration of the loop; callbacks use it because reading the clock would cost more than its
    /// precision is worth.
    var now = ContinuousClock.now
    var news = CurlScheduler.News()

    init(configuration: CurlTransport.Configuration) { self.configuration = configuration }
}
#endif
