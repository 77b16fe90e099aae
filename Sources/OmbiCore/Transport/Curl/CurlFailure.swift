#if canImport(CCurl)
internal import CCurl
internal import OmbiBase
import OmbiPlatform

/// A conversion from a result code of libcurl to an error that names the failed step and the cause.
struct CurlFailure {
    let transfer: CurlTransfer
    let handle: CurlHandle
    let code: CURLcode

    var server: String { transfer.hop.url.server }
    var connection: Connection { transfer.request.settings.value }

    private var shownURL: String { LogMask.url(transfer.hop.url, of: transfer.request).excerpt() }

    /// True if the system had no descriptor for a connection, or for libcurl's means to make one.
    var lacksDescriptors: Bool {
        if [EMFILE, ENFILE].contains(transfer.socketError) { return true }
        let isPossible = [
            CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_SSL_CACERT_BADFILE, CURLE_FAILED_INIT,
            CURLE_OUT_OF_MEMORY,
        ].contains { $0 == code }
        return isPossible && Descriptors.areUsedUp
    }

    var error: TransportError {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST where reason.contains("thread failed to start"):
            .noThread("could not look up the address of \(server)")
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: notFound
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY: notConnected
        case CURLE_OPERATION_TIMEDOUT: transfer.connectTimedOut
        case CURLE_OUT_OF_MEMORY: outOfMemory
        case CURLE_WEIRD_SERVER_REPLY where transfer.head.httpVersion != nil:
            malformed("the response from \(server) is malformed (\(reason))")
        case CURLE_UNSUPPORTED_PROTOCOL where hasSent, CURLE_WEIRD_SERVER_REPLY:
            malformed("\(server) sent an invalid HTTP response (\(reason))")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT:
            TransportError(
                code: .unsupportedURL,
                message: "\(shownURL) cannot be requested (\(reason))")
        case CURLE_BAD_CONTENT_ENCODING:
            // This is Transfer-Encoding; libcurl does not decode content codings.
            malformed(
                "the body from \(server) is not valid "
                    + "\(transfer.head.headers["Transfer-Encoding"]?.text.excerpt(60) ?? "") "
                    + "(\(reason))")
        default:
            if isTLS {
                secureConnectionFailed
            } else if let connectStatus {
                tunnelRefused(connectStatus)
            } else {
                broken
            }
        }
    }

    private func malformed(_ message: String) -> TransportError {
        TransportError(code: .malformedResponse, message: message)
    }

    private var hasSent: Bool { transfer.phases.reached.contains(.send) }

    // MARK: Before the request

    private var notFound: TransportError {
        if code == CURLE_COULDNT_RESOLVE_PROXY {
            let proxy = proxyPlace.map { "the proxy \($0)" } ?? "the proxy that the environment names"
            return TransportError(code: .cannotFindHost, message: "could not find \(proxy) for \(server)")
        }
        let host = transfer.hop.url.host(percentEncoded: false)?.excerpt() ?? server
        let kind =
            switch connection.addressFamily {
            case .any: ""
            case .ipv4: "an IPv4 address of "
            case .ipv6: "an IPv6 address of "
            }
        return TransportError(code: .cannotFindHost, message: "could not find \(kind)the host \(host)")
    }

    private var notConnected: TransportError {
        var through = ""
        if let path = connection.unixSocket {
            through = " through the socket \(path.excerpt())"
        } else if code == CURLE_INTERFACE_FAILED, let name = connection.networkInterface {
            through = " from \(name.excerpt())"
        } else if let proxyPlace, code == CURLE_PROXY || isAbout(proxyPlace) {
            through = " through the proxy \(proxyPlace)"
        } else if let environmentProxy {
            through = " through the proxy \(environmentProxy)"
        }
        // The proxy's reason is more specific than the system's.
        let words = code == CURLE_PROXY ? reason : cause
        return TransportError(
            code: .cannotConnectToHost, message: "could not connect to \(server)\(through) (\(words))")
    }

    /// Returns true if libcurl's message names that host and port: it connects to a proxy, or past it to a server.
    private func isAbout(_ proxyPlace: String) -> Bool {
        guard case .server(let server) = connection.proxy else { return false }
        return String(cString: handle.errorBuffer).contains("to \(server.host) port \(server.port) ")
    }

    /// The host and the port of the environment's proxy; nil where libcurl's message names another place.
    private var environmentProxy: String? {
        guard case .environment = connection.proxy else { return nil }
        let own = transfer.hop.url.scheme?.lowercased() == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        let values = (own + ["all_proxy", "ALL_PROXY"]).compactMap { name in
            getenv(name).map { String(cString: $0) }
        }
        guard let value = values.first(where: { !$0.isEmpty }) else { return nil }
        let address = value.firstRange(of: "://").map { value[$0.upperBound...] } ?? value[...]
        let place = address.prefix { $0 != "/" }.split(separator: "@").last ?? ""
        let parts = place.split(separator: ":")
        guard let host = parts.first, parts.count < 3 else { return nil }
        let port = parts.count > 1 ? parts[1] : "1080"
        let isNamed = String(cString: handle.errorBuffer).contains("to \(host) port \(port) ")
        return isNamed ? "\(String(host).excerpt()):\(String(port).excerpt())" : nil
    }

    private var proxyPlace: String? {
        guard case .server(let server) = connection.proxy else { return nil }
        return server.socketPath.map { $0.excerpt() } ?? "\(server.host.excerpt()):\(server.port)"
    }

    /// The proxy's status for a CONNECT request, unless it made the tunnel.
    private var connectStatus: Int? {
        let status = handle.number(CURLINFO_HTTP_CONNECTCODE)
        return status >= 300 && !hasSent ? status : nil
    }

    private func tunnelRefused(_ status: Int) -> TransportError {
        let proxy = proxyPlace.map { "the proxy \($0)" } ?? "the proxy"
        return TransportError(
            code: .cannotConnectToHost,
            message: "\(proxy) answered \(StatusCode.words(status)) when asked for a tunnel to \(server)")
    }

    /// libcurl's line buffer for headers reports an overflow as this error.
    private var outOfMemory: TransportError {
        guard hasSent, !transfer.head.isComplete else {
            return .outOfMemory("could not send a request to \(server)")
        }
        return TransportError(
            code: .responseTooLarge, message: "the header from \(server) has a line of more than 100 KiB")
    }

    // MARK: After it

    private var broken: TransportError {
        let isConnection = [
            CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2,
            CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND, CURLE_HTTP3, CURLE_QUIC_CONNECT_ERROR,
        ].contains { $0 == code }
        if reason.contains("chunk") {
            return malformed("the body from \(server) is not valid chunked encoding (\(reason))")
        }
        guard isConnection else {
            return TransportError(code: .unknown, message: "the request to \(server) failed (\(reason))")
        }
        let stream = code == CURLE_HTTP2 || code == CURLE_HTTP2_STREAM ? ": \(reason)" : ""
        guard transfer.head.isComplete else {
            let how = isReset ? "connection reset by peer" : reason
            return TransportError(
                code: .connectionLost, message: "the connection to \(server) broke before a response came (\(how))",
                advice: mayWantCertificate ? Self.certificateAdvice : nil)
        }
        return TransportError(
            code: .connectionLost, message: "the connection to \(server) broke after \(transfer.received)\(stream)")
    }

    /// The error of a connection for bytes instead of requests.
    var brokenChannel: TransportError {
        TransportError(code: .connectionLost, message: "the connection to \(server) broke (\(cause))")
    }

    // MARK: Words

    /// The system's reason if there is one: "connection refused".
    private var cause: String {
        let number = handle.number(CURLINFO_OS_ERRNO)
        guard number != 0, let text = strerror(Int32(truncatingIfNeeded: number)) else { return reason }
        return String(cString: text).asClause
    }

    /// True if the peer reset the connection. libcurl meets that in reading, in writing, or when it asks a connection
    /// that has just been made for its peer, and then passes on only the system's words.
    var isReset: Bool {
        let message = String(cString: handle.errorBuffer)
        return [ECONNRESET, EPIPE, ENOTCONN].contains { number in
            strerror(number).map { message.contains(String(cString: $0)) } ?? false
        }
    }

    /// libcurl's own message, which includes OpenSSL's reason.
    var reason: String {
        var text = String(cString: handle.errorBuffer)
        if text.isEmpty, let words = handle.library.easyStrerror(code) { text = String(cString: words) }
        for prefix in ["SSL certificate problem: ", "SSL: "] where text.hasPrefix(prefix) {
            text.removeFirst(prefix.count)
        }
        return text.asClause.excerpt(200)
    }
}

