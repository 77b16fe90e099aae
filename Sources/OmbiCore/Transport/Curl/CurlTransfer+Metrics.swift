#if canImport(CCurl)
internal import CCurl

// What an attempt cost, put together from what was seen and what libcurl knows.
extension CurlTransfer {
    func metrics(_ handle: CurlHandle) -> TransportMetrics {
        let address = handle.text(CURLINFO_PRIMARY_IP).flatMap { $0.isEmpty ? nil : $0 }
        let port = handle.number(CURLINFO_PRIMARY_PORT)
        return TransportMetrics(
            timings: timings(handle), httpVersion: head.httpVersion,
            remoteAddress: address.map { $0.contains(":") ? "[\($0)]:\(port)" : "\($0):\(port)" },
            reusedConnection: address != nil && redirects == 0 && handle.number(CURLINFO_NUM_CONNECTS) == 0,
            bytesReceived: handle.size(CURLINFO_SIZE_DOWNLOAD_T), bytesSent: handle.size(CURLINFO_SIZE_UPLOAD_T))
    }

    /// The phases as they were seen; within the making of a connection libcurl knows the moments better.
    private func timings(_ handle: CurlHandle) -> Timings {
        var timings = phases.timings(until: now)
        let connected = handle.microseconds(CURLINFO_CONNECT_TIME_T)
        let resolved = handle.microseconds(CURLINFO_NAMELOOKUP_TIME_T)
        let setUp = timings.resolve + timings.connect + timings.tls
        guard redirects == 0, timings.connect > .zero, connected >= resolved, connected <= setUp else {
            return timings
        }
        timings.resolve = resolved
        timings.connect = connected - resolved
        timings.tls = setUp - connected
        if !phases.reached.contains(.tls) {
            timings.connect += timings.tls
            timings.tls = .zero
        }
        return timings
    }
}
#endif
