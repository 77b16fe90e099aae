#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension StubTransport {
    /// The reply to one attempt: a response, a failure, or a part of a response and then a failure.
    public struct Reply: Sendable {
        /// nil for a failure without a response.
        private(set) var response: TransportResponse?
        /// The error after the response; nil if that is complete.
        private(set) var error: TransportError?
        private(set) var delay: Duration = .zero
        /// The length in bytes.
        private(set) var pieceLength = Int.max
        private(set) var pieceDelay: Duration = .zero
        /// True if the response gets the URL of the request.
        private(set) var answersFromRequest = false

        /// Returns a complete response without any change.
        public static func success(_ response: TransportResponse) -> Reply { Reply(response: response) }

        /// Returns a network failure; the preceding part of a response is in `TransportError.response`.
        public static func failure(_ error: TransportError) -> Reply { Reply(response: nil, error: error) }

        /// Returns a complete response from the URL of the request, with `Content-Length` unless the body is empty.
        public static func response(
            statusCode: Int = 200, data: Data = Data(), headers: RequestHeaders = [:]
        ) -> Reply {
            var headers = headers
            if !data.isEmpty, headers[.contentLength] == nil { headers[.contentLength] = .int(data.count) }
            return success(TransportResponse(headers: headers, statusCode: statusCode, body: data))
                .changed { $0.answersFromRequest = true }
        }

        /// Returns a response whose body is the text of `json`, as `application/json`.
        public static func json(_ json: String, statusCode: Int = 200, headers: RequestHeaders = [:]) -> Reply {
            let headers = RequestHeaders([.init(.contentType, .contentType(.json))]).merging(headers)
            return response(statusCode: statusCode, data: Data(json.utf8), headers: headers)
        }

        /// No reply: the attempt ends by its timeouts, or when it is cancelled.
        public static let silence = failure(TransportError(code: .timedOut)).delayed(by: .longest)

        /// Returns the reply with a wait before the head of the response, or before the failure.
        public func delayed(by delay: Duration) -> Reply { changed { $0.delay = delay } }

        /// Returns the reply with the body in pieces of that many bytes, and a wait between them. Each is a separate
        /// event (`TransportEvent.received(bytes:expected:)`, `TransportEvent.data(_:)`).
        public func inPieces(of length: Int, every delay: Duration = .zero) -> Reply {
            changed { ($0.pieceLength, $0.pieceDelay) = (max(length, 1), delay) }
        }

        /// Returns the reply cut off by a failure after the last byte.
        public func failing(with error: TransportError) -> Reply { changed { $0.error = error } }

        func response(to request: TransportRequest) -> TransportResponse? {
            guard answersFromRequest else { return response }
            return response.map {
                TransportResponse(url: request.url, headers: $0.headers, statusCode: $0.statusCode, body: $0.body)
            }
        }

        private func changed(_ change: (inout Reply) -> Void) -> Reply {
            var copy = self
            change(&copy)
            return copy
        }
    }
}
