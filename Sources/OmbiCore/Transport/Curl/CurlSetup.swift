#if canImport(CCurl)
internal import CCurl

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sets the options of an easy handle: once those that every request of a transport has, then those of each hop.
struct CurlSetup {
    let handle: CurlHandle

    func applyOnce(_ configuration: CurlTransport.Configuration) {
        handle.set(CURLOPT_NOSIGNAL, true)
        // Otherwise ending an attempt during a slow name lookup would stop the whole loop until the lookup ends.
        handle.set(OMB_OPT_QUICK_EXIT, true)
        handle.set(CURLOPT_FOLLOWLOCATION, false)
        handle.set(CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS))
        handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        handle.set(CURLOPT_ACCEPT_ENCODING, "")
        handle.set(CURLOPT_BUFFERSIZE, 64 << 10)
        handle.set(CURLOPT_SSL_VERIFYPEER, configuration.verifiesTLS)
        handle.set(CURLOPT_SSL_VERIFYHOST, configuration.verifiesTLS ? 2 : 0)
        if let file = configuration.caFile { handle.set(CURLOPT_CAINFO, file) }
        setCallbacks()
    }

    func apply(_ hop: Hop, timeLeft: Duration) {
        let milliseconds = max(min(timeLeft.nanosecondsClamped / 1_000_000, Int(Int32.max)), 1)
        handle.errorBuffer.pointee = 0
        let address = hop.url.absoluteString
        handle.set(CURLOPT_URL, address)
        // Without TLS nothing tells before the first response whether a connection can be shared, and all other
        // requests would wait for it. The fifth letter is the one of "https".
        handle.set(CURLOPT_PIPEWAIT, address.utf8.dropFirst(4).first.map { $0 | 0x20 } == UInt8(ascii: "s"))
        handle.set(CURLOPT_TIMEOUT_MS, milliseconds)
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
        setMethodAndBody(hop)
        handle.setHeaders(hop.headers.fields) { headerList(hop.headers) }
    }

    /// A body goes out with any method but HEAD, whose response would otherwise be waited for in vain.
    private func setMethodAndBody(_ hop: Hop) {
        let wantsLength = [.post, .put, .patch].contains(hop.method)
        if hop.method == .head {
            handle.set(CURLOPT_NOBODY, true)
        } else if let stream = hop.bodyStream {
            handle.set(CURLOPT_POST, true)
            handle.set(CURLOPT_POSTFIELDS, UnsafeRawPointer?.none)
            handle.set(CURLOPT_POSTFIELDSIZE_LARGE, size: stream.length)
        } else if let body = hop.body ?? (wantsLength ? Data() : nil) {
            handle.set(CURLOPT_POST, true)
            handle.set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.count)
            let bytes = body.isEmpty ? Data([0]) : body
            bytes.withUnsafeBytes { handle.set(CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
        } else {
            handle.set(CURLOPT_HTTPGET, true)
        }
        handle.set(CURLOPT_NOPROGRESS, hop.bodyLength == 0)
        handle.setMethod(hop.method)
    }

    /// Every field as it was given; what libcurl would add on its own is switched off.
    private func headerList(_ headers: RequestHeaders) -> CurlLibrary.HeaderList? {
        var list: CurlLibrary.HeaderList?
        func append(_ line: String) { list = handle.library.listAppend(list, line) ?? list }
        for field in headers.fields where field.key != .contentLength {
            append(field.value.text.isEmpty ? "\(field.key);" : "\(field.key): \(field.value)")
        }
        for key: RequestHeaders.Key in ["Expect", .contentType, .acceptType, .acceptEncoding]
        where headers[key] == nil {
            append("\(key):")
        }
        return list
    }

    private func setCallbacks() {
        let context = UnsafeRawPointer(Unmanaged.passUnretained(handle).toOpaque())
        handle.set(CURLOPT_ERRORBUFFER, UnsafeRawPointer(handle.errorBuffer))
        for option in [
            CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA,
            CURLOPT_XFERINFODATA, CURLOPT_PREREQDATA,
            CURLOPT_SOCKOPTDATA, CURLOPT_RESOLVER_START_DATA, CURLOPT_SSL_CTX_DATA,
        ] {
            handle.set(option, context)
        }
        handle.set(CURLOPT_WRITEFUNCTION, CurlCallbacks.write)
        handle.set(CURLOPT_HEADERFUNCTION, CurlCallbacks.header)
        handle.set(CURLOPT_READFUNCTION, CurlCallbacks.read)
        let setopt = handle.library.setopt
        _ = omb_setopt_progress(setopt, handle.pointer, CurlCallbacks.progress)
        _ = omb_setopt_seek(setopt, handle.pointer, CurlCallbacks.seek)
        _ = omb_setopt_prereq(setopt, handle.pointer, CurlCallbacks.prereq)
        _ = omb_setopt_socket(setopt, handle.pointer, CurlCallbacks.socket)
        _ = omb_setopt_resolver(setopt, handle.pointer, CurlCallbacks.resolver)
        _ = omb_setopt_tls(setopt, handle.pointer, CurlCallbacks.tls)
    }
}
#endif
