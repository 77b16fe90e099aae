#if canImport(CCurl)
internal import CCurl

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Redirects (RFC 9110 §15.4), which are followed here and not by libcurl.
extension CurlTransfer {
    private var policy: RedirectPolicy { request.settings.value.redirects }

    /// True for a response to follow. An empty `Location` has no target.
    var isRedirect: Bool {
        policy.maximum > 0 && Hop.isRedirect(head.statusCode) && head.headers[.location]?.text.isEmpty == false
    }

    /// Returns the request for the redirect, and its report.
    func redirect(_ handle: CurlHandle) throws(TransportError) -> (next: Hop, report: RedirectReport) {
        guard redirects.count < policy.maximum else {
            let start = LogMask.url(request.url, of: request).excerpt()
            let times = policy.maximum == 1 ? "once" : "\(policy.maximum) times"
            throw TransportError(code: .tooManyRedirects, message: "\(start) redirects more than \(times)")
        }
        let target = try target(handle)
        try hop.check(target)
        var next = hop
        let withheld = try next.follow(to: target, statusCode: head.statusCode)
        let report = RedirectReport(
            head: ResponseHead(url: hop.url, statusCode: head.statusCode, headers: head.headers), target: target,
            method: next.method, withheld: withheld, timings: hopTimings(handle), remoteAddress: remoteAddress(handle))
        return (next, report)
    }

    /// Resolves `Location` against the requested URL (RFC 3986 §5), with libcurl's parser.
    private func target(_ handle: CurlHandle) throws(TransportError) -> URL {
        let location = head.headers[.location]?.text ?? ""
        // libcurl provides it only after it has read the body, too.
        let text = handle.bytes(CURLINFO_REDIRECT_URL) ?? handle.library.resolve(location, at: hop.url.absoluteString)
        guard let text, let target = URL(string: HostName.ascii(in: Self.escaped(text))),
            ["http", "https"].contains(target.scheme?.lowercased()), target.host()?.isEmpty == false
        else {
            let shown = LogMask.url(location).excerpt()
            throw TransportError(
                code: .unsupportedURL,
                message: "\(hop.url.server) redirects to \"\(shown)\", which is not an HTTP URL")
        }
        return target
    }

    /// Escapes spaces and bytes that are not ASCII, in whatever encoding.
    private static func escaped(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let escaped = bytes.flatMap { byte in
            byte > 0x20 && byte < 0x7F ? [byte] : [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}

extension CurlLibrary {
    /// Resolves a reference against a URL; nil if one of them is invalid.
    fileprivate func resolve(_ reference: String, at base: String) -> [UInt8]? {
        guard let url = self.urlInit() else { return nil }
        defer { self.urlCleanup(url) }
        let flags = CUnsignedInt(CURLU_NON_SUPPORT_SCHEME | CURLU_ALLOW_SPACE)
        var text: UnsafeMutablePointer<CChar>?
        guard self.urlSet(url, CURLUPART_URL, base, flags) == CURLUE_OK,
            self.urlSet(url, CURLUPART_URL, reference, flags) == CURLUE_OK,
            self.urlGet(url, CURLUPART_URL, &text, 0) == CURLUE_OK, let text
        else { return nil }
        defer { self.free(text) }
        return CurlHandle.bytes(text)
    }
}
#endif
