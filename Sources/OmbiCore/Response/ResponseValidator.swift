/// A check of responses that rejects them with the error of the request: before decoding, after it, or both.
///
/// Before decoding, status, headers and bytes are available, so that the error page of an API is recognized as such
/// instead of failing as a malformed value. After decoding, the value is.
public struct ResponseValidator<ResponseBody, ResponseError: Error>: Sendable {
    /// The input after decoding.
    public typealias Response = RequestResponse<ResponseBody>

    private let check: (@Sendable (TransportResponse) -> ResponseError?)?
    /// nil accepts everything.
    private let handler: (@Sendable (Response) -> Result<Response, ResponseError>)?

    /// Creates a validator of decoded responses. The handler returns each, changed or not, or rejects it.
    ///
    /// A failure becomes `RequestError.validationError(_:_:)`. The handler may run on any thread.
    public init(_ handler: @escaping @Sendable (Response) -> Result<Response, ResponseError>) {
        check = nil
        self.handler = handler
    }

    private init(check: (@Sendable (TransportResponse) -> ResponseError?)?) {
        self.check = check
        handler = nil
    }

    /// Creates a validator of responses before and after decoding.
    ///
    /// An error becomes `RequestError.validationError(_:_:)`. Both closures may run on any thread.
    ///
    /// - Parameters:
    ///   - check: Returns the reason to reject a response, or nil to decode it. Also gets fallback responses, without
    ///     bytes.
    ///   - handler: As in `init(_:)`; accepts everything by default.
    public init(
        beforeDecoding check: @escaping @Sendable (TransportResponse) -> ResponseError?,
        afterDecoding handler: @escaping @Sendable (Response) -> Result<Response, ResponseError> = { .success($0) }
    ) {
        self.check = check
        self.handler = handler
    }

    /// Returns the reason not to decode a response.
    public func refusal(of response: TransportResponse) -> ResponseError? { check?(response) }

    /// Returns the response to continue with, or the reason to reject it. For responses that were not decoded from
    /// bytes, such as fallbacks: the check before decoding runs first, with the head of the response alone.
    public func validate(_ response: Response) -> Result<Response, ResponseError> {
        let head = TransportResponse(url: response.url, headers: response.headers, statusCode: response.statusCode)
        if let refusal = refusal(of: head) { return .failure(refusal) }
        return examine(response)
    }

    /// Runs the check after decoding.
    func examine(_ response: Response) -> Result<Response, ResponseError> { handler?(response) ?? .success(response) }

    /// A validator that accepts everything.
    public static var unsafe: Self { Self(check: nil) }
}

extension ResponseValidator {
    /// A validator that accepts everything.
    public static var `default`: Self { unsafe }
}

extension ResponseValidator where ResponseError == HTTPError {
    /// A validator that rejects a status outside 200..<300, before decoding. A response without a status passes.
    public static var `default`: Self { Self(check: { $0.statusCode.flatMap(HTTPError.init) }) }
}
