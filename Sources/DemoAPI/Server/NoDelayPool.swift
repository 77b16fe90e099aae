import FlyingSocks

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A socket pool that sends small writes at once (TCP_NODELAY). FlyingFox writes the head and the body of a response
/// one after the other; without this the body may wait 40 ms for the client's delayed acknowledgement of the head.
/// Accepted connections inherit the option from the listening socket.
struct NoDelayPool<Base: AsyncSocketPool>: AsyncSocketPool {
    let base: Base

    func prepare() async throws { try await base.prepare() }

    func run() async throws { try await base.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        var on: Int32 = 1
        setsockopt(
            socket.file.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout.size(ofValue: on)))
        try await base.suspendSocket(socket, untilReadyFor: events)
    }
}
