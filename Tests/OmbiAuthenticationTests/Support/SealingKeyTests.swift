import Foundation
import Testing

@testable import OmbiAuthentication

/// Data that only the owner of a key can read.
@Suite struct SealingKeyTests {
    private let data = Data("a token".utf8)

    @Test func `what is sealed is opened with the same key and name`() throws {
        let key = SealingKey()
        let sealed = try #require(key.seal(data, as: "one"))
        #expect(sealed.range(of: data) == nil && key.seal(data, as: "one") != sealed, "no two are alike")
        #expect(try #require(SealingKey(text: key.text)).open(sealed, as: "one") == data)
        #expect(key.open(sealed, as: "two") == nil)
        #expect(SealingKey().open(sealed, as: "one") == nil)
    }

    @Test func `a changed byte is noticed, wherever it is`() throws {
        let key = SealingKey()
        let sealed = try #require(key.seal(data, as: "one"))
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(key.open(changed, as: "one") == nil)
        }
        #expect(key.open(Data(), as: "one") == nil && key.open(sealed.prefix(20), as: "one") == nil)
    }

    @Test(arguments: ["", "x", "AAAA"]) func `a text that is no key is none`(text: String) {
        #expect(SealingKey(text: text) == nil)
    }

    @Test func `a key is not printed`() {
        let key = SealingKey()
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key)" == "sealing key" && !dumped.contains(key.text))
    }
}
