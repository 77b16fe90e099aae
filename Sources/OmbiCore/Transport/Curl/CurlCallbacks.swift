#if canImport(CCurl)
internal import CCurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The callbacks of libcurl, which run on the queue of the loop. The context is the handle, which the loop retains as
/// long as it is in use.
enum CurlCallbacks {
    static let write: omb_data_callback = { bytes, size, count, context in
        let length = size * count
        guard let bytes, let transfer = transfer(context) else { return 0 }
        return switch transfer.received(body: UnsafeRawBufferPointer(start: bytes, count: length)) {
        case .taken: length
        case .heldBack: Int(CURL_WRITEFUNC_PAUSE)
        case .refused: length &+ 1
        }
    }

    static let header: omb_data_callback = { bytes, size, count, context in
        let length = size * count
        guard let bytes, let transfer = transfer(context) else { return 0 }
        let line = UnsafeRawBufferPointer(start: bytes, count: length)
        return transfer.received(headerLine: line) ? length : length &+ 1
    }

    static let read: omb_data_callback = { bytes, size, count, context in
        guard let bytes, let transfer = transfer(context) else { return Int(CURL_READFUNC_ABORT) }
        let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        return switch transfer.read(into: buffer) {
        case .bytes(let count): count
        case .nothingYet: Int(CURL_READFUNC_PAUSE)
        case .failed: Int(CURL_READFUNC_ABORT)
        }
    }

    /// libcurl only ever seeks to the start, to send a body again over another connection.
    static let seek: omb_seek_callback = { context, offset, origin in
        let isStart = offset == 0 && origin == SEEK_SET
        return isStart && transfer(context)?.openBody() == true ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
    }

    static let progress: omb_progress_callback = { context, _, _, _, sent in
        transfer(context)?.sent(bytes: Int(sent))
        return 0
    }

    static let prereq: omb_prereq_callback = { context, _, _, _, localPort in
        transfer(context)?.startsSending(localPort: localPort) == false ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK
    }

    /// A handle without a transfer gets no socket.
    static let openSocket: omb_open_socket_callback = { context, _, address in
        guard let address, let transfer = transfer(context) else { return CURL_SOCKET_BAD }
        transfer.enter(.connect)
        let socket = omb_socket(address.pointee.family, address.pointee.socktype, address.pointee.protocol)
        if socket < 0 { transfer.socketError = errno }
        return socket
    }

    static let resolver: omb_resolver_callback = { _, _, context in
        transfer(context)?.enter(.resolve)
        return 0
    }

    static let tls: omb_tls_callback = { _, settings, context in
        if let settings { transfer(context)?.startsTLS(settings) }
        return CURLE_OK
    }

    private static func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.flatMap { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue().transfer }
    }
}
#endif
