#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Publisher {
    /// Replaces any failure with one `.empty` response.
    public func removeErrors<Body>() -> Publishers.ReplaceError<Self> where Output == RequestResponse<Body> {
        replaceError(with: .empty)
    }

    /// Fails with `ResponseMismatch.statusCode` unless the status of the response is one of `codes`.
    public func validateStatusCode<Codes: Sequence, Body>(in codes: Codes) -> Publishers.TryMap<Self, Output>
    where Output == RequestResponse<Body>, Codes.Element == Int {
        tryMap { response in
            guard let code = response.statusCode, codes.contains(code) else {
                throw ResponseMismatch.statusCode(response.statusCode)
            }
            return response
        }
    }

    /// Fails with `ResponseMismatch.contentType` unless the media type of the response is `type`, compared without case
    /// and parameters (RFC 9110 §8.3.1). A response without a body passes.
    public func hasContentType<Body>(_ type: String) -> Publishers.TryMap<Self, Output>
    where Output == RequestResponse<Body> {
        tryMap { response in
            if response.hasEmptyBody { return response }
            let found = response[.contentType]?.text
            guard let found, MediaType.essence(of: found) == MediaType.essence(of: type) else {
                throw ResponseMismatch.contentType(found, expected: type)
            }
            return response
        }
    }
}

extension RequestResponse {
    var hasEmptyBody: Bool {
        switch body {
        case nil: true
        case let data as Data: data.isEmpty
        case let text as String: text.isEmpty
        default: false
        }
    }
}
