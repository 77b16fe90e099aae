/// The last step of making a request: may change it (sign it, add a trace header) or refuse it by throwing.
public struct RequestInterceptor: Sendable {
    private let handler: @Sendable (TransportRequest) throws -> TransportRequest

    /// The handler may run on any thread. What it throws is the cause in `RequestError.malformedRequest`; what it gives
    /// is checked like any other request.
    public init(_ handler: @escaping @Sendable (TransportRequest) throws -> TransportRequest) {
        self.handler = handler
    }

    /// Throws what the handler throws.
    public func intercept(_ request: TransportRequest) throws -> TransportRequest { try handler(request) }

    /// Leaves every request as it is.
    public static let none = RequestInterceptor { $0 }
}
