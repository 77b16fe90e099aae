import Glibc
import Testing

@testable import OmbiTUI

@Test(arguments: [
    ("abc", 3), ("日本語", 6), ("e\u{301}", 1), ("👨\u{200D}👩\u{200D}👧", 6), ("🇩🇪", 2), ("❤\u{FE0F}", 1),
    ("स्ते", 2), ("\u{1B}", 1), ("", 0), ("각", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("ｆ", 2), ("é", 1), ("─▓", 2),
])
func widthsFollowThePolicy(_ text: String, _ columns: Int) {
    #expect(TextWidth.of(text) == columns)
}
