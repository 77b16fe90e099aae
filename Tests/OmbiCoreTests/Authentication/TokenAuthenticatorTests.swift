import Foundation
import TestSupport
import Testing

@testable import OmbiCore

@Suite struct TokenAuthenticatorTests {
    typealias Token = TokenAuthenticator.Token

    private struct Refused: Error, Equatable {}

    private let request = TransportRequest(url: URL(string: "https://api.test/a")!)
    private let epoch = Date(timeIntervalSince1970: 1_000_000)

    private func sent(_ authenticator: TokenAuthenticator) async throws -> String? {
        try await authenticator.authenticate(request).headers[.authorization]?.text
    }

    private func refused(with token: String?, at url: String = "https://api.test/a") -> (
        TransportResponse, TransportRequest
    ) {
        var request = request
        if let token { request.headers[.authorization] = .string(token) }
        return (TransportResponse(url: URL(string: url), statusCode: 401), request)
    }

    @Test func `the first request gets a token, and later ones share it`() async throws {
        let counter = Counter()
        let authenticator = TokenAuthenticator { _ in Token("t\(counter.next())") }
        #expect(try await sent(authenticator) == "Bearer t0")
        #expect(try await sent(authenticator) == "Bearer t0")
        #expect(counter.value == 1)
    }

    @Test func `a token goes with the word of its type`() async throws {
        let authenticator = TokenAuthenticator(Token("abc"), type: "Token") { _ in throw Refused() }
        #expect(try await sent(authenticator) == "Token abc")
    }

    @Test(arguments: [(29.0, "Bearer new"), (30, "Bearer new"), (31, "Bearer old")])
    func `a token is refreshed before it expires`(secondsLeft: Double, expected: String) async throws {
        let token = Token("old", expiresAt: epoch.addingTimeInterval(secondsLeft))
        let authenticator = TokenAuthenticator(token, leeway: .seconds(30), now: { [epoch] in epoch }) { old in
            #expect(old?.value == "old")
            return Token("new")
        }
        #expect(try await sent(authenticator) == expected)
    }

    /// Starts this many requests, and opens the gate when all of them wait.
    private func outcomes(
        of count: Int, _ authenticator: TokenAuthenticator, _ gate: Gate
    ) async -> [Result<String?, any Error>] {
        await withTaskGroup(of: Result<String?, any Error>?.self) { group in
            let executor = SerialTasks()
            for _ in 0..<count {
                group.addTask(executorPreference: executor) {
                    do { return .success(try await sent(authenticator)) } catch { return .failure(error) }
                }
            }
            group.addTask(executorPreference: executor) {
                await gate.open()
                return nil
            }
            return await group.reduce(into: []) { if let outcome = $1 { $0.append(outcome) } }
        }
    }

    @Test func `a hundred requests wait for one refresh`() async throws {
        let gate = Gate()
        let counter = Counter()
        let authenticator = TokenAuthenticator { _ in
            await gate.pass()
            return Token("t\(counter.next())")
        }
        let outcomes = await outcomes(of: 100, authenticator, gate)
        #expect(try outcomes.map { try $0.get() } == Array(repeating: "Bearer t0", count: 100))
        #expect(counter.value == 1)
    }

    @Test func `a failed refresh fails all that wait, and the next request tries again`() async throws {
        let gate = Gate()
        let counter = Counter()
        let authenticator = TokenAuthenticator { _ in
            await gate.pass()
            guard counter.next() > 0 else { throw Refused() }
            return Token("second")
        }
        for outcome in await outcomes(of: 100, authenticator, gate) {
            #expect(throws: Refused.self) { try outcome.get() }
        }
        #expect(counter.value == 1)
        #expect(try await sent(authenticator) == "Bearer second")
    }

    @Test func `a 401 refreshes the token that was refused`() async throws {
        let authenticator = TokenAuthenticator(Token("old")) { old in Token((old?.value ?? "") + "+") }
        let (response, request) = refused(with: "Bearer old")
        #expect(try await authenticator.refresh(after: response, to: request))
        #expect(authenticator.token == Token("old+"))
    }

    @Test func `a 401 for an older token sends the request again without a refresh`() async throws {
        let authenticator = TokenAuthenticator(Token("current")) { _ in throw Refused() }
        let (response, request) = refused(with: "Bearer older")
        #expect(try await authenticator.refresh(after: response, to: request))
        #expect(authenticator.token == Token("current"))
    }

    @Test func `a refresh that gives the refused token again helps nobody`() async throws {
        let authenticator = TokenAuthenticator(Token("same")) { _ in Token("same") }
        let (response, request) = refused(with: "Bearer same")
        #expect(try await authenticator.refresh(after: response, to: request) == false)
    }

    @Test func `a 401 of another origin, or to a request without a token, refreshes nothing`() async throws {
        let authenticator = TokenAuthenticator(Token("current")) { _ in throw Refused() }
        for url in ["https://other.test/a", "http://api.test/a", "https://api.test:8443/a"] {
            let (response, request) = refused(with: "Bearer current", at: url)
            #expect(try await authenticator.refresh(after: response, to: request) == false, "\(url)")
        }
        let (response, request) = refused(with: nil)
        #expect(try await authenticator.refresh(after: response, to: request) == false)
    }

