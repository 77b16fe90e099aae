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
    /// Its place in the list of the loop.
    var index = 0
    private var headers: (fields: [RequestHeaders.Field], list: CurlLibrary.HeaderList?)?
    private var method: RequestMethod?

    /// nil when there is no memory.
    init?(library: CurlLibrary, configuration: CurlTransport.Configuration) {
        guard let pointer = library.easyInit() else { return nil }
        self.library = library
        self.pointer = pointer
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        CurlSetup(handle: self).applyOnce(configuration)
    }

    deinit {
        library.easyCleanup(pointer)
        library.listFree(headers?.list)
        errorBuffer.deallocate()
    }

    /// The list lives until other lines are set; libcurl does not copy it.
    func setHeaders(_ fields: [RequestHeaders.Field], _ makeList: () -> CurlLibrary.HeaderList?) {
        if let headers, headers.fields.elementsEqual(fields, by: Self.areSameLines) { return }
        let list = makeList()
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

    func set(_ option: CURLoption, _ value: Int) {
        _ = omb_setopt_long(library.setopt, pointer, option, value)
    }

    func set(_ option: CURLoption, _ flag: Bool) { set(option, flag ? 1 : 0) }

    func set(_ option: CURLoption, size: Int) {
        _ = omb_setopt_off(library.setopt, pointer, option, curl_off_t(size))
    }

    /// libcurl copies the text.
    func set(_ option: CURLoption, _ text: String) {
        _ = text.withCString { omb_setopt_pointer(library.setopt, pointer, option, $0) }
    }

    /// The memory must live as long as the handle uses it, unless the option copies it.
    func set(_ option: CURLoption, _ memory: UnsafeRawPointer?) {
        _ = omb_setopt_pointer(library.setopt, pointer, option, memory)
    }

    func set(_ option: CURLoption, _ callback: @escaping omb_data_callback) {
        _ = omb_setopt_data(library.setopt, pointer, option, callback)
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return omb_getinfo_long(library.getinfo, pointer, info, &value) == CURLE_OK ? value : 0
    }

    func size(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        return omb_getinfo_off(library.getinfo, pointer, info, &value) == CURLE_OK ? Int(value) : 0
    }

    func text(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        guard omb_getinfo_text(library.getinfo, pointer, info, &value) == CURLE_OK, let value else { return nil }
        return String(cString: value)
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
