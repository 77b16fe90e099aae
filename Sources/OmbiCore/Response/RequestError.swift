import OmbiPlatform

/// The failure of a request. `ResponseError` is the error of the request's own validator.
///
/// It provides the stage of the failure (`stage`), the cause (`underlyingError`), the response received until then
/// (`response`), and a readable description.
public enum RequestError<ResponseError: Error>: Error {
    /// The URL, the headers or the body could not be built. The cause is a `MalformedRequest`, or the error of the
    /// encoder or of an interceptor.
    case malformedRequest(any Error)
    /// The credentials could not be obtained or refreshed. The cause is the error of the `Authenticator`; the response
    /// is the 401 that required new ones.
    case authenticationFailed(any Error, TransportResponse? = nil)
    /// A `RequestMiddleware` threw the cause, possibly after a response.
    case middlewareFailed(any Error, TransportResponse? = nil)
    /// The connection failed, or broke before the response was complete.
    case connectionError(TransportError)
    /// An attempt took longer than the request's `timeoutInterval` or `attemptTimeout`; the error names server and
    /// phase.
    case timedOut(TransportError? = nil)
    /// All attempts and waits together took longer than the SLA.
    case slaExceeded(SLAExceeded? = nil)
    /// The run was cancelled: by its handle, the Swift task, or `cancelRequests(with:passingTest:)`.
    case cancelled
    /// The file of a download could not be written; the error names it.
    case fileNotWritten(UnwritableFile, TransportResponse? = nil)
    /// The decoder rejected the body of the response; the cause is its error.
    case decodingError(any Error, TransportResponse? = nil)
    /// The validator rejected the response; nil for a fallback.
    case validationError(ResponseError, TransportResponse? = nil)
    /// The run ended without a response and without a reason.
    case unknownError

    /// The stage of the failure. A time limit or a cancellation counts as part of the execution.
    public var stage: RequestStage {
        switch self {
        case .malformedRequest: .creation
        case .authenticationFailed, .middlewareFailed, .connectionError, .timedOut, .slaExceeded, .cancelled,
            .fileNotWritten, .unknownError:
            .execution
        case .decodingError: .parsing
        case .validationError: .validation
        }
    }

    /// The underlying error; nil if there is none.
    public var underlyingError: (any Error)? {
        switch self {
        case .malformedRequest(let cause), .decodingError(let cause, _), .authenticationFailed(let cause, _),
            .middlewareFailed(let cause, _):
            cause
        case .connectionError(let error): error
        case .timedOut(let error): error
        case .validationError(let error, _): error
        case .fileNotWritten(let error, _): error
        case .slaExceeded, .cancelled, .unknownError: nil
        }
    }

    /// The response received until then: complete if it was rejected; status, headers and the bytes so far if it broke
    /// off; nil if none arrived.
    public var response: TransportResponse? {
        switch self {
        case .decodingError(_, let response), .validationError(_, let response),
            .authenticationFailed(_, let response), .middlewareFailed(_, let response),
            .fileNotWritten(_, let response):
            response
        case .connectionError(let error): error.response
        case .timedOut(let error): error?.response
        case .slaExceeded(let details): details?.response
        case .malformedRequest, .cancelled, .unknownError: nil
        }
    }
}

extension RequestError {
    /// Returns the error with the response that preceded it, unless it already has one.
    func completed(by response: TransportResponse) -> Self {
        switch self {
        case .decodingError(let cause, nil): .decodingError(cause, response)
        case .validationError(let error, nil): .validationError(error, response)
        default: self
        }
    }
}