    @Test func `cancelling one that waits leaves the refresh to the others`() async throws {
        let gate = Gate()
        let authenticator = TokenAuthenticator { _ in
            await gate.pass()
            try Task.checkCancellation()
            return Token("t")
        }
        let first = Task { try await sent(authenticator) }
        await gate.waitForVisitor()
        let second = Task { try await sent(authenticator) }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        await gate.open()
        #expect(try await second.value == "Bearer t")
        #expect(authenticator.token == Token("t"))
    }

    @Test func `a refresh that nobody waits for any more still keeps its token`() async throws {
        let gate = Gate()
        let authenticator = TokenAuthenticator { _ in
            await gate.pass()
            try Task.checkCancellation()
            return Token("t")
        }
        let only = Task { try await sent(authenticator) }
        await gate.waitForVisitor()
        only.cancel()
        await #expect(throws: CancellationError.self) { try await only.value }
        await gate.open()
        #expect(try await sent(authenticator) == "Bearer t")
    }

    @Test func `a cancelled task gets no token and begins no refresh`() async {
        let counter = Counter()
        let authenticator = TokenAuthenticator { _ in Token("t\(counter.next())") }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await sent(authenticator)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(counter.value == 0)
    }

    @Test func `a token that the owner sets serves those that wait, and outlives the refresh`() async throws {
        let gate = Gate()
        let authenticator = TokenAuthenticator { _ in
            await gate.pass()
            return Token("refreshed")
        }
        let waiting = Task { try await sent(authenticator) }
        await gate.waitForVisitor()
        authenticator.token = Token("owner's")
        #expect(try await waiting.value == "Bearer owner's")
        await gate.open()
        await gate.waitUntilLeft()
        #expect(authenticator.token == Token("owner's"))
    }

    @Test func `signing out cancels those that wait, and no refresh brings the token back`() async throws {
        let gate = Gate()
        let counter = Counter()
        let authenticator = TokenAuthenticator { _ in
            await gate.pass()
            return Token("t\(counter.next())")
        }
        let waiting = Task { try await sent(authenticator) }
        await gate.waitForVisitor()
        authenticator.token = nil
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await gate.open()
        await gate.waitUntilLeft()
        #expect(authenticator.token == nil)
    }

    @Test func `what a refresh sends through the same authenticator goes without the token`() async throws {
        let box = Lock<TokenAuthenticator?>(nil)
        let request = request
        let authenticator = TokenAuthenticator(Token("old", expiresAt: .distantPast)) { _ in
            let own = try #require(box.withLock { $0 })
            // Started as a run starts its attempts: in a task of their own.
            let inner = try await Task { try await own.authenticate(request) }.value
            #expect(inner.headers[.authorization] == nil)
            let again = try await own.refresh(
                after: TransportResponse(statusCode: 401),
                to: TransportRequest(url: request.url, headers: [.authorization: "Bearer old"]))
            #expect(!again)
            return Token("new")
        }
        box.withLock { $0 = authenticator }
        #expect(try await sent(authenticator) == "Bearer new")
        _ = box.withLock { box -> TokenAuthenticator? in
            defer { box = nil }
            return box
        }
    }

    @Test func `an authenticator is let go of, also while it waits for a token`() async throws {
        weak var weakly: TokenAuthenticator?
        let gate = Gate()
        do {
            let authenticator = TokenAuthenticator { _ in
                await gate.pass()
                return Token("t")
            }
            weakly = authenticator
            let waiting = Task { try await sent(authenticator) }
            await gate.waitForVisitor()
            await gate.open()
            #expect(try await waiting.value == "Bearer t")
        }
        #expect(weakly == nil)
    }

    @Test func `a description does not show the token`() throws {
        let token = Token("s3cret", expiresAt: epoch)
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), dumped, "\([token])", "\(Optional(token) as Any)"] {
            #expect(!text.contains("s3cret"), "\(text)")
        }
        #expect(try JSONDecoder().decode(Token.self, from: JSONEncoder().encode(token)) == token)
    }

    @Test func `many tasks with refused, set and cancelled tokens all come to an end`() async {
        let counter = Counter()
        let authenticator = TokenAuthenticator(Token("start")) { _ in
            await Task.yield()
            let number = counter.next()
            guard number % 5 != 4 else { throw Refused() }
            return Token("t\(number)")
        }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                group.addTask {
                    switch number % 8 {
                    case 0: authenticator.token = number % 16 == 0 ? nil : Token("owner's \(number)")
                    case 1:
                        let task = Task { try await sent(authenticator) }
                        task.cancel()
                        _ = await task.result
                    default:
                        guard let header = try? await sent(authenticator) else { return }
                        let (response, request) = refused(with: header)
                        _ = try? await authenticator.refresh(after: response, to: request)
                    }
                }
            }
        }
    }
}
