#if canImport(CCurl)
internal import CCurl
import OmbiPlatform

/// An easy handle of libcurl and its state between requests: its options, its header lines, and libcurl's error buffer.
/// Confined to one loop.
final class CurlHandle {
    let library: CurlLibrary
    let pointer: CurlLibrary.Handle
    let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    /// The current transfer; nil while the handle waits for the next request.
    var transfer: CurlTransfer?
    let shared: CurlShared
    private var headers: (fields: [RequestHeaders.Field], list: CurlLibrary.List?)?
    private var method: RequestMethod?
    /// The settings of the options; nil if they are not set, or only in part.
    private var settings: (connection: ConnectionBox, trust: Hop.Trust)?
    private var addresses: CurlLibrary.List?
    /// The first option rejected by libcurl since the last check.
    private var refusal: (option: CURLoption, code: CURLcode)?

    init(_ shared: CurlShared) throws(TransportError) {
        library = shared.library
        guard let pointer = library.easyInit() else { throw Self.outOfMemory }
        self.pointer = pointer
        self.shared = shared
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        library.easyCleanup(pointer)
        library.listFree(headers?.list)
        library.listFree(addresses)
        errorBuffer.deallocate()
    }

    private static let outOfMemory = TransportError.outOfMemory("libcurl could not set up a request")

    /// Sets the options for `connection`. libcurl resets all others first, so that no setting of another connection
    /// remains; it keeps its connections and sessions.
    func use(_ connection: ConnectionBox, _ trust: Hop.Trust) throws(TransportError) {
        if let settings, settings.trust == trust, settings.connection == connection { return }
        settings = nil
        headers.map { library.listFree($0.list) }
        headers = nil
        method = nil
        refusal = nil
        library.easyReset(pointer)
        let setup = CurlSetup(handle: self)
        try setup.applyAlways(shared.configuration)
        try setup.apply(connection.value, trust)
        set(CURLOPT_SHARE, UnsafeRawPointer(try shared.nameCache(for: connection.value.addressFamily)))
        try check("addressFamily")
        settings = (connection, trust)
    }

    /// Throws if libcurl has rejected an option since the last check.
    /// - Parameter member: The member of `Connection` for the options; nil for those of every request.
    func check(_ member: String? = nil) throws(TransportError) {
        guard let (option, code) = refusal else { return }
        refusal = nil
        if code == CURLE_OUT_OF_MEMORY { throw Self.outOfMemory }
        let library = "the libcurl of this system (\(library.features.version))"
        guard let member else {
            throw TransportError(
                code: .transportUnavailable, message: "\(library) refuses the option \(option.rawValue)")
        }
        throw Connection.unsupported(member, "asks for something that \(library) does not have")
    }

    /// Makes libcurl open a new connection for this request only.
    func reconnect() {
        set(CURLOPT_FRESH_CONNECT, true)
        settings = nil
    }

    /// True if libcurl has rejected an option since the last check.
    var hasRefused: Bool { refusal != nil }

    /// Ignores options unknown to older libraries.
    func forgetRefusals() { refusal = nil }

    private func note(_ option: CURLoption, _ code: CURLcode) {
        if code != CURLE_OK, refusal == nil { refusal = (option, code) }
    }

    /// Sets the header lines. The list stays alive until other lines are set, since libcurl does not copy it.
    func setHeaders(_ fields: [RequestHeaders.Field], _ lines: () -> [String]) {
        if let headers, headers.fields.elementsEqual(fields, by: Self.areSameLines) { return }
        guard let list = list(lines(), for: CURLOPT_HTTPHEADER) else { return }
        set(CURLOPT_HTTPHEADER, UnsafeRawPointer(list))
        library.listFree(headers?.list)
        headers = (fields, list)
    }

    /// Compares exactly: `Key` ignores case.
    private static func areSameLines(_ left: RequestHeaders.Field, _ right: RequestHeaders.Field) -> Bool {
        left.key.name == right.key.name && left.value == right.value
    }

    func setMethod(_ method: RequestMethod) {
        guard method != self.method else { return }
        self.method = method
        set(CURLOPT_CUSTOMREQUEST, method.rawValue)
    }

    /// Sets pairs of addresses in libcurl's notation. The list stays alive, since libcurl does not copy it.
    func setAddresses(_ lines: [String]) {
        guard let list = list(lines, for: CURLOPT_CONNECT_TO) else { return }
        set(CURLOPT_CONNECT_TO, UnsafeRawPointer(list))
        library.listFree(addresses)
        addresses = list
    }

