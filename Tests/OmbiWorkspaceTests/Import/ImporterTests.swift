import Testing

@testable import OmbiWorkspace

/// Files of other tools where Ombi takes a URL.
@Suite struct ImporterTests {
    @Test(arguments: [
        "shop.har", " files/Shop.HTTP\n", "./openapi.yaml", "/tmp/my shop.json", "~/a b.hurl", "./a.rest", "x/a.bru",
    ])
    func `the path of a file is none of a URL`(text: String) { #expect(Importer.isPath(text)) }

    @Test(arguments: [
        "", "example.com", "example.com/a.json", "https://example.com/a.har", "localhost/a.json", ":3000/a.json",
        "example.rest", "{{host}}/a.json", "curl https://a.test/b.json", "a\nb.json",
    ])
    func `a URL and a command are no paths`(text: String) { #expect(!Importer.isPath(text)) }
}
