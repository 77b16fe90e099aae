#if canImport(CCurl)
internal import CCurl

// The metrics of an attempt, from its own observations and libcurl's.
extension CurlTransfer {
    func metrics(_ handle: CurlHandle) -> TransportMetrics {
        let address = remoteAddress(handle)
        let connections = connectionsOfRedirects + handle.number(CURLINFO_NUM_CONNECTS)
        var metrics = TransportMetrics(
            timings: redirects.reduce(hopTimings(handle)) { $0 + $1.timings }, httpVersion: head.httpVersion,
            remoteAddress: address, reusedConnection: address != nil && connections == 0,
            bytesReceived: handle.size(CURLINFO_SIZE_DOWNLOAD_T),
            bytesSent: upload.payload(handle.size(CURLINFO_SIZE_UPLOAD_T)), redirects: redirects, tls: tls)
        metrics.unknownCoding = undecoded.unknownCoding
        return metrics
    }

    /// "127.0.0.1:8080"
    func remoteAddress(_ handle: CurlHandle) -> String? {
        guard let address = handle.text(CURLINFO_PRIMARY_IP), !address.isEmpty else { return nil }
        let port = handle.number(CURLINFO_PRIMARY_PORT)
        return address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    /// Returns the observed phases of the current request; within connection setup, libcurl's times are more precise.
    func hopTimings(_ handle: CurlHandle) -> Timings {
        var timings = redirects.reduce(phases.timings(until: now)) { $0 - $1.timings }
        let connected = handle.microseconds(CURLINFO_CONNECT_TIME_T)
        let resolved = handle.microseconds(CURLINFO_NAMELOOKUP_TIME_T)
        let setUp = timings.resolve + timings.connect + timings.tls
        guard timings.connect > .zero, connected >= resolved, connected <= setUp else { return timings }
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

extension Timings {
    fileprivate static func + (left: Timings, right: Timings) -> Timings { left.combined(right, +) }
    fileprivate static func - (left: Timings, right: Timings) -> Timings { left.combined(right, -) }

    private func combined(_ other: Timings, _ combine: (Duration, Duration) -> Duration) -> Timings {
        var result = self
        for phase in RequestPhase.allCases { result[phase] = combine(self[phase], other[phase]) }
        return result
    }
}
#endif
