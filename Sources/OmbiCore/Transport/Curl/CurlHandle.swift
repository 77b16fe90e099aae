internal import CCurl

/// One easy handle of libcurl, with typed options. Used from the queue of its loop only.
struct CurlHandle {
    let library: CurlLibrary
    let pointer: CurlLibrary.Handle

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

    /// The memory must live as long as the transfer, unless the option copies it.
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
}
