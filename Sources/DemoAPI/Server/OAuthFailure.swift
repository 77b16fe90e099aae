/// An error of the authorization server, which a handler throws.
struct OAuthFailure: Error {
    let code: String
    let status: Int
}
