import Foundation
import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Exported code that is run: what arrives at a server is what Ombi sends.
@Suite struct ExportRunTests {
    private static let environment = Environment(
        name: "local", host: "HOST/v1", additionalHeaders: [Field("X-Env", "{{TOKEN}}")],
        variables: [
            Variable("odd", "100%?#%41 %é~!()*"), Variable("id", "a/b c"),
            Variable("text", "it's \"q\" é\n\t\u{1}9 ${id} `x` \u{2028}"),
        ])

    private static let requests =
        CurlExportTests.requests + [
            SavedRequest(
                name: "values", method: .put, path: "/users/:id", pathParameters: [Field("id", "{{text}}")],
                query: [Field("q", "{{text}}")], headers: [Field("X-Id", "é {{id}}")],
                body: .json(JSONContent(.object([.init("a", .string("\"{{text}}\""))])))),
            SavedRequest(
                name: "odd values", method: .post, path: "/p/{{odd}}", query: [Field("q", "{{odd}}")],
                body: .form(FormContent([Field("{{odd}}", "{{odd}}")]))),
            SavedRequest(
                name: "key", path: "/k?a=1",
                authentication: .apiKey(APIKeyAuthentication(name: "key", value: "{{TOKEN}}&", location: .query))),
            SavedRequest(name: "spaces", path: "/s", headers: [Field("X-S", " \ta  b"), Field("X-T", " {{TOKEN}}")]),
            SavedRequest(
                name: "unicode user", path: "/u",
                authentication: .basic(BasicAuthentication(username: "zoë", password: "{{text}}"))),
            // With a mark behind it, a sign is another character.
            SavedRequest(
                name: "marks", method: .post, path: "/m?\u{301}q=\u{301}&\u{301}r=1",
                headers: [Field("X-At", "@\u{301}f"), Field("X-Blank", " ")],
                body: .text(TextContent("\u{301}\"\u{301}'\u{301}\\\u{301}"))),
            SavedRequest(
                name: "marks of parts", method: .post, path: "/m",
                body: .multipart(
                    MultipartContent([
                        MultipartPart("-\u{301}z", .text("@\u{301}")), MultipartPart("=\u{301}", .text("=\u{301}")),
                    ]))),
        ]

    private static let hasRequests = FileManager.default.fileExists(
        atPath: "/usr/lib/python3/dist-packages/requests/__init__.py")

    @Test(
        .enabled(if: ChildProgram.find("python3") != nil && hasRequests, "apt-get install python3-requests"),
        arguments: requests)
    func `Python sends what Ombi sends`(_ request: SavedRequest) async throws {
        try await compare(request, "python", run: "python3 -", isVariable: false)
        try await compare(request, "python", run: "python3 -", isVariable: true)
    }

    @Test(.enabled(if: ChildProgram.find("node") != nil, "apt-get install nodejs"), arguments: requests)
    func `Node.js sends what Ombi sends`(_ request: SavedRequest) async throws {
        try await compare(request, "fetch", run: "node --input-type=module -", isVariable: false)
        try await compare(request, "fetch", run: "node --input-type=module -", isVariable: true)
    }

    @Test(
        .enabled(if: ChildProgram.find("node") != nil, "apt-get install nodejs"), arguments: ["zo%C3%AB:p%3A+%40", "u"])
    func `Node.js sends the user of a URL`(_ user: String) async throws {
        let request = SavedRequest(name: "user", path: "http://\(user)@AUTHORITY/u?a=@")
        try await compare(request, "fetch", run: "node --input-type=module -", isVariable: false)
    }

    @Test(.enabled(if: ChildProgram.find("http") != nil, "apt-get install httpie"), arguments: requests)
    func `HTTPie sends what Ombi sends`(_ request: SavedRequest) async throws {
        try await compare(request, "httpie", run: "bash -", isVariable: false)
    }

    @Test(.enabled(if: ChildProgram.find("node") != nil, "apt-get install nodejs"))
    func `a script of k6 sends what Ombi sends, with stand-ins for its modules`() async throws {
        try await compareScript("k6", run: "cat > load.mjs && node send.mjs")
    }

    private static let locust = ChildProgram.interpreter(of: "locust")

    @Test(.enabled(if: locust != nil, "pip install locust"))
    func `a user of Locust sends what Ombi sends`() async throws {
        let python = try #require(Self.locust)
        try await compareScript("locust", run: "cat > load.py && '\(python)' send.py")
    }

    /// Starts one user of `load.py`, who sends each request once.
    private static let user = """
        import sys

        import locust.env

        sys.path.insert(0, ".")
        import load

        user = load.OmbiUser(locust.env.Environment(user_classes=[load.OmbiUser]))
        user.on_start()
        user.iteration()
        """

