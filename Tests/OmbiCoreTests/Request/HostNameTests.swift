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
        ("", ""), ("xn--bcher-kva.example", "xn--bcher-kva.example"),
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

    @Test func `both forms of a host are one origin`() {
        #expect(Origin("https://bücher.example") == Origin("https://xn--bcher-kva.example:443/x"))
    }

    @Test func `a request goes to the ASCII form`() throws {
        #expect(
            try RequestHost("http://bücher.example:81/ü").url(path: "/x", query: []).absoluteString
                == "http://xn--bcher-kva.example:81/%C3%BC/x")
    }
}
