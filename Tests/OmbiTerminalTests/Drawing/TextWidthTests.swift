import CNcurses
import Glibc
import OmbiDocument
import Testing

@testable import OmbiTerminal

@Test(arguments: [
    ("abc", 3), ("日本語", 6), ("e\u{301}", 1), ("👨\u{200D}👩\u{200D}👧", 6), ("🇩🇪", 2), ("❤\u{FE0F}", 1),
    ("स्ते", 2), ("\u{1B}", 1), ("", 0), ("각", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("ｆ", 2), ("é", 1), ("─▓", 2),
])
func `widths follow the policy`(_ text: String, _ columns: Int) {
    #expect(TextWidth.of(text) == columns)
}

/// Where both know a scalar they must agree about it, or a row would be shown with holes; what the C library is too
/// old to know is replaced when it is drawn.
@Test func `widths agree with the C library`() throws {
    let locale = try #require(newlocale(1 << LC_CTYPE, "C.UTF-8", nil))
    let before = uselocale(locale)
    defer {
        uselocale(before)
        freelocale(locale)
    }
    var differing: [String] = []
    for value in UInt32(0xA0)...0x3FFFF {
        guard let scalar = Unicode.Scalar(value), case .printable(let width) = ScalarClass(scalar) else { continue }
        let known = Int(wcwidth(wchar_t(bitPattern: value)))
        if known >= 0, known != width { differing.append("U+\(String(value, radix: 16)): \(width), libc \(known)") }
    }
    // Unicode 15 made it a spacing mark; the C library is older. It is replaced when it is drawn.
    #expect(differing.filter { !$0.hasPrefix("U+1171e:") }.isEmpty)
}
