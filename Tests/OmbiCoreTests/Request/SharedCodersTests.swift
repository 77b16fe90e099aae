import Foundation
import OmbiCore
import Testing

private protocol StoreRequest: HTTPRequest {}

extension StoreRequest {
    var jsonEncoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
    var jsonDecoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}

/// Coders of JSON that all requests of an API share: nothing but JSON is concerned.
@Suite struct SharedCodersTests {
    struct Item: Codable, Sendable, Equatable {
        var itemName = "tea"
    }

    private struct Put<Body: Codable & Sendable>: StoreRequest {
        typealias RequestBody = Body
        typealias ResponseBody = Body

        let body: Body
        let path = "/"
        let method = RequestMethod.put
    }

    private struct Delete: StoreRequest {
        typealias ResponseBody = NoBody
        let path = "/"
        let method = RequestMethod.delete
    }

    private struct Text: StoreRequest {
        typealias RequestBody = String
        typealias ResponseBody = String
        let body = "\"plain_text\""
        let path = "/"
        let method = RequestMethod.put
    }

    private struct Bytes: StoreRequest {
        typealias RequestBody = Data
        typealias ResponseBody = Data
        let body = Data("a_b".utf8)
        let path = "/"
        let method = RequestMethod.put
    }

    private struct Own: StoreRequest {
        typealias ResponseBody = Item
        let path = "/"
        let method = RequestMethod.get
        var responseDecoder: BodyDecoder<Item> { .json() }
    }

    private let manager = RequestManager(
        host: "http://stub.test",
        transport: StubTransport { .response(data: $0.body ?? Data(#"{"itemName":"x"}"#.utf8)) })

    private func sent(_ request: some Requestable) throws -> String? {
        try manager.buildRequest(for: request).body.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `JSON has the strategies of the API, both ways and behind wrappers`() async throws {
        let put = Put(body: Item())
        #expect(try sent(put) == #"{"item_name":"tea"}"#)
        #expect(try sent(AnyRequestable(put)) == #"{"item_name":"tea"}"#)
        #expect(try await manager.value(for: put) == Item())
        #expect(try await manager.value(for: AnyRequestable(put)) == Item())
        #expect(try await manager.value(for: Put(body: [Item()])) == [Item()])
    }

    @Test func `other bodies, and decoders of their own, are as without them`() async throws {
        #expect(try await manager.response(for: Delete()).body == nil)
        #expect(try sent(Text()) == "\"plain_text\"")
        #expect(try await manager.value(for: Text()) == "\"plain_text\"")
        #expect(try await manager.value(for: Bytes()) == Data("a_b".utf8))
        #expect(try await manager.value(for: Own()) == Item(itemName: "x"))
    }
}
