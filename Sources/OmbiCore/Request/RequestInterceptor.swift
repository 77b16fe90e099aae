/// The last step of building a request: may change it (sign it, add a trace header), or reject it by throwing.
public struct RequestInterceptor: Sendable {
    private let handler: @Sendable (TransportRequest) throws -> TransportRequest

    /// Creates an interceptor. The handler may run on any thread. Its error is the cause in
    /// `RequestError.malformedRequest`; its result is checked like any other request.
    public init(_ handler: @escaping @Sendable (TransportRequest) throws -> TransportRequest) {
        self.handler = handler
    }

    /// Runs the handler. Throws its error.
    public func intercept(_ request: TransportRequest) throws -> TransportRequest { try handler(request) }

    /// An interceptor that changes nothing.
    public static let none = RequestInterceptor { $0 }
}
