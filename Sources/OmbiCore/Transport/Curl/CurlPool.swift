#if canImport(CCurl)
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
