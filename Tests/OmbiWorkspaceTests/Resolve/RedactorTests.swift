import Foundation
import Testing

@testable import OmbiWorkspace

@Suite struct RedactorTests {
    private let mask = Redactor.mask

    @Test(arguments: [
        "pä/ss \"w\\ord+~*&", "x", "token-123", "日本/語", "line\nbreak",
    ])
    func `a secret is masked in all its forms`(secret: String) throws {
        let redactor = Redactor([secret])
        let unreserved = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        let percent = try #require(secret.addingPercentEncoding(withAllowedCharacters: unreserved))
        var forms = [secret, percent, Data(secret.utf8).base64EncodedString()]
        forms.append(percent.replacing(/%../) { $0.output.lowercased() })
        forms.append(percent.replacing("%20", with: "+").replacing("~", with: "%7E").replacing("%2A", with: "*"))
        for options in [[.fragmentsAllowed, .withoutEscapingSlashes], [.fragmentsAllowed]]
            as [JSONSerialization.WritingOptions]
        {
            let quoted = String(
                decoding: try JSONSerialization.data(withJSONObject: secret, options: options), as: UTF8.self)
            forms.append(String(quoted.dropFirst().dropLast()))
        }
        for form in forms {
            let redacted = redactor.redact("<\(form)>")
            #expect(redacted == "<\(mask)>", "\(form)")
        }
        #expect(redactor.redact(Data("a\(secret)b".utf8)) == Data("a\(mask)b".utf8))
    }

    @Test func `escapes of other writers are masked`() {
        let redactor = Redactor(["pä😀/"])
        #expect(redactor.redact("\"p\\u00e4\\ud83d\\ude00\\/\"") == "\"\(mask)\"")
        #expect(redactor.redact("\"p\\u00e4\\ud83d\\ude00/\"") == "\"\(mask)\"")
    }

    @Test func `secrets that overlap leave no end behind`() {
        #expect(Redactor(["abc", "cde"]).redact("xabcdey") == "x\(mask)y")
        #expect(Redactor(["ab", "abcd"]).redact("abcd ab") == "\(mask) \(mask)")
        #expect(Redactor(["aa"]).redact("aaa") == mask)
        #expect(Redactor(["abcd", "bc"]).redact("abcd") == mask)
    }

    @Test func `what is no secret stays`() {
        #expect(Redactor().redact("text") == "text")
        #expect(Redactor([""]).redact("text") == "text")
        #expect(Redactor(["secret"]).redact("secre t") == "secre t")
    }

    @Test func `a redactor does not tell its secrets`() {
        var dumped = ""
        dump(Redactor(["hunter2"]), to: &dumped)
        #expect(!dumped.contains("hunter2") && !"\(Redactor(["hunter2"]))".contains("hunter2"))
        #expect(!dumped.contains("104"))
    }
}