    /// Runs one script for all requests that it can express, and each of them itself.
    private func compareScript(_ name: String, run command: String) async throws {
        let server = try LoopbackServer { _ in .ok("{}") }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        _ = try folder.file("note.txt", "a note\r\n")
        _ = try folder.file("send.py", Self.user)
        try K6StandIn.write(into: folder)
        let exporter = try #require(Exporter.named(name))
        let orders = Self.orders(for: server, in: folder.path).filter { order in
            Session.exported([order], as: exporter).losses.allSatisfy { loss in
                loss.contains("paths of files start") || loss.contains("redirects are not followed, as they")
            }
        }
        let session = Session(overrides: Overrides(variables: [Variable("TOKEN", CurlJudgeTests.token)]))
        for order in orders { _ = await session.events(of: order) }
        let script = Session.exported(orders, as: exporter).text
        let bash = try #require(ChildProgram.find("bash"))
        let result = try await ChildProgram.run(
            bash, ["-c", "cd '\(folder.path)' && \(command)"], input: script,
            environment: Self.variables(in: folder.path))
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        let arrived = server.requests.map(Self.form)
        try #require(orders.count > 15 && arrived.count == 2 * orders.count, "\(arrived.count): \(result.errors)")
        for (sent, got) in zip(arrived.prefix(orders.count), arrived.dropFirst(orders.count)) {
            #expect([got.method, got.target, got.body] == [sent.method, sent.target, sent.body])
            for (header, value) in sent.headers { #expect(got.headers[header] == value, "\(header): \(sent)") }
        }
    }

    private static func orders(for server: LoopbackServer, in folder: String) -> [RunOrder] {
        var environment = environment
        environment.host = environment.host.replacing("HOST", with: server.host)
        let collection = Collection(name: "c", environments: [environment])
        return requests.enumerated().map { index, request in
            var request = request
            request.path = request.path.replacing("HOST", with: server.host)
            return RunOrder(
                id: index + 1, request: request, collection: collection, environment: "local",
                file: folder + "/c.json")
        }
    }

    /// The variables of an exported program.
    private static func variables(in folder: String) -> [String: String] {
        let own = Dictionary(
            environment.variables.map { ($0.name.uppercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        return own.merging(
            [
                "TOKEN": CurlJudgeTests.token, "no_proxy": "*", "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder,
            ]
        ) { $1 }
    }

    /// Runs an export and the request itself, unless the export has losses.
    /// - Parameter isVariable: true to export the request as it is saved, with its values in the environment.
    private func compare(
        _ request: SavedRequest, _ name: String, run command: String, isVariable: Bool
    ) async throws {
        let server = try LoopbackServer { _ in .ok("{}") }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        _ = try folder.file("note.txt", "a note\r\n")
        var (request, environment) = (request, Self.environment)
        request.path = request.path.replacing("HOST", with: server.host)
            .replacing("AUTHORITY", with: server.host.dropFirst("http://".count))
        environment.host = environment.host.replacing("HOST", with: server.host)
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]),
            environment: "local", file: folder.path + "/c.json")
        let session = Session(overrides: Overrides(variables: [Variable("TOKEN", CurlJudgeTests.token)]))
        let exporter = try #require(Exporter.named(name))
        let exported =
            isVariable
            ? Session.exported([order], as: exporter)
            : try session.filledExport(of: [order], as: exporter, revealsSecrets: true)
        guard exported.losses.allSatisfy({ $0.contains("paths of files start") }) else { return }

        _ = await session.events(of: order)
        let bash = try #require(ChildProgram.find("bash"))
        let result = try await ChildProgram.run(
            bash, ["-c", "cd '\(folder.path)' && \(command)"], input: exported.text,
            environment: Self.variables(in: folder.path))
        #expect(result.status == 0, "\(exported.text)\n\(result.errors)")
        let arrived = server.requests
        try #require(arrived.count == 2, "\(exported.text)\n\(result.errors)")
        let (sent, got) = (Self.form(arrived[0]), Self.form(arrived[1]))
        #expect([got.method, got.target, got.body] == [sent.method, sent.target, sent.body], "\(exported.text)")
        for (header, value) in sent.headers { #expect(got.headers[header] == value, "\(header): \(exported.text)") }
    }

    /// Each program names itself and what it accepts.
    private static func form(_ request: LoopbackRequest) -> WireForm {
        var form = WireForm(request)
        for name in ["user-agent", "accept", "accept-encoding", "accept-language", "connection"] {
            form.headers[name] = nil
        }
        let path = form.target.prefix { $0 != "?" }
        form.target = unescaped(path, but: "/?#%") + unescaped(form.target[path.endIndex...], but: "&=+#%")
        return form
    }

    /// Returns a part of a URL without the escapes that change nothing: each program has its own.
    private static func unescaped(_ text: Substring, but kept: String) -> String {
        var (result, bytes) = ([UInt8](), Array(text.utf8)[...])
        while let byte = bytes.popFirst() {
            let digits = String(decoding: bytes.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), let value = UInt8(digits, radix: 16), !kept.utf8.contains(value) {
                result.append(value)
                bytes = bytes.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
