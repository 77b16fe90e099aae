import OmbiCore

/// A new access token, and the refresh token for the next one (RFC 6749 §6).
struct RefreshToken: HubRequest {
    typealias RequestBody = RequestParameters
    struct ResponseBody: Decodable, Sendable {
        let accessToken: String
        let refreshToken: String
        let expiresIn: Int
    }

    let refreshToken: String

    let path = "/login/oauth/access_token"
    let method = RequestMethod.post
    var body: RequestParameters { ["grant_type": "refresh_token", "refresh_token": .string(refreshToken)] }
}
