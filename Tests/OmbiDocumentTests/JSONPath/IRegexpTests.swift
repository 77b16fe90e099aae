import Testing

@testable import OmbiDocument

private func matches(_ pattern: String, _ text: String, isWhole: Bool = true) -> Bool? {
    IRegexp(pattern)?.matches(Array(text.utf8), isWhole: isWhole)
}

@Test(arguments: [
    ("", ""), ("abc", "abc"), ("a|b|", "b"), ("a|b|", ""), ("a*", "aaa"), ("a+b?", "aa"), ("(ab)+", "abab"),
    ("a{2}", "aa"), ("a{2,}", "aaaa"),
    ("a{1,3}", "aaa"), ("a{0}", ""), ("[abc]", "b"), ("[a-c]+", "cab"), ("[^a-c]", "d"), ("[-a]", "-"), ("[a-]", "-"),
    ("[^-]", "x"),
    ("[\\]\\[\\-]+", "[-]"), ("\\.\\*\\\\", ".*\\"), ("\\n\\r\\t", "\n\r\t"), (".", "é"), (".", "\u{2028}"),
    ("..", "東京"), ("\\p{Lu}", "É"),
    ("\\p{L}+", "aÉ東"), ("\\P{L}", "1"), ("[\\p{Nd}x]+", "1x٣"), ("[^\\p{L}]", "1"), ("a{2,2}", "aa"),
    ("(a|b)*c", "ababc"), ("^abc$", "abc"),
    ("^a|b$", "b"), ("a^b$c", "a^b$c"), ("(a*)*", "aaa"), ("(|a)+b", "aab"), ("[a^]", "^"), ("\\^", "^"), ("()", ""),
    ("/,-", "/,-"),
])
func `a regular expression matches all of a text`(pattern: String, text: String) {
    #expect(matches(pattern, text) == true)
    #expect(matches(pattern, text + "\u{1F6AB}") == false)
}

@Test(arguments: [
    (".", "\n"), (".", "\r"), ("a+", ""), ("a{2}", "a"), ("a{2,3}", "aaaa"), ("[^a]", "a"), ("\\p{Lu}", "a"),
    ("\\P{L}", "a"), ("a$b", "ab"), ("", "a"),
])
func `a regular expression does not match`(pattern: String, text: String) { #expect(matches(pattern, text) == false) }

@Test(arguments: [
    ("b", true), ("^b", false), ("^a", true), ("c$", true), ("b$", false), ("b|x", true), ("", true), ("cd", false),
    ("^abc$", true), ("c*$", true),
])
func `a regular expression is found in a text`(pattern: String, isFound: Bool) {
    #expect(matches(pattern, "abc", isWhole: false) == isFound)
}

@Test(arguments: [
    "(", ")", "a)", "[", "]", "[]", "[^]", "[a", "[b-a]", "[a-\\p{L}]", "[[]", "[--a]", "[a-c-e]", "*", "a**", "a+?",
    "{1}", "a{", "a{}", "a{,2}",
    "a{2,1}", "a{1", "a{x}", "}", "\\", "\\d", "\\w", "\\b", "\\x41", "\\u0041", "\\p", "\\p{", "\\p{Xx}", "\\p{Cs}",
    "\\p{IsGreek}", "\\p{}",
    "(?:a)", "(?i)a", "a|*", "(a{1000}){1000}", "((((((a{9}){9}){9}){9}){9}){9}){9}",
])
func `what RFC 9485 does not have is not allowed`(pattern: String) { #expect(IRegexp(pattern) == nil) }

@Test func `a regular expression takes no more than length times length`() {
    let text = String(repeating: "a", count: 2_000)
    #expect(matches("(a*)*b", text) == false)
    #expect(matches("(a|aa)+$", text) == true)
    #expect(IRegexp(String(repeating: "(", count: 100_000)) == nil)
    #expect(matches("(){100000}(^){3}a{0}", "") == true)
}
