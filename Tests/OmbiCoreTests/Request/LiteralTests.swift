import Foundation
import OmbiCore
import Testing

/// Texts with values in them, wherever a literal of text is accepted.
@Suite struct LiteralTests {
    @Test func `interpolations are accepted where literals are`() {
        let (id, token) = (42, "abc")
        let headers: RequestHeaders = [.authorization: "Bearer \(token)", "X-User-\(id)": "user \(id)"]
        #expect(headers[.authorization] == "Bearer abc" && headers["X-User-42"]?.text == "user 42")
        let parameters: RequestParameters = ["name": "user \(id)"]
        #expect(parameters["name"] == .string("user 42"))
        let json: AnyJSON = ["name": "user \(id)"]
        #expect(json["name"] == "user 42")
        #expect(RequestMethod("X") == "\(token == "abc" ? "X" : "Y")")
        let message: WebSocketMessage = "user \(id)"
        #expect(message == .text("user 42"))
        let type: RequestAuthentication.TokenType = "Type\(id)"
        #expect(type == .custom("Type42"))
        let content: RequestHeaders.Value.ContentType = "text/\(token)"
        #expect(content == "text/abc")
        let cache: RequestHeaders.Value.CacheControlType = "max-age=\(id)"
        #expect(cache == "max-age=42")
    }
}
