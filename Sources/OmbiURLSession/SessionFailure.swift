import Foundation
import OmbiCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A conversion from an error of `URLSession` to one that names the failed step and the cause.
struct SessionFailure {
    let error: URLError
    /// "127.0.0.1:8080"
    let server: String
    let host: String
    /// "512 of 2048 bytes"; nil before the head of a response.
    let progress: String?

    var transportError: TransportError {
        switch error.code {
        case .cannotFindHost, .dnsLookupFailed:
            TransportError(code: .cannotFindHost, message: "could not find the host \(host)")
        case .cannotConnectToHost, .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed:
            notConnected
        case .timedOut:
            TransportError(code: .timedOut, message: progress.map(incomplete) ?? "no response from \(server) in time")
        case .cancelled: .cancelled
        case .networkConnectionLost: broken
        case .badServerResponse: emptyReply
        case .secureConnectionFailed, .clientCertificateRejected, .clientCertificateRequired,
            .appTransportSecurityRequiresSecureConnection:
            insecure(.secureConnectionFailed)
        case .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid:
            insecure(.certificateNotTrusted)
        case .cannotDecodeRawData, .cannotDecodeContentData, .cannotParseResponse:
            TransportError(code: .malformedResponse, message: "the response from \(server) is malformed (\(reason))")
        case .badURL:
            TransportError(code: .unsupportedURL, message: "\(server) cannot be requested (\(reason))")
        case .unsupportedURL: notHTTP
        default: unnamed
        }
    }

    private func incomplete(_ progress: String) -> String {
        "the response from \(server) was not complete in time (\(progress))"
    }

    private var notConnected: TransportError {
        TransportError(code: .cannotConnectToHost, message: "could not connect to \(server) (\(connectReason))")
    }

    private var broken: TransportError {
        let end = progress.map { "after \($0)" } ?? "before a response came (\(reason))"
        return TransportError(code: .connectionLost, message: "the connection to \(server) broke \(end)")
    }

    private func insecure(_ code: TransportError.Code) -> TransportError {
        TransportError(
            code: code, message: "could not make a secure connection to \(server): \(reason)",
            advice: code == .certificateNotTrusted ? Self.trustAdvice : nil)
    }

    /// The description in lower case, without the full stop.
    private var reason: String {
        var text = error.localizedDescription
        for prefix in ["SSL certificate problem: ", "SSL: "] where text.hasPrefix(prefix) {
            text.removeFirst(prefix.count)
        }
        if text.hasSuffix(".") { text.removeLast() }
        return text.asClause.excerpt(200)
    }
}

#if canImport(FoundationNetworking)
// Foundation on Linux has codes for few of libcurl's failures; the others are distinguished by libcurl's messages.
extension SessionFailure {
    private static let trustAdvice = "the transport over libcurl can trust its authority with Connection.tls.caFile"

    /// The code has a single cause.
    private var connectReason: String { error.code == .cannotConnectToHost ? "connection refused" : reason }

    /// The code means a connection that was closed without a byte.
    private var emptyReply: TransportError { broken }

    /// The URL is an HTTP URL, so that the response must be the problem.
    private var notHTTP: TransportError {
        TransportError(code: .malformedResponse, message: "\(server) sent an invalid HTTP response (\(reason))")
    }

    private var unnamed: TransportError {
        let words = error.localizedDescription.lowercased()
        func speaksOf(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
        if speaksOf("certificate") { return insecure(.certificateNotTrusted) }
        if speaksOf("ssl", "tls") { return insecure(.secureConnectionFailed) }
        if speaksOf("connect to") { return notConnected }
        if speaksOf("chunk") {
            return TransportError(
                code: .malformedResponse, message: "the body from \(server) is not valid chunked encoding (\(reason))")
        }
        if speaksOf("writing header") {
            return TransportError(
                code: .malformedResponse, message: "the header from \(server) cannot be read (\(reason))")
        }
        if speaksOf("content unencoding", "content encoding", "transfer-encoding") {
            return TransportError(
                code: .malformedResponse, message: "the body from \(server) cannot be decoded (\(reason))")
        }
        if speaksOf("http2", "http/2", "recv", "send", "transfer closed") || progress != nil { return broken }
        return TransportError(code: .unknown, message: "the request to \(server) failed (\(reason))")
    }
}
#else
extension SessionFailure {
    private static let trustAdvice = "to accept it all the same, set Connection.tls.verifiesServer to false"

    private var connectReason: String { reason }

    private var emptyReply: TransportError {
        TransportError(code: .malformedResponse, message: "the response from \(server) is malformed (\(reason))")
    }

    private var notHTTP: TransportError {
        TransportError(code: .unsupportedURL, message: "\(server) cannot be requested (\(reason))")
    }

    private var unnamed: TransportError {
        TransportError(code: .unknown, message: "the request to \(server) failed (\(reason))")
    }
}
#endif
