/// Examines a response, and refuses it with the error of the request: before it is decoded, after, or both.
///
/// Before decoding there are the status, the headers and the bytes, so that the error page of an API is read as such and
/// not as a value that is malformed. Afterwards there is the value.
public struct ResponseValidator<ResponseBody, ResponseError: Error>: Sendable {
    /// What is examined after decoding.
    public typealias Response = RequestResponse<ResponseBody>

    private let check: (@Sendable (TransportResponse) -> ResponseError?)?
    /// nil passes everything.
    private let handler: (@Sendable (Response) -> Result<Response, ResponseError>)?

    /// Examines decoded responses: passes each on, changed or not, or refuses it.
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

    /// Examines responses before they are decoded, and what they decode to.
    ///
    /// An error becomes `RequestError.validationError(_:_:)`. Both closures may run on any thread.
    ///
    /// - Parameters:
    ///   - check: Returns the reason to refuse a response, or nil to decode it. It gets fallback responses too, without
    ///     bytes.
    ///   - handler: As in `init(_:)`; passes everything by default.
    public init(
        beforeDecoding check: @escaping @Sendable (TransportResponse) -> ResponseError?,
        afterDecoding handler: @escaping @Sendable (Response) -> Result<Response, ResponseError> = { .success($0) }
    ) {
        self.check = check
        self.handler = handler
    }

    /// Returns the reason not to decode a response.
    public func refusal(of response: TransportResponse) -> ResponseError? { check?(response) }

    /// Returns the response to go on with, or the reason to refuse it. For responses that were not decoded from bytes,
    /// such as fallbacks: what is checked before decoding is checked first, with the head of the response alone.
    public func validate(_ response: Response) -> Result<Response, ResponseError> {
        let head = TransportResponse(url: response.url, headers: response.headers, statusCode: response.statusCode)
        if let refusal = refusal(of: head) { return .failure(refusal) }
        return examine(response)
    }

    /// The part after decoding.
    func examine(_ response: Response) -> Result<Response, ResponseError> { handler?(response) ?? .success(response) }

    /// Passes everything.
    public static var unsafe: Self { Self(check: nil) }
}

extension ResponseValidator {
    /// Passes everything.
    public static var `default`: Self { unsafe }
}

extension ResponseValidator where ResponseError == HTTPError {
    /// Refuses a status outside 200..<300, before decoding. A response without a status passes.
    public static var `default`: Self { Self(check: { $0.statusCode.flatMap(HTTPError.init) }) }
}
