import Foundation
import TestSupport
import Testing

@testable import OmbiAuthentication

@Suite struct DeviceFlowTests {
    private static let codes = #"""
        {"device_code":"d","user_code":"WDJB-MJHT","verification_uri":"https://id.test/device",
        "verification_uri_complete":"https://id.test/device?user_code=WDJB-MJHT","expires_in":60,"interval":5}
        """#

    private static func refusal(_ name: String) -> TokenServer.Answer { .json(400, "{\"error\":\"\(name)\"}") }
    private static let token = TokenServer.Answer.json(#"{"access_token":"a","refresh_token":"r"}"#)

    private static let device = OAuth2DeviceAuthorization(
        deviceCode: "d", userCode: "u", verificationURI: URL(string: "https://id.test/d")!,
        expiresAt: TokenServer.start.addingTimeInterval(100), interval: .seconds(5))

    /// Polls until there is a result, and gives the waits in seconds.
    private func poll(_ server: TokenServer, _ count: Int) async -> (Result<OAuth2Token, any Error>, [Int64]) {
        let task = Task { try await server.client(secret: nil).token(for: Self.device) }
        var waits: [Int64] = []
        for _ in 0..<count { waits.append(await server.clock.advanceToNextDeadline().components.seconds) }
        return (await task.result, waits)
    }

    @Test func `codes are read, and shown to the user`() async throws {
        let server = TokenServer(.json(Self.codes), Self.token)
        let prompts = LoopbackLock<[OAuth2DeviceAuthorization]>([])
        let flow = OAuth2Flow.device(scopes: ["read"]) { device in prompts.withLock { $0.append(device) } }
        let authenticator = OAuth2Authenticator(server.client(secret: nil), flow: flow)
        let signIn = Task { try await authenticator.signIn() }
        #expect(await server.clock.advanceToNextDeadline() == .seconds(5))
        try await signIn.value
        let device = try #require(prompts.withLock { $0 }.first)
        #expect(device.userCode == "WDJB-MJHT" && device.verificationURI.absoluteString == "https://id.test/device")
        #expect(device.completeVerificationURI?.query() == "user_code=WDJB-MJHT")
        #expect(device.expiresAt == TokenServer.start.addingTimeInterval(60) && device.interval == .seconds(5))
        #expect(
            server.forms == [
                ["client_id": "app", "scope": "read"],
                [
                    "client_id": "app", "device_code": "d",
                    "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
                ],
            ])
        #expect(authenticator.token?.accessToken == "a")
    }

    @Test(
        arguments: [
            ([Self.token], [5], nil), ([Self.refusal("authorization_pending"), Self.token], [5, 5], nil),
            (
                [
                    Self.refusal("slow_down"), Self.refusal("authorization_pending"), Self.refusal("slow_down"),
                    Self.token,
                ],
                [5, 10, 10, 15], nil
            ),
            ([.failure(.timedOut), .json(503, ""), Self.token], [5, 10, 20], nil),
            ([Self.refusal("authorization_pending"), Self.refusal("access_denied")], [5, 5], .accessDenied),
            ([Self.refusal("expired_token")], [5], .expired), ([Self.refusal("invalid_grant")], [5], .invalidGrant),
            ([.failure(.certificateNotTrusted)], [5], .requestFailed), ([.json(404, "")], [5], .requestFailed),
        ] as [([TokenServer.Answer], [Int64], OAuth2Error.Code?)])
    func `polls come as often as the server allows`(
        answers: [TokenServer.Answer], waits: [Int64], code: OAuth2Error.Code?
    ) async throws {
        let server = TokenServer(answers)
        let (result, slept) = await poll(server, waits.count)
        #expect(slept == waits)
        switch result {
        case .success(let token): #expect(token.accessToken == "a" && code == nil)
        case .failure(let error): #expect((error as? OAuth2Error)?.code == code)
        }
    }

    @Test func `time is over when the codes expire, whatever the server says`() async {
        let server = TokenServer(Self.refusal("authorization_pending"))
        let task = Task { try await server.client(secret: nil).token(for: Self.device) }
        for _ in 0..<20 { _ = await server.clock.advanceToNextDeadline() }
        await #expect(throws: OAuth2Error(.expired)) { try await task.value }
        #expect(server.forms.count == 19)
    }

    @Test func `an interval of years ends with the codes`() async {
        let device = OAuth2DeviceAuthorization(
            deviceCode: "d", userCode: "u", verificationURI: URL(filePath: "/"),
            expiresAt: TokenServer.start.addingTimeInterval(900), interval: .seconds(1_000_000_000))
        let server = TokenServer(Self.refusal("authorization_pending"))
        let task = Task { try await server.client(secret: nil).token(for: device) }
        #expect(await server.clock.advanceToNextDeadline() == .seconds(900))
        await #expect(throws: OAuth2Error(.expired)) { try await task.value }
    }

    @Test func `a poll can be cancelled`() async {
        let server = TokenServer(Self.refusal("authorization_pending"))
        let task = Task { try await server.client(secret: nil).token(for: Self.device) }
        _ = await server.clock.advanceToNextDeadline()
        task.cancel()
        await #expect(throws: OAuth2Error(.cancelled)) { try await task.value }
    }

    @Test func `a flow goes on when the request that began it has given up`() async throws {
        let server = TokenServer(.json(Self.codes), Self.token)
        let authenticator = OAuth2Authenticator(server.client(secret: nil), flow: .device { _ in })
        let request = Task { try await authenticator.signIn() }
        let shown = Gate()
        let second = Task {
            await shown.pass()
            try await authenticator.signIn()
        }
        await server.clock.waitForSleepers()
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        await shown.open()
        _ = await server.clock.advanceToNextDeadline()
        try await second.value
        #expect(authenticator.token?.accessToken == "a")
    }

    @Test(arguments: [
        "{}", #"{"device_code":"d","user_code":"u","verification_uri":"https://a"}"#,
        #"{"device_code":"d","user_code":"u","verification_uri":"file:///etc/passwd","expires_in":60}"#,
        #"{"device_code":"d","user_code":"u","verification_uri":"javascript:alert(1)","expires_in":60}"#,
        #"{"device_code":"","user_code":"u","verification_uri":"https://a","expires_in":60}"#,
    ])
    func `codes that nobody could use are refused`(body: String) async {
        let server = TokenServer(.json(body))
        await #expect(
            performing: { try await server.client(secret: nil).authorizeDevice() },
            throws: { ($0 as? OAuth2Error)?.code == .malformedResponse })
    }

    @Test func `what is shown has no control characters, and no interval is too short`() async throws {
        let server = TokenServer(
            .json(
                "{\"device_code\":\"d\",\"user_code\":\"A\\u001b[31m\",\"verification_url\":\"https://a/\",\"expires_in\":9,\"interval\":0}"
            ))
        let device = try await server.client(secret: nil).authorizeDevice()
        #expect(device.userCode == "A\\u{1B}[31m" && device.interval == .seconds(1))
    }

    @Test func `a client without the address says so`() async {
        var client = TokenServer(.json("")).client()
        client.devicePath = nil
        await #expect(
            performing: { try await client.authorizeDevice() },
            throws: {
                "\($0)"
                    == "the OAuth 2 client is not set up for this (set devicePath to the device authorization endpoint)"
            })
    }
}
