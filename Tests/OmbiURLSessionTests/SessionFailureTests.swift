import Foundation
import OmbiCore
import Testing

@testable import OmbiURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Errors of `URLSession` in sentences.
@Suite struct SessionFailureTests {
    func failure(_ code: URLError.Code, _ words: String?, progress: String? = nil) -> TransportError {
        let error = URLError(code, userInfo: words.map { [NSLocalizedDescriptionKey: $0] } ?? [:])
        return SessionFailure(error: error, server: "host.test:8080", host: "host.test", progress: progress)
            .transportError
    }

    struct Case: Sendable, CustomStringConvertible {
        let error: URLError.Code
        let words: String
        var progress: String?
        let code: TransportError.Code
        let message: String
        var description: String { message }
    }

    static let everywhere = [
        Case(
            error: .cannotFindHost, words: "A server could not be found.", code: .cannotFindHost,
            message: "could not find the host host.test"),
        Case(
            error: .networkConnectionLost, words: "The network connection was lost.", code: .connectionLost,
            message: "the connection to host.test:8080 broke before a response came (the network connection was lost)"),
        Case(
            error: .networkConnectionLost, words: "Lost.", progress: "5 of 10 bytes", code: .connectionLost,
            message: "the connection to host.test:8080 broke after 5 of 10 bytes"),
        Case(
            error: .timedOut, words: "", progress: "5 bytes", code: .timedOut,
            message: "the response from host.test:8080 was not complete in time (5 bytes)"),
        Case(
            error: .serverCertificateUntrusted, words: "The certificate for this server is invalid.",
            code: .certificateNotTrusted,
            message: "could not make a secure connection to host.test:8080: the certificate for this server is invalid"),
        Case(
            error: .secureConnectionFailed, words: "An SSL error has occurred.", code: .secureConnectionFailed,
            message: "could not make a secure connection to host.test:8080: an SSL error has occurred"),
        Case(
            error: .notConnectedToInternet, words: "The Internet connection appears to be offline.",
            code: .cannotConnectToHost,
            message: "could not connect to host.test:8080 (the Internet connection appears to be offline)"),
        Case(
            error: .cannotDecodeContentData, words: "Cannot decode.", code: .malformedResponse,
            message: "the response from host.test:8080 is malformed (cannot decode)"),
        Case(
            error: .badURL, words: "Bad URL.", code: .unsupportedURL,
            message: "host.test:8080 cannot be requested (bad URL)"),
        Case(error: .cancelled, words: "", code: .cancelled, message: "cancelled"),
        Case(
            error: .unknown, words: "Odd\u{1b}[31m words", code: .unknown,
            message: "the request to host.test:8080 failed (odd\\u{1B}[31m words)"),
    ]

    #if canImport(FoundationNetworking)
    static let all = everywhere + onLinux
    #else
    static let all = everywhere
    #endif

    /// libcurl's words decide where Foundation has no code of its own.
    static let onLinux = [
        ("SSL certificate problem: self-signed certificate", TransportError.Code.certificateNotTrusted),
        ("SSL: no alternative certificate subject name matches target host name 'x'", .certificateNotTrusted),
        ("error:0A00010B:SSL routines::wrong version number", .secureConnectionFailed),
        ("Failed to connect to host.test port 8080 after 3 ms: No route to host", .cannotConnectToHost),
        ("Couldn't connect to server", .cannotConnectToHost),
        ("Recv failure: Connection reset by peer", .connectionLost),
        ("Send failure: Broken pipe", .connectionLost),
        ("transfer closed with outstanding read data remaining", .connectionLost),
        ("HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2)", .connectionLost),
        ("Illegal or missing hexadecimal sequence in chunked-encoding", .malformedResponse),
        ("Unrecognized or bad HTTP Content or Transfer-Encoding", .malformedResponse),
        ("Failed writing header", .malformedResponse), ("something new", .unknown),
    ].map { words, code in Case(error: .unknown, words: words, code: code, message: "") }

    @Test(arguments: all) func `an error has a code and a sentence`(testCase: Case) {
        let failure = failure(testCase.error, testCase.words, progress: testCase.progress)
        #expect(failure.code == testCase.code, "\(failure)")
        if !testCase.message.isEmpty { #expect(failure.message == testCase.message) }
        #expect(failure.message.contains("host.test") || testCase.error == .cancelled)
    }

    @Test func `a long reason is cut`() {
        #expect(failure(.unknown, String(repeating: "x", count: 100_000)).message.count < 300)
    }
}
