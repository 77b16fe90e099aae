/// A response that continues indefinitely, over one connection after the other; the part that its run uses. For the run
/// each connection is an attempt, which lasts until the connection ends.
protocol ContinuedStream: Sendable {
    /// Returns the request of the next connection, on the thread that starts the attempt.
    func continued(_ request: TransportRequest) -> TransportRequest

    /// Read at the end of an attempt; nil if its response was rejected, or none arrived.
    var endedConnection: EndedConnection? { get }
}

/// A connection whose head was accepted.
struct EndedConnection: Equatable {
    /// The wait before the next connection; nil for none.
    var wait: Duration?
}
