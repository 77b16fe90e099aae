import Testing

@testable import OmbiCore

/// Credentials in URLs.
@Suite struct LogMaskTests {
    @Test(arguments: [
        ("http://a.test/p?x=1&token=s3cr3t", "http://a.test/p?x=1&token=••••••"),
        ("http://me:s3cr3t@a.test/", "http://••••••@a.test/"),
        ("http://a.test/cb#access_token=s3cr3t&state=7", "http://a.test/cb#access_token=••••••&state=7"),
        ("http://a.test/cb?x=1#access_token=s3cr3t", "http://a.test/cb?x=1#access_token=••••••"),
        ("http://a.test/?token=s3cr3t#top", "http://a.test/?token=••••••#top"),
        ("http://a.test/#/cb?token=s3cr3t&x=1", "http://a.test/#/cb?token=••••••&x=1"),
        ("/next#section-2?", "/next#section-2?"), ("http://a.test/#", "http://a.test/#"), ("", ""),
    ])
    func `a URL has no value of a credential, in its query and in its fragment`(url: String, masked: String) {
        #expect(LogMask.url(url) == masked)
    }
}