// TLS errors, with the responsible member of `Connection.TLS`.
extension CurlFailure {
    var isTLS: Bool {
        [
            CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
        ].contains { $0 == code } || reason.contains("SSL routines")
    }

    var secureConnectionFailed: TransportError {
        let failed = "could not make a secure connection to \(server)"
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION:
            return TransportError(
                code: .certificateNotTrusted, message: "\(failed): \(reason)",
                advice: "trust its authority with Connection.tls.caFile, or set Connection.tls.verifiesServer to false")
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            return TransportError(
                code: .certificateNotTrusted,
                message: "\(failed): its public key is none of Connection.tls.pinnedPublicKeys")
        case CURLE_SSL_CACERT_BADFILE:
            return TransportError(
                code: .certificateNotTrusted, message: "\(failed): \(reason)", advice: "check \(authoritiesName)")
        case CURLE_SSL_CERTPROBLEM:
            return TransportError(
                code: .unsupportedOption,
                message: "\(failed): the client certificate cannot be used (\(certificateProblem))",
                advice: "check Connection.tls.clientCertificate")
        default: return refused(failed)
        }
    }

    /// Servers that require a certificate send an alert (RFC 8446 §6.2), with TLS 1.3 after the handshake.
    private func refused(_ failed: String) -> TransportError {
        let wantsCertificate = ["certificate required", "handshake failure", "bad certificate", "unknown ca"]
            .contains { reason.contains("alert \($0)") }
        return TransportError(
            code: .secureConnectionFailed, message: "\(failed): \(plainReason)",
            advice: wantsCertificate ? Self.certificateAdvice : mayHaveNoTLS || isCutOff ? Self.plainAdvice : nil)
    }

    /// The reason without what OpenSSL writes before it: its version, a number and the name of the library.
    private var plainReason: String {
        if isCutOff { return "the server closed the connection" }
        guard reason.contains("SSL routines:"), let words = reason.split(separator: ":").last else { return reason }
        return String(words)
    }

    /// True for a first record that is none of TLS, in the words of OpenSSL, BoringSSL and GnuTLS.
    private var mayHaveNoTLS: Bool {
        let words = reason.lowercased()
        return ["wrong version number", "wrong_version_number", "packet length too long", "unexpected tls packet"]
            .contains { words.contains($0) }
    }

    /// True for a connection that the server closed in the handshake, in the words of two versions of OpenSSL.
    private var isCutOff: Bool {
        code == CURLE_SSL_CONNECT_ERROR
            && (reason.contains("SSL_ERROR_SYSCALL") || reason.contains("unexpected eof while reading"))
    }

    private static let plainAdvice = "the server may not speak TLS; try http://"

    static let certificateAdvice = "the server may want another Connection.tls.clientCertificate"

    /// True for a new connection that was reset soon after the request. With TLS 1.3 the refusal of a client without a
    /// certificate comes then, and the reset that follows it may overtake it. A server that breaks down comes later.
    var mayWantCertificate: Bool {
        transfer.hop.url.scheme == "https" && connection.tls.clientCertificate == nil
            && handle.number(CURLINFO_NUM_CONNECTS) > 0 && isReset
            && transfer.phases.timings(until: transfer.now).wait < .seconds(1)
    }

    private var authoritiesName: String {
        if connection.tls.caFile != nil { return "Connection.tls.caFile" }
        return CurlAuthorities.ofEnvironment.file == nil
            ? "the certificates of the system" : "CURL_CA_BUNDLE and SSL_CERT_FILE in the environment"
    }

    /// The missing file, which libcurl's message does not mention.
    private var certificateProblem: String {
        let files =
            switch connection.tls.clientCertificate {
            case .pem(let certificate, let key, _): [certificate, key ?? certificate]
            case .pkcs12(let file, _): [file]
            case nil: [String]()
            }
        for file in files {
            do throws(UnreadableFile) { _ = try FileReader(path: file) } catch { return "\(error)" }
        }
        return reason
    }
}
#endif
