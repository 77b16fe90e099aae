#if canImport(CCurl)
internal import CCurl

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The mapping of requests to the options of an easy handle: those of every request, those of a manager's `Connection`,
/// and those of each hop.
struct CurlSetup {
    let handle: CurlHandle

    func applyAlways(_ configuration: CurlTransport.Configuration) throws(TransportError) {
        handle.set(CURLOPT_NOSIGNAL, true)
        handle.set(CURLOPT_FOLLOWLOCATION, false)
        handle.set(CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS))
        handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        let idle = configuration.idleConnectionLifetime.nanosecondsClamped / 1_000_000_000
        handle.set(CURLOPT_MAXAGE_CONN, max(min(idle, Int(Int32.max)), 1))
        setCallbacks()
        try handle.check()
        setWhatMayBeMissing()
    }

    /// Sets the options of a hop. The loop enforces all other time limits.
    func apply(_ hop: Hop, connectLimit: Duration) throws(TransportError) {
        handle.errorBuffer.pointee = 0
        let address = hop.url.absoluteString
        handle.set(CURLOPT_URL, address)
        // Without TLS it is unknown before the first response whether a connection can be shared, and all other
        // requests would wait for it. The fifth letter is that of "https".
        handle.set(CURLOPT_PIPEWAIT, address.utf8.dropFirst(4).first.map { $0 | 0x20 } == UInt8(ascii: "s"))
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(connectLimit))
        setMethodAndBody(hop)
        handle.setHeaders(hop.headers.fields) { headerLines(hop.headers) }
        try handle.check()
    }

    /// Sets up a request that makes libcurl check its connections and is never sent: the handle has no transfer, so
    /// that it gets no socket.
    func applySweep() throws(TransportError) {
        try handle.use(.standard, .own)
        handle.set(CURLOPT_URL, "http://127.0.0.1/")
        handle.reconnect()
        try handle.check()
    }

    /// Returns the milliseconds, rounded down and at least 1: libcurl takes 0 for no limit.
    static func milliseconds(_ duration: Duration) -> Int {
        max(min(duration.nanosecondsClamped / 1_000_000, Int(Int32.max)), 1)
    }

    /// Sets the method, and the body for any but HEAD, whose response libcurl would then expect to have a body, too.
    private func setMethodAndBody(_ hop: Hop) {
        let wantsLength = [.post, .put, .patch].contains(hop.method)
        if hop.method == .head {
            handle.set(CURLOPT_NOBODY, true)
        } else if let stream = hop.bodyStream {
            handle.set(CURLOPT_POST, true)
            handle.set(CURLOPT_POSTFIELDS, UnsafeRawPointer?.none)
            // Without a length libcurl sends chunks over HTTP/1.1 (RFC 9112 §7.1).
            handle.set(CURLOPT_POSTFIELDSIZE_LARGE, size: stream.length ?? -1)
        } else if let body = hop.body ?? (wantsLength ? Data() : nil) {
            handle.set(CURLOPT_POST, true)
            handle.set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.count)
            let bytes = body.isEmpty ? Data([0]) : body
            bytes.withUnsafeBytes { handle.set(CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
        } else {
            handle.set(CURLOPT_HTTPGET, true)
        }
        handle.set(CURLOPT_NOPROGRESS, hop.bodyLength == 0)
        // After 417 libcurl would send the same request again, endlessly.
        handle.set(CURLOPT_MAXREDIRS, hop.expectsContinue ? 0 : -1)
        handle.setMethod(hop.method)
    }

    /// Returns every field as given, and lines that disable libcurl's own.
    private func headerLines(_ headers: RequestHeaders) -> [String] {
        var lines: [String] = []
        for field in headers.fields where field.key != .contentLength {
            lines.append(field.value.text.isEmpty ? "\(field.key);" : "\(field.key): \(field.value.text)")
        }
        for key: RequestHeaders.Key in ["Expect", .contentType, .acceptType, .acceptEncoding]
        where headers[key] == nil {
            lines.append("\(key):")
        }
        return lines
    }

    private func setCallbacks() {
        let context = UnsafeRawPointer(Unmanaged.passUnretained(handle).toOpaque())
        handle.set(CURLOPT_ERRORBUFFER, UnsafeRawPointer(handle.errorBuffer))
        for option in [
            CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA,
            CURLOPT_XFERINFODATA, CURLOPT_OPENSOCKETDATA,
        ] {
            handle.set(option, context)
        }
        handle.set(CURLOPT_WRITEFUNCTION, CurlCallbacks.write)
        handle.set(CURLOPT_HEADERFUNCTION, CurlCallbacks.header)
        handle.set(CURLOPT_READFUNCTION, CurlCallbacks.read)
        handle.set(CURLOPT_XFERINFOFUNCTION) { omb_setopt_progress($0, $1, CurlCallbacks.progress) }
        handle.set(CURLOPT_SEEKFUNCTION) { omb_setopt_seek($0, $1, CurlCallbacks.seek) }
        handle.set(CURLOPT_OPENSOCKETFUNCTION) { omb_setopt_open_socket($0, $1, CurlCallbacks.openSocket) }
    }

    /// Sets options that some libraries lack: older ones do not report all phases, those on a TLS library other than
    /// OpenSSL not that of TLS. A handle that could not connect keeps its buffer.
    private func setWhatMayBeMissing() {
        // Otherwise ending an attempt during a slow name lookup would block the whole loop until the lookup ends.
        handle.set(OMB_OPT_QUICK_EXIT, true)
        handle.set(CURLOPT_BUFFERSIZE, 64 << 10)
        let context = UnsafeRawPointer(Unmanaged.passUnretained(handle).toOpaque())
        for option in [CURLOPT_PREREQDATA, CURLOPT_RESOLVER_START_DATA, CURLOPT_SSL_CTX_DATA] {
            handle.set(option, context)
        }
        handle.set(CURLOPT_PREREQFUNCTION) { omb_setopt_prereq($0, $1, CurlCallbacks.prereq) }
        handle.set(CURLOPT_RESOLVER_START_FUNCTION) { omb_setopt_resolver($0, $1, CurlCallbacks.resolver) }
        handle.set(CURLOPT_SSL_CTX_FUNCTION) { omb_setopt_tls($0, $1, CurlCallbacks.tls) }
        handle.forgetRefusals()
    }
}
#endif
