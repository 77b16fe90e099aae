extension Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// "session=••••••; Domain=example.com; Path=/; Secure"
    public var description: String {
        var parts = ["\(name)=\(LogMask.mask)", "\(isHostOnly ? "Host" : "Domain")=\(domain)", "Path=\(path)"]
        if let expiresAt { parts.append("Expires=\(expiresAt)") }
        if isSecure { parts.append("Secure") }
        if isHTTPOnly { parts.append("HttpOnly") }
        if let sameSite { parts.append("SameSite=\(sameSite.rawValue)") }
        return parts.joined(separator: "; ")
    }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// The description; the value is omitted.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