extension RequestError: CustomStringConvertible, LocalizedError {
    /// A sentence in lower case without a full stop.
    public var description: String {
        switch self {
        case .malformedRequest(let cause): "the request could not be made: \(ErrorText.sentence(cause))"
        case .authenticationFailed(let cause, _): "no credentials could be obtained: \(ErrorText.sentence(cause))"
        case .middlewareFailed(let cause, _): ErrorText.sentence(cause)
        case .connectionError(let error): ErrorText.sentence(error)
        case .timedOut(let error): error.map(ErrorText.sentence) ?? "the request timed out"
        case .slaExceeded(let details): details?.description ?? "the SLA ended before a response came"
        case .cancelled: "cancelled"
        case .fileNotWritten(let error, _): error.description
        case .decodingError(let cause, _): "the response could not be decoded: \(ErrorText.sentence(cause))"
        case .validationError(let error, _): ErrorText.sentence(error)
        case .unknownError: "the request failed for an unknown reason"
        }
    }

    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The same as `description`.
    public var localizedDescription: String { description }
}

extension RequestError: Equatable where ResponseError: Equatable {
    /// Causes are equal if they have the same type and are equal or, for types that are not Equatable, have the same
    /// description. The response and the details of a time limit are not compared.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.malformedRequest(let left), .malformedRequest(let right)),
            (.decodingError(let left, _), .decodingError(let right, _)),
            (.authenticationFailed(let left, _), .authenticationFailed(let right, _)),
            (.middlewareFailed(let left, _), .middlewareFailed(let right, _)):
            isSame(left, right)
        case (.connectionError(let left), .connectionError(let right)): left == right
        case (.fileNotWritten(let left, _), .fileNotWritten(let right, _)): left == right
        case (.validationError(let left, _), .validationError(let right, _)): left == right
        case (.timedOut, .timedOut), (.slaExceeded, .slaExceeded), (.cancelled, .cancelled),
            (.unknownError, .unknownError):
            true
        default: false
        }
    }

    private static func isSame<Cause: Error>(_ left: Cause, _ right: any Error) -> Bool {
        guard type(of: right) == Cause.self else { return false }
        // As `Any`: the compiler considers any error Equatable, because Foundation may box it.
        guard let left = left as Any as? any Equatable else {
            return ErrorText.sentence(left) == ErrorText.sentence(right)
        }
        return left.isEqual(to: right)
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}

/// The cause of a missing value: the response has no body, or its decoder returned nil.
public struct MissingBody: Error, Sendable, Hashable {
    /// Creates the error, for tests and custom errors.
    public init() {}
}

extension MissingBody: CustomStringConvertible {
    public var description: String { "the response has no body" }
}

/// The response error of a request without validation. It has no values.
public enum NoError: Error, Sendable, Hashable {}

/// The stage in which a request failed.
public enum RequestStage: String, Sendable, Hashable, CaseIterable {
    /// Building the URL, the headers and the body.
    case creation
    /// Sending, waiting and receiving.
    case execution
    /// Decoding the body of the response.
    case parsing
    /// Validation by the request's own validator.
    case validation
}

/// The progress of a run when its SLA ended.
public struct SLAExceeded: Error, Sendable, Equatable {
    /// The limit over all attempts and waits.
    public var sla: Duration
    /// The current attempt, or the one before the current wait; 0 if none had started.
    public var attempt: Int
    /// The phase of the attempt; nil in a wait, before the first attempt, and where `holder` is not nil.
    public var phase: RequestPhase?
    /// The part of the program that had the request or its response; nil in a phase of the network, and in a wait.
    public var holder: Holder?
    /// The server, such as "127.0.0.1:8080"; nil if the request was not built yet.
    public var server: String?
    /// The last response received: complete, or the status, the headers and the bytes so far of one in progress; nil if
    /// nothing had arrived.
    public var response: TransportResponse?

    /// A part of the program that a request passes through.
    public enum Holder: Sendable, Hashable {
        /// A middleware around the attempt, which had not passed the request on.
        case middleware
        /// A middleware around the attempt, which had the response.
        case returningMiddleware
        /// A middleware around the run, before the first attempt or after the last one.
        case runMiddleware
        /// The authenticator, which was obtaining credentials.
        case authenticator
        /// The authenticator, which was obtaining new credentials after a 401.
        case refresh
        /// The transport, which had not reported a phase.
        case transport
        /// The circuit breaker of the origin, which held the next attempt.
        case breaker
    }

