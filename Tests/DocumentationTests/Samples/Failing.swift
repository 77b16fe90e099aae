import OmbiCore

enum Failing {
    // sample: Errors/cases
    func advice(_ error: RequestError<HTTPError>) -> String {
        switch error {
        case .validationError(.notFound, _): "it is gone"
        case .validationError(let refusal, let response): "\(refusal), \(response?.body?.count ?? 0) bytes to read"
        case .decodingError(_, let response): "status \(response?.statusCode ?? 0), but not what the API describes"
        case .connectionError(let cause) where cause.code == .certificateNotTrusted: "check the certificate"
        case .connectionError(let cause): "network: \(cause)"
        case .timedOut, .slaExceeded: "too slow"
        case .authenticationFailed, .middlewareFailed: "not sent: \(error)"
        case .fileNotWritten(let file, _): "\(file)"
        case .malformedRequest(let cause): "a bug of this program: \(cause)"
        case .cancelled, .unknownError: "\(error)"
        }
    }
    // end

    static func response(_ manager: RequestManager) async -> String? {
        // sample: Errors/response
        do {
            _ = try await manager.value(for: UserByID(id: 42))
        } catch {
            let requestID = error.response?.headers?["X-Request-ID"]?.text
            let page = error.response?.body.map { String(decoding: $0.prefix(200), as: UTF8.self) }
            return "\(error) (request \(requestID ?? "unknown")): \(page ?? "no body")"
        }
        // end
        return nil
    }

    // sample: Errors/problem
    struct Problem: Error, Decodable, CustomStringConvertible {
        let title: String
        let detail: String?

        var description: String { [title, detail].compactMap(\.self).joined(separator: ": ") }
    }

    struct Publish: Requestable {
        typealias ResponseBody = NoBody
        typealias ResponseError = Problem

        var path: String { "/articles/7/publish" }
        var method: RequestMethod { .post }
        var responseValidator: ResponseValidator<NoBody, Problem> {
            ResponseValidator(beforeDecoding: { response in
                guard let status = response.statusCode, status >= 400 else { return nil }
                let problem = try? JSONDecoder().decode(Problem.self, from: response.body ?? Data())
                return problem ?? Problem(title: StatusCode.words(status), detail: nil)
            })
        }
    }
    // end
}
