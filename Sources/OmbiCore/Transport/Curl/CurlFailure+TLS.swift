#if canImport(CCurl)
internal import CCurl

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
            advice: wantsCertificate ? Self.certificateAdvice : mayHaveNoTLS ? Self.plainAdvice : nil)
    }

    /// The reason without what OpenSSL writes before it: its version, a number and the name of the library.
    private var plainReason: String {
        guard reason.contains("SSL routines:"), let words = reason.split(separator: ":").last else { return reason }
        return String(words)
    }

    /// True for a first record that is none of TLS, in the words of OpenSSL, BoringSSL and GnuTLS.
    private var mayHaveNoTLS: Bool {
        let words = reason.lowercased()
        return ["wrong version number", "wrong_version_number", "packet length too long", "unexpected tls packet"]
            .contains { words.contains($0) }
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
