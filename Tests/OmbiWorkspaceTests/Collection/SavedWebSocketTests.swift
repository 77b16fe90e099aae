import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

/// WebSockets in collection files, and as they are resolved.
@Suite struct SavedWebSocketTests {
    private static func collection(_ request: String) -> String {
        """
        {
          "version": 1,
          "name": "c",
          "variables": { "who": "Ada" },
          "environments": [
            { "name": "local", "host": "https://api.test/v1" }
          ],
          "items": [
            \(request)
          ]
        }

        """
    }

    private static func request(_ text: String) throws -> (Collection, SavedRequest) {
        let read = CollectionFile.read(Array(collection(text).utf8), file: "c.json")
        let collection = try #require(read.collection, "\(read.problems)")
        guard case .request(let request)? = collection.items.first else { throw CancellationError() }
        return (collection, request)
    }

    private static func resolve(_ text: String) throws -> ResolvedRequest {
        let (collection, request) = try request(text)
        let secrets = SecretReader(environment: { _ in nil }, file: { _ in [] })
        return try Resolver(
            collection: collection, environment: collection.environments.first, secrets: secrets
        ).resolve(request)
    }

    @Test func `exports say that they cannot hold a WebSocket`() throws {
        let (collection, request) = try Self.request(#"{"request":"r\n","path":"/s","webSocket":{}}"#)
        let order = RunOrder(id: 1, request: request, collection: collection, environment: "local", file: "c.json")
        let curl = "# r\\n is a WebSocket: curl does not send its messages"
        #expect(order.shownCurl == curl)
        #expect(try Session().curlCommand(for: order) == curl)
        #expect(order.swiftCode == "// r\\n is a WebSocket: RequestManager.webSocket(for:) opens one")
    }

    @Test func `subprotocols and messages are read and written, unknown keys are kept`() throws {
        let text = #"""
            {"request":"r","path":"/s","webSocket":{"subprotocols":["v2"],"messages":[{"name":"a","text":"b","x":1}],"y":2}}
            """#
        let (_, request) = try Self.request(text)
        #expect(request.webSocket?.subprotocols == ["v2"])
        #expect(request.webSocket?.messages.map(\.name) == ["a"])
        #expect(
            request.json.compact.contains(
                #""webSocket":{"subprotocols":["v2"],"messages":[{"name":"a","text":"b","x":1}],"y":2}"#))
        #expect(request.isWebSocket)
    }

    @Test func `mistakes are errors with their place`() {
        let text = #"{"request":"r","path":"/s","webSocket":{"subprotocols":[1],"messages":[{"name":"a"}]}}"#
        let read = CollectionFile.read(Array(Self.collection(text).utf8), file: "c.json")
        #expect(read.collection == nil)
        #expect(
            read.problems.map(\.message) == [
                "\"subprotocols\": expected the name of a subprotocol", "missing key \"text\"",
            ])
    }

    @Test func `a path with ws or wss is a WebSocket, with the address of its handshake`() throws {
        let plain = try Self.resolve(#"{"request":"r","path":"ws://other.test:81/s?a=1"}"#)
        #expect(plain.webSocket == ResolvedWebSocket() && plain.host == "http://other.test:81" && plain.isForeign)
        #expect(PreparedRequest(plain).url == "ws://other.test:81/s?a=1")
        let secure = try Self.resolve(#"{"request":"r","path":"WSS://api.test/s"}"#)
        #expect(secure.host == "https://api.test" && !secure.isForeign)
        #expect(try Self.resolve(#"{"request":"r","path":"/s"}"#).webSocket == nil)
    }

    @Test func `messages are filled in`() throws {
        let resolved = try Self.resolve(
            #"{"request":"r","path":"/s","webSocket":{"messages":[{"name":"a","text":"hi {{who}}"}]}}"#)
        #expect(resolved.webSocket?.messages == [SavedMessage(name: "a", text: "hi Ada")])
        #expect(PreparedRequest(resolved).url == "wss://api.test/v1/s")
        #expect(throws: ResolveError.self) {
            try Self.resolve(#"{"request":"r","path":"/s","webSocket":{"messages":[{"name":"a","text":"{{no}}"}]}}"#)
        }
    }

    @Test(arguments: [
        #""webSocket":{"subprotocols":["a b"]}"#, #""webSocket":{"subprotocols":["a","a"]}"#, #""method":"CONNECT""#,
    ])
    func `what cannot be asked for is an error before anything is sent`(members: String) {
        #expect(throws: ResolveError.self) { try Self.resolve(#"{"request":"r","path":"/s",\#(members)}"#) }
    }

    @Test func `another method or a body is an error`() {
        #expect(throws: ResolveError.self) {
            try Self.resolve(#"{"request":"r","method":"POST","path":"/s","webSocket":{}}"#)
        }
    }
}
