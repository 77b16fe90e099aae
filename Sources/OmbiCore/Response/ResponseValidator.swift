/// Examines a decoded response: passes it on, changed or not, or turns it into the error of the request.
public struct ResponseValidator<ResponseBody, ResponseError: Error>: Sendable {
    /// What is examined, after decoding.
    public typealias Response = RequestResponse<ResponseBody>

    private let handler: @Sendable (Response) -> Result<Response, ResponseError>

    /// A failure becomes `RequestError.validationError`. The handler may run on any thread.
    public init(_ handler: @escaping @Sendable (Response) -> Result<Response, ResponseError>) {
        self.handler = handler
    }

    /// The response to go on with, or why it is refused.
    public func validate(_ response: Response) -> Result<Response, ResponseError> { handler(response) }

    /// Passes everything.
    public static var unsafe: Self { Self { .success($0) } }
}

extension ResponseValidator {
    /// Passes everything.
    public static var `default`: Self { unsafe }
}

extension ResponseValidator where ResponseError == HTTPError {
    /// Fails on a status outside 200..<300. A response without a status passes.
    public static var `default`: Self {
        Self { response in
            guard let error = response.statusCode.flatMap(HTTPError.init) else { return .success(response) }
            return .failure(error)
        }
    }
}
