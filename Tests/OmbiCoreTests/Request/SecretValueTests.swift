import Foundation
import OmbiCore
import TestSupport
import Testing

/// A header value that is marked as a secret.
@Suite struct SecretValueTests {
    let secret = RequestHeaders.Value.secret("hidden")

    @Test func `it is equal by its text`() {
        let plain: RequestHeaders.Value = "hidden"
        #expect(secret == plain && secret.hashValue == plain.hashValue && secret.text == "hidden")
        #expect(secret.isSecret && !plain.isSecret)
        #expect(RequestHeaders([.init("X", secret)]) == ["X": "hidden"])
    }

    @Test func `no description shows it`() {
        var dumped = ""
        dump(RequestHeaders([.init("X-Acme", secret)]), to: &dumped)
        let request = TransportRequest(url: URL(fileURLWithPath: "/"), headers: ["X-Acme": secret])
        let texts = ["\(secret)", String(reflecting: secret), dumped, "\(request)", String(reflecting: request)]
        #expect(!texts.joined().contains("hidden"))
        #expect("\(secret)" == "••••••")
    }

    @Test func `it arrives and is masked in the log whatever its name`() async throws {
        let request = PlainRequest(headers: ["X-Acme": secret, "X-Plain": "shown"])
        #expect(try await RealServer.arrival(of: request).headers["x-acme"] == "hidden")
        let logged = try await LogMaskingTests.entries(request)
        #expect(logged.request.contains("\nX-Acme: ••••••\n") && logged.request.contains("\nX-Plain: shown\n"))
        #expect(!(logged.request + logged.response).contains("hidden"))
    }

    @Test func `the mark survives the way to the transport`() throws {
        let manager = RequestManager(host: "http://h")
        manager.additionalHeaders = ["X-Additional": secret]
        let built = try manager.buildRequest(for: PlainRequest(headers: ["X-Acme": secret]))
        #expect(built.headers["X-Acme"]?.isSecret == true && built.headers["X-Additional"]?.isSecret == true)
        manager.requestAuthentication = .token(type: .bearer, value: "t")
        #expect(try manager.buildRequest(for: PlainRequest()).headers[.authorization]?.isSecret == true)
    }
}
