import TestSupport

extension TransportDifference {
    #if canImport(FoundationNetworking)
    static let all = everywhere + onLinux
    #else
    static let all = everywhere
    #endif

    private static let everywhere = [
        TransportDifference(
            "GET carries a body", because: "URLSession refuses a body with GET",
            ["failed unsupportedOption: URLSession sends no body with GET"]),
        TransportDifference(
            "fields of one name are kept apart", because: "HTTPURLResponse joins their values (RFC 9110 §5.3)",
            ["head 200", "finished 200 \"\"", "Via: 1.1 a, 1.1 b"]),
    ]

    private static let onLinux = [
        TransportDifference(
            "a redirect that leads nowhere is a response",
            because: "Foundation on Linux drops the body of a 3xx that it would follow and cannot",
            ["head 302", "finished 302 \"\""]),
        TransportDifference(
            "phases come in order and sum to the whole",
            because: "Foundation on Linux measures nothing, and does not tell the version and the address",
            ["connect send wait receive", "remote address unknown", "HTTP unknown", "5 bytes received", "some time"]),
    ]
}
