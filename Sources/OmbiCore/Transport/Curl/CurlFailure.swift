internal import CCurl

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Turns a result code of libcurl into an error that names what was tried and the cause.
struct CurlFailure {
    let transfer: CurlTransfer
    let handle: CurlHandle
    let code: CURLcode

    private var place: String { transfer.hop.place }

    var error: TransportError {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            let host = transfer.hop.url.host(percentEncoded: false) ?? place
            return TransportError(code: .cannotFindHost, message: "could not find the host \(host)")
        case CURLE_COULDNT_RESOLVE_PROXY:
            return TransportError(code: .cannotFindHost, message: "could not find the proxy for \(place)")
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY:
            return TransportError(code: .cannotConnectToHost, message: "could not connect to \(place) (\(cause))")
        case CURLE_OPERATION_TIMEDOUT: return timedOut
        case CURLE_UNSUPPORTED_PROTOCOL where transfer.phases.reached.contains(.send), CURLE_WEIRD_SERVER_REPLY:
            return TransportError(code: .unknown, message: "\(place) did not answer in HTTP (\(reason))")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT:
            return TransportError(
                code: .unsupportedURL,
                message: "\(LogMask.url(transfer.hop.url.absoluteString)) cannot be requested (\(reason))")
        case CURLE_BAD_CONTENT_ENCODING:
            let encoding = transfer.head.headers[.contentEncoding]?.text ?? "encoded"
            return TransportError(
                code: .unknown, message: "the body from \(place) is not valid \(encoding) (\(reason))")
        default: return isTLS ? secureConnectionFailed : broken
        }
    }

    private var isTLS: Bool {
        [
            CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
        ].contains { $0 == code }
    }

    private var secureConnectionFailed: TransportError {
        var advice = ""
        if code == CURLE_PEER_FAILED_VERIFICATION {
            advice = "; if this server is to be trusted all the same, set verifyTLS to false"
        } else if code == CURLE_SSL_CACERT_BADFILE {
            advice = "; check the file with the trusted certificates"
        }
        return TransportError(
            code: advice.isEmpty ? .secureConnectionFailed : .certificateNotTrusted,
            message: "could not make a secure connection to \(place): \(reason)\(advice)")
    }

    /// Which phase took too long decides the words.
    private var timedOut: TransportError {
        let limit = transfer.timeLimit.words
        if transfer.head.isComplete {
            return TransportError(
                code: .timedOut,
                message: "the response from \(place) was not complete within \(limit) (\(progress))")
        }
        if transfer.phases.reached.isDisjoint(with: [.send, .wait, .receive]) {
            return TransportError(code: .timedOut, message: "could not connect to \(place) within \(limit)")
        }
        return Self.timedOut(place, after: transfer.timeLimit)
    }

    static func timedOut(_ place: String, after limit: Duration) -> TransportError {
        TransportError(code: .timedOut, message: "no response from \(place) within \(limit.words)")
    }

    private var broken: TransportError {
        let isConnection = [
            CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2,
            CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND, CURLE_HTTP3, CURLE_QUIC_CONNECT_ERROR,
        ].contains { $0 == code }
        guard isConnection else {
            return TransportError(code: .unknown, message: "the request to \(place) failed (\(reason))")
        }
        if transfer.head.isComplete {
            return TransportError(code: .connectionLost, message: "the connection to \(place) broke after \(progress)")
        }
        return TransportError(
            code: .connectionLost, message: "the connection to \(place) broke before a response came (\(cause))")
    }

    /// Of a connection that carried bytes and no request.
    var brokenChannel: TransportError {
        TransportError(code: .connectionLost, message: "the connection to \(place) broke (\(cause))")
    }

    /// "512 of 2048 bytes"
    private var progress: String {
        let received = transfer.body.count
        return transfer.head.contentLength.map { "\(received) of \($0) bytes" } ?? "\(received) bytes"
    }

    /// The system's reason where there is one: "connection refused".
    private var cause: String {
        let number = handle.number(CURLINFO_OS_ERRNO)
        guard number != 0, let text = strerror(Int32(truncatingIfNeeded: number)) else { return reason }
        return Self.lowered(String(cString: text))
    }

    /// libcurl's own words, which carry OpenSSL's reason.
    private var reason: String {
        var text = String(cString: handle.errorBuffer)
        if text.isEmpty, let words = handle.library.easyStrerror(code) { text = String(cString: words) }
        for prefix in ["SSL certificate problem: ", "SSL: "] where text.hasPrefix(prefix) {
            text.removeFirst(prefix.count)
        }
        return Self.lowered(text)
    }

    /// The first letter in lower case, unless the word is an abbreviation.
    private static func lowered(_ text: String) -> String {
        guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return text }
        return first.lowercased() + text.dropFirst()
    }
}
