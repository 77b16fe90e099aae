internal import OmbiBase

// The valid types of each member of a request, converted to the single type that the engine reads. The last extension
// of a member matches every other type: since it is unavailable, the compiler rejects the request and prints the
// message. `as` refers to the member as declared, and not to the default of the same name.

extension Requestable where QueryValue == [URLQueryItem] {
    public var _query: [URLQueryItem] { get throws { try query as QueryValue } }
}
extension Requestable where QueryValue == RequestParameters {
    public var _query: [URLQueryItem] {
        get throws { try (query as QueryValue).allParameters.map { URLQueryItem(name: $0.name, value: $0.value.text) } }
    }
}
extension Requestable where QueryValue == [(String, String)] {
    public var _query: [URLQueryItem] {
        get throws { try (query as QueryValue).map { URLQueryItem(name: $0.0, value: $0.1) } }
    }
}
extension Requestable where QueryValue == [String: String] {
    public var _query: [URLQueryItem] {
        get throws {
            try (query as QueryValue).sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
        }
    }
}
extension Requestable {
    @available(
        *, unavailable,
        message: "declare query as [URLQueryItem], RequestParameters, [(String, String)] or [String: String]"
    )
    public var _query: [URLQueryItem] { [] }
}

extension Requestable where HeadersValue == RequestHeaders {
    public var _headers: RequestHeaders { get throws { try headers as HeadersValue } }
}
extension Requestable where HeadersValue == [String: String] {
    public var _headers: RequestHeaders { get throws { try RequestHeaders(headers as HeadersValue) } }
}
extension Requestable {
    @available(*, unavailable, message: "declare headers as RequestHeaders or [String: String]")
    public var _headers: RequestHeaders { [:] }
}

extension Requestable where BodyValue == RequestBody {
    public var _encodedBody: EncodedBody? { get throws { try _requestEncoder.encodedBody(body as BodyValue) } }
}
extension Requestable where BodyValue == RequestBody? {
    public var _encodedBody: EncodedBody? {
        get throws { try (body as BodyValue).flatMap { try _requestEncoder.encodedBody($0) } }
    }
}
extension Requestable where BodyValue == Never? {
    public var _encodedBody: EncodedBody? { nil }
}
extension Requestable {
    @available(
        *, unavailable,
        message: "declare body as RequestBody or RequestBody?, and name that type by typealias"
    )
    public var _encodedBody: EncodedBody? { nil }
}

extension Requestable where BodyStreamValue == BodyStream {
    public var _bodyStream: BodyStream? { get throws { try bodyStream as BodyStreamValue } }
}
extension Requestable where BodyStreamValue == BodyStream? {
    public var _bodyStream: BodyStream? { get throws { try bodyStream as BodyStreamValue } }
}
extension Requestable {
    @available(*, unavailable, message: "declare bodyStream as BodyStream or BodyStream?")
    public var _bodyStream: BodyStream? { nil }
}

extension Requestable where AuthenticationValue == RequestAuthentication {
    public var _authentication: RequestAuthentication? { get throws { try authentication as AuthenticationValue } }
}
extension Requestable where AuthenticationValue == RequestAuthentication? {
    public var _authentication: RequestAuthentication? { get throws { try authentication as AuthenticationValue } }
}
extension Requestable {
    @available(*, unavailable, message: "declare authentication as RequestAuthentication or RequestAuthentication?")
    public var _authentication: RequestAuthentication? { nil }
}

extension Requestable where AuthenticatorValue: Authenticator {
    public var _authenticator: (any Authenticator)? { authenticator as AuthenticatorValue }
}
extension Requestable where AuthenticatorValue == any Authenticator {
    public var _authenticator: (any Authenticator)? { authenticator as AuthenticatorValue }
}
extension Requestable where AuthenticatorValue == (any Authenticator)? {
    public var _authenticator: (any Authenticator)? { authenticator as AuthenticatorValue }
}
extension Requestable {
    @available(
        *, unavailable,
        message:
            "declare authenticator as a type that conforms to Authenticator, any Authenticator or (any Authenticator)?"
    )
    public var _authenticator: (any Authenticator)? { nil }
}

extension Requestable where FallbackResponseValue == Response {
    public var _fallbackResponse: Response? { fallbackResponse as FallbackResponseValue }
}
extension Requestable where FallbackResponseValue == Response? {
    public var _fallbackResponse: Response? { fallbackResponse as FallbackResponseValue }
}
extension Requestable where FallbackResponseValue == Never? {
    public var _fallbackResponse: Response? { nil }
}
extension Requestable {
    @available(*, unavailable, message: "declare fallbackResponse as RequestResponse<ResponseBody>, or an optional one")
    public var _fallbackResponse: Response? { nil }
}

extension Requestable where TimeoutIntervalValue == TimeInterval {
    public var _timeoutInterval: TimeInterval { timeoutInterval as TimeoutIntervalValue }
}
extension Requestable where TimeoutIntervalValue == Int {
    public var _timeoutInterval: TimeInterval { TimeInterval(timeoutInterval as TimeoutIntervalValue) }
}
extension Requestable where TimeoutIntervalValue == Duration {
    public var _timeoutInterval: TimeInterval { (timeoutInterval as TimeoutIntervalValue).inSeconds }
}
extension Requestable {
    @available(*, unavailable, message: "declare timeoutInterval as TimeInterval, Int or Duration")
    public var _timeoutInterval: TimeInterval { 0 }
}

extension Requestable where AttemptTimeoutValue == Duration {
    public var _attemptTimeout: Duration? { attemptTimeout as AttemptTimeoutValue }
}
extension Requestable where AttemptTimeoutValue == Duration? {
    public var _attemptTimeout: Duration? { attemptTimeout as AttemptTimeoutValue }
}
extension Requestable {
    @available(*, unavailable, message: "declare attemptTimeout as Duration or Duration?")
    public var _attemptTimeout: Duration? { nil }
}

extension Requestable where RequestInterceptorValue == RequestInterceptor {
    public var _requestInterceptor: RequestInterceptor { requestInterceptor as RequestInterceptorValue }
}
extension Requestable {
    @available(*, unavailable, message: "declare requestInterceptor as RequestInterceptor")
    public var _requestInterceptor: RequestInterceptor { .none }
}

extension Requestable where UploadProgressValue == @Sendable (TransferProgress) -> Void {
    public var _uploadProgress: (@Sendable (TransferProgress) -> Void)? { uploadProgress as UploadProgressValue }
}
extension Requestable where UploadProgressValue == (@Sendable (TransferProgress) -> Void)? {
    public var _uploadProgress: (@Sendable (TransferProgress) -> Void)? { uploadProgress as UploadProgressValue }
}
extension Requestable {
    @available(
        *, unavailable, message: "declare uploadProgress as @Sendable (TransferProgress) -> Void, or an optional one"
    )
    public var _uploadProgress: (@Sendable (TransferProgress) -> Void)? { nil }
}

extension Requestable where DownloadProgressValue == @Sendable (TransferProgress) -> Void {
    public var _downloadProgress: (@Sendable (TransferProgress) -> Void)? { downloadProgress as DownloadProgressValue }
}
extension Requestable where DownloadProgressValue == (@Sendable (TransferProgress) -> Void)? {
    public var _downloadProgress: (@Sendable (TransferProgress) -> Void)? { downloadProgress as DownloadProgressValue }
}
extension Requestable {
    @available(
        *, unavailable, message: "declare downloadProgress as @Sendable (TransferProgress) -> Void, or an optional one"
    )
    public var _downloadProgress: (@Sendable (TransferProgress) -> Void)? { nil }
}
