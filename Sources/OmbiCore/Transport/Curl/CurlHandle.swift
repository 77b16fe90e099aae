#if canImport(CCurl)
internal import CCurl

/// One easy handle of libcurl and what it keeps from request to request: its options, its header lines, and the buffer
/// for libcurl's words. Belongs to one loop.
final class CurlHandle {
    let library: CurlLibrary
    let pointer: CurlLibrary.Handle
    let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    /// What the handle is at work for; nil while it waits for the next request.
    var transfer: CurlTransfer?
    let shared: CurlShared
    private var headers: (fields: [RequestHeaders.Field], list: CurlLibrary.List?)?
    private var method: RequestMethod?
    /// What the options are set to; nil when they are not, or not all of them.
    private var settings: (connection: ConnectionBox, trust: Hop.Trust)?
    private var addresses: CurlLibrary.List?
    /// The first option that libcurl refused since the last look.
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

    /// Makes the options those of `connection`. libcurl forgets all others first, so that nothing of one connection's
    /// settings shows in the next; of what it has it keeps connections and sessions.
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

    /// Throws when libcurl has refused an option since the last time.
    /// - Parameter member: The member of `Connection` that the options are for; nil for what every request needs.
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

    /// Has libcurl make a new connection for the request, and for that one only.
    func reconnect() {
        set(CURLOPT_FRESH_CONNECT, true)
        settings = nil
    }

    /// Leaves out what older libraries do not know.
    func forgetRefusals() { refusal = nil }

    private func note(_ option: CURLoption, _ code: CURLcode) {
        if code != CURLE_OK, refusal == nil { refusal = (option, code) }
    }

    /// The list lives until other lines are set; libcurl does not copy it.
    func setHeaders(_ fields: [RequestHeaders.Field], _ lines: () -> [String]) {
        if let headers, headers.fields.elementsEqual(fields, by: Self.areSameLines) { return }
        guard let list = list(lines(), for: CURLOPT_HTTPHEADER) else { return }
        set(CURLOPT_HTTPHEADER, UnsafeRawPointer(list))
        library.listFree(headers?.list)
        headers = (fields, list)
    }

    /// To the letter: `Key` compares without case.
    private static func areSameLines(_ left: RequestHeaders.Field, _ right: RequestHeaders.Field) -> Bool {
        left.key.name == right.key.name && left.value == right.value
    }

    func setMethod(_ method: RequestMethod) {
        guard method != self.method else { return }
        self.method = method
        set(CURLOPT_CUSTOMREQUEST, method.rawValue)
    }

    /// Pairs of addresses in libcurl's form, which it does not copy.
    func setAddresses(_ lines: [String]) {
        guard let list = list(lines, for: CURLOPT_CONNECT_TO) else { return }
        set(CURLOPT_CONNECT_TO, UnsafeRawPointer(list))
        library.listFree(addresses)
        addresses = list
    }

    /// nil, and the option counts as refused, when there is no memory.
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

    /// libcurl copies the text, and would cut it at a NUL.
    func set(_ option: CURLoption, _ text: String) {
        guard !text.utf8.contains(0) else { return note(option, CURLE_BAD_FUNCTION_ARGUMENT) }
        note(option, text.withCString { omb_setopt_pointer(library.setopt, pointer, option, $0) })
    }

    /// The memory must live as long as the handle uses it, unless the option copies it.
    func set(_ option: CURLoption, _ memory: UnsafeRawPointer?) {
        note(option, omb_setopt_pointer(library.setopt, pointer, option, memory))
    }

    func set(_ option: CURLoption, _ callback: @escaping omb_data_callback) {
        note(option, omb_setopt_data(library.setopt, pointer, option, callback))
    }

    /// The caller calls `curl_easy_setopt` in one of its forms.
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

    /// nil without TLS, and where libcurl has another library for it than OpenSSL. Known from the moment the connection
    /// stands to the last byte of the response.
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

    /// Of the last transfer, as long as the handle is with the loop.
    var socket: CInt? {
        var value = CURL_SOCKET_BAD
        let code = omb_getinfo_pointer(library.getinfo, pointer, CURLINFO_ACTIVESOCKET, &value)
        return code == CURLE_OK && value != CURL_SOCKET_BAD ? value : nil
    }

    func microseconds(_ info: CURLINFO) -> Duration { .microseconds(max(size(info), 0)) }

    /// The handle that libcurl means by `pointer`.
    static func of(_ pointer: CurlLibrary.Handle, _ library: CurlLibrary) -> CurlHandle? {
        var value: UnsafePointer<CChar>?
        guard omb_getinfo_text(library.getinfo, pointer, CURLINFO_PRIVATE, &value) == CURLE_OK, let value else {
            return nil
        }
        return Unmanaged<CurlHandle>.fromOpaque(value).takeUnretainedValue()
    }
}
#endif
