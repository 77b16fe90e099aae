#if canImport(CCurl)
internal import CCurl
import OmbiPlatform

/// A connection of libcurl for bytes instead of requests (`CURLOPT_CONNECT_ONLY`). Name lookup, proxies, TLS and
/// certificates are set up as for a request. Confined to the thread of a `CurlChannelLoop`.
///
/// It has its own multi handle: libcurl considers such connections idle, and closes them when the same handle makes
/// another.
final class CurlChannel {
    private struct Sending {
        /// An array, because TLS requires unwritten bytes at the same address for the next attempt.
        let bytes: [UInt8]
        var offset = 0
        let completion: CurlChannelLoop.Completion<Void>
    }

    private let handle: CurlHandle
    private let transfer: CurlTransfer
    private let multi: CurlLibrary.Handle
    /// The descriptors that libcurl waits for while it connects.
    private var watched: [pollfd] = []
    private(set) var deadline: ContinuousClock.Instant?
    /// nil until connected.
    private var socket: curl_socket_t?
    private var opening: CurlChannelLoop.Completion<TransportMetrics>?
    private var receiving: CurlChannelLoop.Completion<Data>?
    private var sending: Sending?
    /// The end of the receiving side: libcurl reports it only once.
    private var end: Result<Data, TransportError>?

    private var library: CurlLibrary { handle.library }

    /// The bytes per call of libcurl, and the number of calls before other channels get their turn.
    private static let sendBytes = 64 << 10
    private static let sendsPerStep = 16

    static let closed = TransportError(code: .cancelled, message: "the channel is closed")
    static let noDescriptors = TransportError.noDescriptors("could not set up a connection for a WebSocket")

    init(_ opening: CurlChannelLoop.Opening) throws(TransportError) {
        try Self.check(opening.request.connection)
        if let authentication = opening.request.connectionAuthentication {
            throw authentication.unsupported("is not for a WebSocket, whose opening handshake has no second request")
        }
        let library = try CurlLibrary.shared.get()
        let handle = try CurlHandle(CurlShared(library: library, configuration: opening.configuration))
        guard let multi = library.multiInit() else { throw Self.noDescriptors }
        self.handle = handle
        self.multi = multi
        self.opening = opening.completion
        transfer = CurlTransfer(
            CurlJob(
                id: CurlTransferID(loop: 0, slot: 0, number: 0), request: opening.request,
                startedAt: opening.startedAt, onEvent: { _ in }, pause: nil, wake: nil,
                turn: ConnectionQueue.Turn(slot: 0, isHeld: true), isMultiplexed: nil),
            context: CurlContext(configuration: opening.configuration))
        handle.transfer = transfer
        try transfer.begin(on: handle)
        try CurlSetup(handle: handle).applyChannel()
        watch()
        _ = library.multiAdd(multi, handle.pointer)
    }

    deinit { _ = library.multiCleanup(multi) }

    /// Rejects settings that make no sense without a request, or do not affect bytes.
    private static func check(_ connection: Connection) throws(TransportError) {
        if connection.httpVersion == .http2PriorKnowledge {
            throw Connection.unsupported("httpVersion", "asks for HTTP/2; a WebSocket is opened over HTTP/1.1")
        }
        for (name, rate) in [
            ("maximumReceiveRate", connection.maximumReceiveRate), ("maximumSendRate", connection.maximumSendRate),
        ] where rate != nil {
            throw Connection.unsupported(name, "does not apply to a WebSocket; leave it at nil")
        }
    }

    /// Installs the callbacks for libcurl's descriptors and timer.
    private func watch() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = omb_multi_setopt_watch(
            library.multiSetopt, multi,
            { _, socket, what, context, _ in
                guard let context else { return 0 }
                Unmanaged<CurlChannel>.fromOpaque(context).takeUnretainedValue().watch(socket, what)
                return 0
            }, context)
        _ = omb_multi_setopt_timer(
            library.multiSetopt, multi,
            { _, milliseconds, context in
                guard let context else { return 0 }
                let channel = Unmanaged<CurlChannel>.fromOpaque(context).takeUnretainedValue()
                channel.deadline = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
                return 0
            }, context)
    }

    private func watch(_ socket: curl_socket_t, _ what: CInt) {
        watched.removeAll { $0.fd == socket }
        let events = (what & CURL_POLL_IN != 0 ? POLLIN : 0) | (what & CURL_POLL_OUT != 0 ? POLLOUT : 0)
        if what != CURL_POLL_REMOVE, events != 0 {
            watched.append(pollfd(fd: socket, events: Int16(events), revents: 0))
        }
    }

    func addDescriptors(to waits: inout [pollfd]) {
        guard let socket else { return waits += watched }
        let events = (receiving == nil ? 0 : POLLIN) | (sending == nil ? 0 : POLLOUT)
        // A descriptor without events would still report a hang-up, repeatedly.
        if events != 0 { waits.append(pollfd(fd: socket, events: Int16(events), revents: 0)) }
    }

    func step(_ ready: [pollfd], _ buffer: UnsafeMutableRawBufferPointer) {
        guard socket != nil else { return connect(ready) }
        guard !ready.isEmpty else { return }
        if sending != nil { sendRest() }
        if let completion = receiving {
            receiving = nil
            receive(into: buffer, completion)
        }
    }
}

