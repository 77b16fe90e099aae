#if canImport(CCurl)
extension CurlTransport {
    /// Returns the error of every request with these settings, such as one that needs what the libcurl of this system was
    /// built without; nil if there is none. Loads libcurl, and sends nothing.
    public static func refusal(of connection: Connection) -> TransportError? {
        do throws(TransportError) {
            let shared = CurlShared(library: try CurlLibrary.shared.get(), configuration: Configuration())
            try CurlHandle(shared).use(ConnectionBox(connection), .own)
            return nil
        } catch {
            return error
        }
    }
}
#endif
