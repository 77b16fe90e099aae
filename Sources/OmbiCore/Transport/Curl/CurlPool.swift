#if canImport(CCurl)
/// A multi handle of libcurl, in which the connections are, and easy handles that wait for the next transfer. Belongs to
/// one loop.
final class CurlPool {
    private let configuration: CurlTransport.Configuration
    private(set) var multi: CurlMulti?
    private var shared: CurlShared?
    private var free: [CurlHandle] = []
    /// What the multi handle allows to a host; 0 is any number.
    private var connectionsPerHost: Int?
    private static let maximumFreeHandles = 64

    init(configuration: CurlTransport.Configuration) { self.configuration = configuration }

    func open() throws(TransportError) -> CurlMulti {
        if let multi { return multi }
        let multi = try CurlMulti(
            library: CurlLibrary.shared.get(), maximumConnections: configuration.connectionLimit,
            maximumStreams: configuration.maximumStreamsPerHost)
        self.multi = multi
        return multi
    }

    /// Closes all connections. Only without transfers under way.
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

    /// Raises the limit of connections to a host to what the transfer asks for. To libcurl, a proxy is the host of whatever
    /// goes over it: where there is one, there is no limit.
    func limitConnections(for transfer: CurlTransfer) {
        let limit = transfer.mayUseProxy ? 0 : transfer.connectionsPerHost
        if let last = connectionsPerHost, last == 0 || last >= limit && limit > 0 { return }
        connectionsPerHost = limit
        multi?.limit(connectionsPerHost: limit)
    }
}
#endif
