import OmbiDocument

/// The `Content-Encoding` of a request. Ombi compresses no body, so only a file can be what such a header says.
enum ContentCoding {
    /// Returns a warning of a header under which the body is sent as it is; nil for one that may be right.
    static func warning(of coding: String, isFile: Bool) -> String? {
        guard !isFile, !["", "identity"].contains(coding.lowercased()) else { return nil }
        return "\"Content-Encoding\" is \(JSONValue.quoted(coding)), and the body is sent as it is; "
            + "remove the header, or send a compressed file"
    }
}