// Connecting.
extension CurlChannel {
    private func connect(_ ready: [pollfd]) {
        var running: CInt = 0
        for wait in ready {
            let events = Int32(wait.revents)
            let mask =
                (events & POLLIN != 0 ? CURL_CSELECT_IN : 0) | (events & POLLOUT != 0 ? CURL_CSELECT_OUT : 0)
                | (events & (POLLERR | POLLHUP | POLLNVAL) != 0 ? CURL_CSELECT_ERR : 0)
            _ = library.multiSocketAction(multi, wait.fd, mask, &running)
        }
        if let deadline, deadline <= .now {
            self.deadline = nil
            _ = library.multiSocketAction(multi, -1, 0, &running)
        }
        var left: CInt = 0
        while let message = library.multiInfoRead(multi, &left) {
            if message.pointee.msg == CURLMSG_DONE { connected(omb_message_result(message)) }
        }
    }

    private func connected(_ result: CURLcode) {
        deadline = nil
        watched = []
        let completion = opening.take()
        guard result == CURLE_OK, let socket = handle.socket else {
            completion?(.failure(CurlFailure(transfer: transfer, handle: handle, code: result).error))
            return
        }
        self.socket = socket
        transfer.noteTLS()
        completion?(.success(transfer.metrics(handle)))
    }
}

// Bytes.
extension CurlChannel {
    /// Receives available bytes at once: TLS may have read more from the socket than it has returned.
    func receive(into buffer: UnsafeMutableRawBufferPointer, _ completion: @escaping CurlChannelLoop.Completion<Data>) {
        guard socket != nil else { return completion(.failure(Self.closed)) }
        if let end { return completion(end) }
        var count = 0
        switch library.easyReceive(handle.pointer, buffer.baseAddress, buffer.count, &count) {
        case CURLE_AGAIN: receiving = completion
        case CURLE_OK where count > 0: completion(.success(Data(buffer.prefix(count))))
        case let code:
            let end: Result<Data, TransportError> = code == CURLE_OK ? .success(Data()) : .failure(broken(code))
            self.end = end
            completion(end)
        }
    }

    func send(_ bytes: Data, _ completion: @escaping CurlChannelLoop.Completion<Void>) {
        guard socket != nil else { return completion(.failure(Self.closed)) }
        sending = Sending(bytes: Array(bytes), completion: completion)
        sendRest()
    }

    private func sendRest() {
        for _ in 0..<Self.sendsPerStep {
            guard let job = sending else { return }
            guard job.offset < job.bytes.count else { return endSending(.success(())) }
            var count = 0
            let code = job.bytes.withUnsafeBytes { bytes in
                let rest = bytes[job.offset...].prefix(Self.sendBytes)
                return library.easySend(
                    handle.pointer, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, &count)
            }
            if code == CURLE_AGAIN { return }
            guard code == CURLE_OK else { return endSending(.failure(broken(code))) }
            sending?.offset += count
        }
    }

    private func endSending(_ result: Result<Void, TransportError>) {
        let completion = sending?.completion
        sending = nil
        completion?(result)
    }

    private func broken(_ code: CURLcode) -> TransportError {
        CurlFailure(transfer: transfer, handle: handle, code: code).brokenChannel
    }

    func close() {
        _ = library.multiRemove(multi, handle.pointer)
        opening?(.failure(Self.closed))
        receiving?(.failure(Self.closed))
        sending?.completion(.failure(Self.closed))
        (opening, receiving, sending) = (nil, nil, nil)
    }
}

extension CurlSetup {
    /// Turns the options of a request into those of a mere connection.
    func applyChannel() throws(TransportError) {
        handle.set(CURLOPT_CONNECT_ONLY, 1)
        handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        handle.set(CURLOPT_HTTPPROXYTUNNEL, true)
        try handle.check()
    }
}
#endif
