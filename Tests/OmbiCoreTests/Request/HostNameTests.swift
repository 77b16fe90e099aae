import Testing

@testable import OmbiCore

@Suite struct HostNameTests {
    @Test(arguments: [
        ("bücher.localhost", "xn--bcher-kva.localhost"), ("BÜCHER.example", "xn--bcher-kva.example"),
        ("bu\u{308}cher.example", "xn--bcher-kva.example"), ("b%C3%BCcher.example", "xn--bcher-kva.example"),
        ("faß.de", "xn--fa-hia.de"), ("例え。テスト", "xn--r8jz45g.xn--zckzah"), ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
        ("пример.испытание", "xn--e1afmkfd.xn--80akhbyknj4f"), ("ελληνικά.gr", "xn--hxargifdar.gr"),
        ("☃.net", "xn--n3h.net"), ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
        ("ليهمابتكلموشعربي؟", "xn--egbpdaj6bu4bxfgehfvwxn"), ("münchen-ost.de", "xn--mnchen-ost-9db.de"),
        ("a.ü.b", "a.xn--tda.b"), ("api.example.com", "api.example.com"), ("API.example.com", "API.example.com"),
        ("[fe80::1%25eth0]", "[fe80::1%25eth0]"), ("%FF.example", "%FF.example"), ("a%41.example", "a%41.example"),
        ("ｅｘａｍｐｌｅ．ＣＯＭ", "example.com"), ("ａ－１.Ｂ", "a-1.b"), ("ｂü.example", "xn--b-eha.example"),
        ("é%2Fx.example", "é%2Fx.example"), ("é%40x.example", "é%40x.example"), ("é.example%20", "é.example%20"),
        ("é%0A", "é%0A"), ("é%25", "é%25"), ("", ""), ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("❤\u{FE0F}.ws", "xn--qei.ws"), ("münchen\u{AD}.de", "xn--mnchen-3ya.de"), ("ex\u{AD}ample.de", "example.de"),
        ("bü\u{200B}cher.example", "xn--bcher-kva.example"), ("\u{2060}ü.de\u{FEFF}", "xn--tda.de"),
        ("क्\u{200D}ष.example", "xn--11b2ezcw70k.example"), ("a\u{200D}b.example", "ab.example"),
        ("a\u{200C}b.example", "ab.example"), ("نامه\u{200C}ای.com", "xn--mgba3gch31f060k.com"),
        ("ΣΊΣΥΦΟΣ.gr", "xn--kxa6akbbkh.gr"), ("σίσυφος.gr", "xn--kxa6ajbbmh.gr"), ("ĳs.nl", "ijs.nl"),
        ("\u{E17}\u{E33}.example", "xn--o3c8c0d.example"),
    ])
    func `a host is sent in ASCII, whatever the locale`(host: String, ascii: String) {
        #expect(HostName.ascii(host) == ascii)
    }

    @Test(arguments: [
        ("http://ü.de", "http://xn--tda.de"), ("https://me:pä@ü.de:8443/ü?ü", "https://me:pä@xn--tda.de:8443/ü?ü"),
        ("wss://ü.de/x", "wss://xn--tda.de/x"), ("http://a.de/ü", "http://a.de/ü"),
    ])
    func `only the host of a URL changes`(url: String, ascii: String) {
        #expect(HostName.ascii(in: url) == ascii)
    }

    /// As libidn2 replaces them, so that curl sends to another host than Punycode of these characters would name.
    @Test(arguments: ["ﬁsch.de", "①.de", "ⅷ.de", "x².de", "ŀ.de", "ｶ.jp", "a℀b.de", "a？b.de", "ﬀ%C3%BC.de", "㎏.de"])
    func `a character that stands for others is refused, with its name`(host: String) {
        #expect(HostName.replaced(in: host) != nil && Origin("http://\(host)") == nil)
        let error = #expect(throws: MalformedRequest.self) { try RequestHost("http://\(host)/x") }
        #expect(error?.reason.contains("which stands for other characters") == true)
        #expect(HostName.replaced(in: "bücher.example") == nil && HostName.replaced(in: "faß.ς.例え。テスト") == nil)
    }

    @Test func `both forms of a host are one origin`() {
        #expect(Origin("https://bücher.example") == Origin("https://xn--bcher-kva.example:443/x"))
    }

    @Test func `a request goes to the ASCII form`() throws {
        #expect(
            try RequestHost("http://bücher.example:81/ü").url(path: "/x", query: []).absoluteString
                == "http://xn--bcher-kva.example:81/%C3%BC/x")
    }
}
