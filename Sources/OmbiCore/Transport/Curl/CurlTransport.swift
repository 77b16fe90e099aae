/// Sends requests with libcurl.
public final class CurlTransport: Transport {
    public init() {}
    public func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask { StubTransport.stub(error: TransportError(code: .transportUnavailable)).start(request, onEvent: onEvent) }
}
