import Testing

@testable import OmbiWorkspace

/// Files of other tools where Ombi takes a URL.
@Suite struct ImporterTests {
    @Test(arguments: [
        ("shop.har", "shop.har"), (" files/Shop.HTTP\n", "files/Shop.HTTP"), ("./openapi.yaml", "./openapi.yaml"),
        ("/tmp/my shop.json", "'/tmp/my shop.json'"), ("~/a b.hurl", "~/'a b.hurl'"), ("./a.rest", "./a.rest"),
    ])
    func `the path of a file names the command that imports it`(text: String, word: String) {
        #expect(
            Importer.advice(forPath: text)
                == "this is a file, not a URL; `ombi import \(word) --to NAME.json` makes a collection of it")
    }

    @Test(arguments: [
        "", "example.com", "example.com/a.json", "https://example.com/a.har", "localhost/a.json", ":3000/a.json",
        "example.rest", "{{host}}/a.json", "curl https://a.test/b.json", "a\nb.json",
    ])
    func `a URL and a command are no paths`(text: String) {
        #expect(Importer.advice(forPath: text) == nil)
    }
}
