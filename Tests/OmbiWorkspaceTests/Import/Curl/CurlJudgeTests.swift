import Foundation
import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// The program curl as a judge: a command that it runs, and the requests that Ombi imports from the command and sends,
/// arrive as the same at a server.
@Suite(.enabled(if: ChildProgram.find("curl") != nil, "curl is not installed: apt-get install curl"))
struct CurlJudgeTests {
    @Test(arguments: CurlCase.all) func `Ombi sends what curl sends`(_ sample: CurlCase) async throws {
        let folder = try TemporaryFolder()
        for (name, text) in CurlCase.files { _ = try folder.file(name, text) }
        let server = try LoopbackServer { _ in .ok("{}") }
        defer { server.stop() }
        let line = { (text: String) in
            text.replacing("HOST", with: server.host).replacing("ADDRESS", with: "127.0.0.1:\(server.port)")
        }

        let imported = try CurlImport.read(line(sample.line)) { path in
            (try? Data(contentsOf: URL(filePath: folder.path + "/" + path))).map(Array.init)
        }
        let losses = imported.losses
        #expect(
            losses.count == sample.losses.count
                && zip(losses, sample.losses).allSatisfy { $0.subject.hasPrefix($1) },
            "\(losses)")
        guard sample.isSent else { return }

        let expected = try await Self.run(line(sample.bash), in: folder.path, to: server)
        let sent = try await Self.send(imported.requests, in: folder.path, to: server).dropFirst(expected.count)
        #expect(!expected.isEmpty && sent.count == expected.count)
        for (wanted, got) in zip(expected, sent) {
            let wanted = WireForm(wanted)
            #expect(WireForm(got, besides: wanted) == wanted)
        }
    }

    @Test func `there are more than 150 command lines`() { #expect(CurlCase.all.count >= 150) }

    static let token = "t0-k_n"

    /// Runs a command to its end, also what it leaves to the background (`&`), and returns the requests that came in.
    static func run(_ line: String, in folder: String, to server: LoopbackServer) async throws -> [LoopbackRequest] {
        let bash = try #require(ChildProgram.find("bash"))
        let result = try await ChildProgram.run(
            bash, ["-c", "cd '\(folder)'\n\(line)\nstatus=$?; wait; exit $status"],
            environment: ["TOKEN": token, "no_proxy": "*"])
        #expect(result.status == 0, "\(result)")
        return server.requests
    }

    /// Sends the requests in order, and returns all that came in.
    static func send(_ requests: [SavedRequest], in folder: String, to server: LoopbackServer) async throws
        -> [LoopbackRequest]
    {
        let session = Session(overrides: Overrides(variables: [Variable("TOKEN", token)]))
        // As in a file: only what is saved counts.
        let collection = Collection(name: "c", items: requests.map(CollectionItem.request))
        let (saved, problems) = CollectionFile.read(Array(collection.text.utf8), file: "c.json")
        #expect(!problems.contains { $0.severity == .error }, "\(problems)")
        for request in try #require(saved).requests {
            let order = RunOrder(
                id: 1, request: request, collection: collection, environment: nil, file: folder + "/c.json")
            guard case .ended(let result)? = await session.events(of: order).last, result.response != nil else {
                Issue.record("\(request.name) was not sent: \(await session.events(of: order))")
                continue
            }
        }
        return server.requests
    }
}

/// A request as far as curl and Ombi are to agree. The documented differences are set aside:
/// each program names itself, accepts encodings and languages, and counts the body; Ombi sends no `Accept: */*`, writes
/// JSON without white space, and escapes what no URL can hold.
struct WireForm: Equatable {
    var method: String
    var target: String
    var headers: [String: String]
    var body: String

    private static let own = ["accept-encoding", "accept-language", "user-agent", "accept", "content-length"]

    /// - Parameter other: the request of curl, whose fields are looked for.
    init(_ request: LoopbackRequest, besides other: WireForm? = nil) {
        method = request.method
        target = Self.escaped(request.target)
        headers = request.headers
        for name in Self.own where other == nil ? Self.isOwn(name, request) : other?.headers[name] == nil {
            headers[name] = nil
        }
        headers["content-length"] = nil
        // curl waits before it sends a file.
        headers["expect"] = nil
        body = request.text
        // Each program chooses a boundary.
        if let type = headers["content-type"], let mark = type.firstRange(of: "; boundary=") {
            headers["content-type"] = String(type[..<mark.lowerBound])
            body = body.replacing(type[mark.upperBound...], with: "BOUNDARY")
        }
        if request.headers["content-type"]?.contains("json") ?? false, let value = try? JSONValue.parse(body) {
            body = value.compact
        }
    }

    /// True for a field that curl sends unasked.
    private static func isOwn(_ name: String, _ request: LoopbackRequest) -> Bool {
        switch name {
        case "user-agent": request.headers[name]?.hasPrefix("curl/") ?? false
        case "accept": request.headers[name] == "*/*"
        case "accept-encoding": request.headers[name] == "deflate, gzip, br, zstd"
        default: false
        }
    }

    /// With escapes in upper case.
    private static func escaped(_ target: String) -> String {
        let target = target.replacing(/%[0-9a-f]{2}/.ignoresCase()) { String($0.output).uppercased() }
        return target.utf8.map { byte in
            let character = String(decoding: [byte], as: UTF8.self)
            return byte > 0x7E || "\"<>[\\]^`{|}".contains(character)
                ? "%" + String(byte, radix: 16, uppercase: true) : character
        }.joined()
    }
}
