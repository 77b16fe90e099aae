/// Which redirects are followed, and what goes along (RFC 9110 §15.4).
///
/// What belongs to one origin stays with it: fields with sensitive names, those marked as secret, the manager's
/// additional headers and its credentials are withheld from another origin, and the report names them.
public struct RedirectPolicy: Sendable, Hashable {
    /// The number of redirects that one attempt follows; 0 makes the redirect itself the response.
    public var maximum: Int
    /// Keeps the method and the body on 301 and 302 too. By default POST becomes GET there, as browsers do it; 303
    /// always turns into GET, 307 and 308 never do.
    public var keepsMethod: Bool
    /// Sends to another origin too what belongs to the first one. Off by default.
    public var keepsCredentialsAcrossOrigins: Bool

    /// Up to 20 redirects, as browsers follow them, unless said otherwise.
    public init(maximum: Int = 20, keepsMethod: Bool = false, keepsCredentialsAcrossOrigins: Bool = false) {
        self.maximum = maximum
        self.keepsMethod = keepsMethod
        self.keepsCredentialsAcrossOrigins = keepsCredentialsAcrossOrigins
    }

    /// Follows none.
    public static let none = RedirectPolicy(maximum: 0)
}
