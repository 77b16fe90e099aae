import Dispatch
import Foundation
import OmbiCore
import TestSupport

@testable import OmbiWorkspace

/// A folder with a collection of somebody else, a server that it may use, and one that it may not.
final class Stranger {
    static let secret = "S3CRET/47+11=x"
    static let environment = [
        "TOK": secret, "NAME": "X-Named", "OTHER": "0THER/s3cret", "NETRC": ".netrc",
        "AWS_SHARED_CREDENTIALS_FILE": ".aws/credentials", "AWS_CONFIG_FILE": ".aws/config",
    ]

    let folder: String
    let good: LoopbackServer
    let evil: LoopbackServer
    let store: GrantStore
    var gate: OmbiWorkspace.Gate

    init(_ good: @escaping LoopbackServer.Handler = { _ in .ok("{}") }) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "stranger-" + UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder + "/shop", withIntermediateDirectories: true)
        let evil = try LoopbackServer { _ in .ok("{\"access_token\":\"evil\",\"token_type\":\"Bearer\"}") }
        self.good = try LoopbackServer(good)
        self.evil = evil
        store = GrantStore(path: folder + "/state/trust.json")
        gate = OmbiWorkspace.Gate(store: store)
    }

    func remove() {
        good.stop()
        evil.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    var file: String { folder + "/shop/c.json" }

    /// `GOOD` and `EVIL` in a text are the servers, `GOODPORT` and `EVILPORT` their ports, `HOME` the folder above.
    func write(_ text: String, to name: String = "c.json") throws {
        let path = folder + "/shop/" + name
        try? FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try filled(text).write(toFile: path, atomically: true, encoding: .utf8)
    }

    func filled(_ text: String) -> String {
        text.replacing("GOODPORT", with: "\(good.port)").replacing("EVILPORT", with: "\(evil.port)")
            .replacing("GOOD", with: good.host).replacing("EVIL", with: evil.host).replacing("ABOVE", with: folder)
    }

    struct Broken: Error, CustomStringConvertible { var description: String }

    func collection() throws -> OmbiWorkspace.Collection {
        let loaded = CollectionFile.load(file)
        guard let collection = loaded.collection else { throw Broken(description: "\(loaded.problems)") }
        return collection
    }

    func steps() -> SessionSteps {
        var steps = SessionSteps()
        steps.gate = gate
        return steps
    }

    func session(_ steps: SessionSteps? = nil) -> Session {
        Session(
            transport: CurlTransport(),
            secrets: { folder in
                var reader = SecretReader.system(folder: folder)
                reader.environment = { Self.environment[$0] }
                return reader
            }, steps: steps ?? self.steps())
    }

    /// Sends a request, the first of the file or one by its name.
    @discardableResult
    func send(_ name: String? = nil, _ session: Session? = nil, environment: String? = nil) async throws
        -> SessionResult
    {
        let collection = try collection()
        guard
            let request = name.map({ name in collection.requests.first { $0.name == name } })
                ?? collection.requests.first
        else { throw Broken(description: "no request") }
        let order = RunOrder(
            id: 1, request: request, collection: collection,
            environment: environment ?? collection.defaultEnvironment?.name, file: file)
        for case .ended(let result) in await (session ?? self.session()).events(of: order) { return result }
        throw Broken(description: "no end")
    }

    /// Grants all that the file says now.
    func trust() throws {
        let flows = session().flows(of: try collection(), file: file)
        if let question = gate.question(about: flows, of: file) { try gate.grant(question, .allowed) }
    }

    /// The forms of a secret that a server got.
    static func leaks(_ server: LoopbackServer, _ secret: String = secret) -> [String] {
        let forms = [
            secret, Data(secret.utf8).base64EncodedString(), PercentEncoding.escapeParameter(secret),
            PercentEncoding.escapeForm(secret), secret.replacing("/", with: "\\/"),
            Data("u:\(secret)".utf8).base64EncodedString(),
        ]
        return server.requests.flatMap { request -> [String] in
            let all = "\(request.method) \(request.target) \(request.headers) " + request.text
            return forms.filter { all.contains($0) }
        }
    }

    // MARK: The file

    static let token = #""secrets":{"token":{"env":"TOK"}}"#

    static func file(
        host: String = "GOOD", environment: String = token,
        request: String = #""headers":[{"name":"X","value":"{{token}}"}]"#,
        path: String = "/", more: String = ""
    ) -> String {
        """
        {"version":1,"name":"c"\(more),"environments":[{"name":"e","host":"\(host)"\(environment.isEmpty ? "" : ","+environment)}],
         "items":[{"request":"r","path":"\(path)"\(request.isEmpty ? "" : ","+request)}]}
        """
    }
}
