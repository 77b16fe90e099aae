/// The redirects to follow, and the data they carry (RFC 9110 §15.4).
///
/// Data of one origin stays there: fields with sensitive names, those marked as secret, the manager's additional
/// headers and its credentials are withheld from another origin, and the report names them.
public struct RedirectPolicy: Sendable, Hashable {
    /// The maximum number of redirects in one attempt; 0 makes the redirect itself the response.
    public var maximum: Int
    /// Preserves the method and the body on 301 and 302 too. By default POST becomes GET there, as in browsers; 303
    /// always changes to GET, 307 and 308 never do.
    public var keepsMethod: Bool
    /// Also sends the data of the first origin to other origins. Off by default.
    public var keepsCredentialsAcrossOrigins: Bool
    /// Fails with `TransportError.Code.redirectRefused` at a redirect to another origin, which then gets nothing of the
    /// request. Off by default.
    public var staysInOrigin: Bool

    /// Creates a policy; by default, one that follows up to 20 redirects as browsers do.
    public init(
        maximum: Int = 20, keepsMethod: Bool = false, keepsCredentialsAcrossOrigins: Bool = false,
        staysInOrigin: Bool = false
    ) {
        self.maximum = maximum
        self.keepsMethod = keepsMethod
        self.keepsCredentialsAcrossOrigins = keepsCredentialsAcrossOrigins
        self.staysInOrigin = staysInOrigin
    }

    /// A policy that follows no redirects.
    public static let none = RedirectPolicy(maximum: 0)
}