    /// Returns nil, and notes the option as rejected, if memory is exhausted.
    private func list(_ lines: [String], for option: CURLoption) -> CurlLibrary.List? {
        let list = library.list(lines)
        if list == nil { note(option, CURLE_OUT_OF_MEMORY) }
        return list
    }

    func set(_ option: CURLoption, _ value: Int) {
        note(option, omb_setopt_long(library.setopt, pointer, option, value))
    }

    func set(_ option: CURLoption, _ flag: Bool) { set(option, flag ? 1 : 0) }

    func set(_ option: CURLoption, size: Int) {
        note(option, omb_setopt_off(library.setopt, pointer, option, curl_off_t(size)))
    }

    /// Sets text, which libcurl copies. It would truncate text at a NUL.
    func set(_ option: CURLoption, _ text: String) {
        guard !text.utf8.contains(0) else { return note(option, CURLE_BAD_FUNCTION_ARGUMENT) }
        note(option, text.withCString { omb_setopt_pointer(library.setopt, pointer, option, $0) })
    }

    /// Sets a pointer, which must stay valid as long as the handle uses it, unless the option copies its target.
    func set(_ option: CURLoption, _ memory: UnsafeRawPointer?) {
        note(option, omb_setopt_pointer(library.setopt, pointer, option, memory))
    }

    func set(_ option: CURLoption, _ callback: @escaping omb_data_callback) {
        note(option, omb_setopt_data(library.setopt, pointer, option, callback))
    }

    /// Sets an option with one of the variants of `curl_easy_setopt`.
    func set(_ option: CURLoption, by call: (UnsafeMutableRawPointer?, CurlLibrary.Handle) -> CURLcode) {
        note(option, call(library.setopt, pointer))
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return omb_getinfo_long(library.getinfo, pointer, info, &value) == CURLE_OK ? value : 0
    }

    func size(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        return omb_getinfo_off(library.getinfo, pointer, info, &value) == CURLE_OK ? Int(value) : 0
    }

    func text(_ info: CURLINFO) -> String? { pointer(info).map { String(cString: $0) } }

    func bytes(_ info: CURLINFO) -> [UInt8]? { pointer(info).map(Self.bytes) }

    private func pointer(_ info: CURLINFO) -> UnsafePointer<CChar>? {
        var value: UnsafePointer<CChar>?
        return omb_getinfo_text(library.getinfo, pointer, info, &value) == CURLE_OK ? value : nil
    }

    static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
        var bytes: [UInt8] = []
        while text[bytes.count] != 0 { bytes.append(UInt8(bitPattern: text[bytes.count])) }
        return bytes
    }

    /// The TLS connection; nil without TLS, and if libcurl uses another library than OpenSSL. Available from the
    /// completed connection to the last byte of the response.
    var tlsConnection: OpenSSL.Object? {
        guard library.openSSL != nil else { return nil }
        var session: UnsafePointer<curl_tlssessioninfo>?
        guard omb_getinfo_pointer(library.getinfo, pointer, CURLINFO_TLS_SSL_PTR, &session) == CURLE_OK,
            let session = session?.pointee, session.backend == CURLSSLBACKEND_OPENSSL
        else { return nil }
        return session.internals
    }

    func tlsReport(isVerified: Bool) -> TLSReport? {
        guard let openSSL = library.openSSL else { return TLSReport(isVerified: isVerified) }
        return tlsConnection.map { openSSL.report(of: $0, isVerified: isVerified) }
    }

    /// The socket of the last transfer, as long as the handle belongs to the loop.
    var socket: CInt? {
        var value = CURL_SOCKET_BAD
        let code = omb_getinfo_pointer(library.getinfo, pointer, CURLINFO_ACTIVESOCKET, &value)
        return code == CURLE_OK && value != CURL_SOCKET_BAD ? value : nil
    }

    func microseconds(_ info: CURLINFO) -> Duration { .microseconds(max(size(info), 0)) }

    /// Returns the handle for libcurl's `pointer`.
    static func of(_ pointer: CurlLibrary.Handle, _ library: CurlLibrary) -> CurlHandle? {
        var value: UnsafePointer<CChar>?
        guard omb_getinfo_text(library.getinfo, pointer, CURLINFO_PRIVATE, &value) == CURLE_OK, let value else {
            return nil
        }
        return Unmanaged<CurlHandle>.fromOpaque(value).takeUnretainedValue()
    }
}

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
