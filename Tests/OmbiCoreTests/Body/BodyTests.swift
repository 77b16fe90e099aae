import Foundation
import OmbiCore
import Testing

@Suite struct BodyTests {
    @Test func `JSON goes there and back`() throws {
        let value: AnyJSON = ["a": [1, 2.5, true, nil, "x"], "b": ["c": -9_007_199_254_740_993]]
        let data = try #require(try BodyEncoder<AnyJSON>.default.encode(value))
        #expect(try BodyDecoder<AnyJSON>.default.decode(data) == value)
        #expect(value["b"]?["c"]?.intValue == -9_007_199_254_740_993)
        #expect(value["a"]?[2]?.boolValue == true)
        #expect(value["a"]?[9] == nil && value["x"] == nil && value["a"]?["x"] == nil)
    }

    @Test(arguments: [("null", AnyJSON.null), ("3", 3), (#""x""#, "x"), ("[]", [])] as [(String, AnyJSON)])
    func `a fragment is a value`(text: String, value: AnyJSON) throws {
        #expect(try BodyDecoder<AnyJSON>.default.decode(Data(text.utf8)) == value)
    }

    @Test func `a form escapes its values`() {
        let form: RequestParameters = ["a&b": "1=2+3 ä", "n": 3, "d": 1.5, "f": true]
        #expect(form.encoded == "a%26b=1%3D2%2B3%20%C3%A4&n=3&d=1.5&f=true")
        #expect(RequestParameters(encoded: "a%26b=1%3D2%2B3+%C3%A4&n")["a&b"] == "1=2+3 ä")
        #expect(form["n"] == 3)
    }

    @Test func `bytes that are no text are an error`() {
        #expect(throws: CodingFailure.self) { try BodyDecoder<String>.default.decode(Data([0xFF, 0xFE])) }
    }

    @Test func `a multipart form is written in parts`() throws {
        let form = MultipartForm(
            parts: [
                .init(value: "v", name: "a\"b"),
                .init(data: Data("<x/>".utf8), name: "file", mimeType: "text/xml", fileName: "x.xml"),
            ], boundary: "B")
        let expected = [
            "--B", "Content-Disposition: form-data; name=\"a%22b\"", "", "v", "--B",
            "Content-Disposition: form-data; name=\"file\"; filename=\"x.xml\"", "Content-Type: text/xml", "", "<x/>",
            "--B--", "",
        ].joined(separator: "\r\n")
        #expect(String(decoding: try form.encoded, as: UTF8.self) == expected)
        let encoded = try #require(try BodyEncoder<MultipartForm>.default.encodedBody(form))
        #expect(
            encoded.contentType == "multipart/form-data; boundary=B" && encoded.stream?.length == expected.utf8.count)
        #expect(try BodyEncoder<MultipartForm>.default.encode(form) == Data(expected.utf8))
    }
}
