// Sources: Sources/OmbiCore/Cookies/Cookie.swift
// Sources: Sources/OmbiCore/Cookies/CookieRules.swift
// Sources: Sources/OmbiCore/Cookies/CookieStore.swift
// Sources: Sources/OmbiBase
// Sources: Sources/OmbiCore/Response/RetryAfter.swift Sources/OmbiCore/Manager/DurationText.swift
import FoundationEssentials

private let targets = [
    "http://a.b.example.com/x/y", "https://a.b.example.com/", "http://127.0.0.1/x", "http://[::1]/",
    "https://localhost/a/b/",
].map { CookieTarget(URL(string: $0)!)! }

/// One field a line, each from the next of a few servers: no cookie goes where its server might not have set it, and none
/// breaks a header.
@_cdecl("LLVMFuzzerTestOneInput")
func setCookieFuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    var store = CookieStore(maximumCount: 8, maximumCountPerDomain: 4)
    let fields = UnsafeBufferPointer(start: bytes, count: count).split(separator: 0x0A)
    for (index, field) in fields.enumerated() {
        let target = targets[index % targets.count]
        guard let parsed = SetCookie(String(decoding: field, as: UTF8.self)),
            let cookie = CookieRules(target: target, suffixes: .singleLabels, now: now).cookie(parsed)
        else { continue }
        precondition(target.isWithin(cookie.domain) && cookie.path.utf8.first == UInt8(ascii: "/"))
        precondition(!cookie.isSecure || target.isSecure)
        store.add(cookie, from: target, now: now)
    }
    precondition(store.all(at: now).count <= 8)
    for target in targets {
        for cookie in store.take(for: target, now: now) {
            precondition(target.isWithin(cookie.domain) && (!cookie.isSecure || target.isSecure))
            precondition(!cookie.pair.isEmpty && !cookie.pair.utf8.contains { [0, 0x0A, 0x0D, 0x3B].contains($0) })
        }
    }
    return 0
}