    /// Creates the error, for tests and custom errors.
    public init(
        sla: Duration, attempt: Int = 0, phase: RequestPhase? = nil, holder: Holder? = nil, server: String? = nil,
        response: TransportResponse? = nil
    ) {
        self.sla = sla
        self.attempt = attempt
        self.phase = phase
        self.holder = holder
        self.server = server
        self.response = response
    }
}

extension SLAExceeded: CustomStringConvertible {
    /// A sentence in lower case without a full stop.
    public var description: String {
        if holder == .breaker {
            return "the SLA of \(sla.text) ended while the breaker of \(server ?? "the server") held "
                + (attempt > 0 ? "the attempt after attempt \(attempt)" : "the first attempt")
        }
        guard attempt > 0 else {
            return holder == nil
                ? "the SLA of \(sla.text) left no time for an attempt"
                : "the SLA of \(sla.text) ended in a middleware around the run, before the first attempt"
        }
        let server = server ?? "the server"
        if holder == .runMiddleware {
            return "the SLA of \(sla.text) ended in a middleware around the run, after attempt \(attempt)"
        }
        if let holder { return "the SLA of \(sla.text) ended in attempt \(attempt) \(place(of: holder, server))" }
        guard let phase else { return "the SLA of \(sla.text) ended in the wait after attempt \(attempt)" }
        let activity =
            switch phase {
            case .queue: "waiting for a free connection to \(server)"
            case .resolve: "looking up \(server)"
            case .connect: "connecting to \(server)"
            case .tls: "negotiating TLS with \(server)"
            case .send: "sending the request to \(server)"
            case .wait: "waiting for a response from \(server)"
            case .receive: "receiving the response from \(server)"
            }
        return "the SLA of \(sla.text) ended in attempt \(attempt) while \(activity)"
    }

    private func place(of holder: Holder, _ server: String) -> String {
        switch holder {
        case .runMiddleware: "in a middleware around the run"
        case .middleware: "in a middleware, before anything was sent to \(server)"
        case .returningMiddleware: "in a middleware, after the response from \(server)"
        case .authenticator: "while credentials were being obtained, before anything was sent to \(server)"
        case .refresh: "while new credentials for \(server) were being obtained"
        case .transport: "while waiting for \(server)"
        case .breaker: "before the next one, which the breaker of \(server) held"
        }
    }
}

/// A file that a download could not write.
public struct UnwritableFile: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The folder does not exist.
        case folderNotFound
        /// The folder or the file is not writable, or the file system is read-only.
        case permissionDenied
        /// The disk is full, or a quota or the file size limit is reached.
        case noSpace
        /// The path is empty, or names a folder, a device or a pipe.
        case notAFile
        /// Another download to the same file is in progress.
        case inUse
        /// The partial file of another request exists; remove it, or choose another path.
        case otherDownload
        /// Any other failure; see the reason.
        case failed
    }

    /// The kind of failure, for decisions.
    public let code: Code
    /// The path as given, or of its partial file.
    public let path: String
    /// The system's message: "No space left on device".
    public let reason: String

    public var description: String { "the file \(path) cannot be written (\(reason))" }

    init(_ code: Code, path: String, reason: String) {
        self.code = code
        self.path = path
        self.reason = reason
    }

    /// - Parameter number: `errno`.
    init(path: String, errno number: CInt) {
        let code: Code =
            switch number {
            case ENOENT, ENOTDIR: .folderNotFound
            case EACCES, EPERM, EROFS: .permissionDenied
            case ENOSPC, EDQUOT, EFBIG: .noSpace
            case EISDIR, ELOOP, ENXIO: .notAFile
            default: .failed
            }
        self.init(code, path: path, reason: strerror(number).map { String(cString: $0) } ?? "error \(number)")
    }
}
