#if canImport(CCurl)
internal import CCurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
#endif
