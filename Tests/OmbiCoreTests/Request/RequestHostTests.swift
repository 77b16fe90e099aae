import Foundation
import Testing

@testable import OmbiCore

@Suite struct RequestHostTests {
    @Test(arguments: [
        ("http://h", "/b", "http://h/b"),
        ("http://h/a", "/b", "http://h/a/b"),
        ("http://h/a/", "/b", "http://h/a/b"),
        ("http://h/a", "b", "http://h/a/b"),
        ("http://h/a/", "", "http://h/a/"),
        ("http://h", "/", "http://h/"),
        ("  https://h:8443 ", "/x y", "https://h:8443/x%20y"),
        ("http://h", "/ü/%20/100%", "http://h/%C3%BC/%20/100%25"),
        ("http://h", "/a#b", "http://h/a%23b"),
        ("http://[::1]:80", "/a", "http://[::1]:80/a"),
        ("http://h", "/a?b=c d&e=1+1", "http://h/a?b=c%20d&e=1%2B1"),
        ("http://h/v1.5/", "data.json", "http://h/v1.5/data.json"), ("http://h", "/...", "http://h/..."),
        ("http://h", "/.a/b./a.b", "http://h/.a/b./a.b"), ("http://h/ü", "/a", "http://h/%C3%BC/a"),
        ("http://h", "a/b:c", "http://h/a/b:c"), ("http://h", "/https://x", "http://h/https://x"),
        ("http://h", "//b/k", "http://h//b/k"), ("http://h/a/", "//b", "http://h/a//b"),
        ("http://h", "1:2", "http://h/1:2"), ("http://h?k=a+b", "/a", "http://h/a?k=a%2Bb"),
        ("http://h/v1?k=1", "", "http://h/v1?k=1"), ("http://h/", "?x=1", "http://h/?x=1"),
    ])
    func `host and path are joined`(host: String, path: String, expected: String) throws {
        #expect(try RequestHost(host).url(path: path, query: []).absoluteString == expected)
    }

    @Test func `the query is escaped and keeps its order`() throws {
        let query = [
            URLQueryItem(name: "b", value: "1+1=2&x"), URLQueryItem(name: "a", value: "ä ö"),
            URLQueryItem(name: "flag", value: nil), URLQueryItem(name: "e", value: ""),
            URLQueryItem(name: "s", value: "a;b"),
        ]
        let url = try RequestHost("http://h").url(path: "/p?old=1", query: query)
        #expect(url.absoluteString == "http://h/p?b=1%2B1%3D2%26x&a=%C3%A4%20%C3%B6&flag&e=&s=a%3Bb")
    }

    @Test(arguments: [".", "..", "/.", "/..", "/./a", "/a/..", "/a/../b", "a/./b", "/ü/.", "/a b/..", "/a/..?x=1"])
    func `a segment of dots is refused`(path: String) {
        #expect(throws: MalformedRequest.self) { try RequestHost("http://h/v1").url(path: path, query: []) }
    }

    @Test(arguments: ["https://h/a", "mailto:a", "x-y+z.1:a", "localhost:80/a", "Http:/a"])
    func `a URL of its own is refused`(path: String) {
        let error = #expect(throws: MalformedRequest.self) { try RequestHost("http://h").url(path: path, query: []) }
        #expect(error?.part == .path && error?.reason.contains("make a RequestManager for that host") == true)
    }

    @Test(arguments: [
        ("", "the host is empty; write it as https://api.example.com"),
        (
            "localhost:8080",
            "the host \"localhost:8080\" does not begin with http:// or https://; write it as https://api.example.com"
        ),
        ("http://", "the host \"http://\" has no name after http://"),
        ("http://:80", "the host \"http://:80\" has no name after http://"),
        ("http://a b", "the host \"http://a b\" contains a character that no host name has"),
        ("http://{{host}}", "the host \"http://{{host}}\" contains a character that no host name has"),
        ("http://h:99999", "the port \"99999\" of the host \"http://h:99999\" is not a number from 1 to 65535"),
        ("http://h:x", "the port \"x\" of the host \"http://h:x\" is not a number from 1 to 65535"),
    ])
    func `a bad host is explained`(host: String, message: String) {
        #expect(throws: MalformedRequest(.host, message)) { try RequestHost(host).url(path: "/", query: []) }
    }
}
