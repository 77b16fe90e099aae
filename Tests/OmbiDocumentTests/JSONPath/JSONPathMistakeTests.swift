import Testing

@testable import OmbiDocument

@Test(arguments: [
    ("", 1, "expected '$', found nothing"), ("a", 1, "expected '$', which every JSONPath begins with, found 'a'"),
    (" $", 1, "expected '$', which every JSONPath begins with, found white space"),
    ("$ ", 2, "expected '.', '..' or '[', found white space"),
    ("$a", 2, "expected '.', '..' or '[', found 'a'"), ("$.", 3, "expected a name or '*' after '.', found the end"),
    ("$. a", 3, "expected a name or '*' after '.', found white space"),
    ("$..", 4, "expected a name, '*' or '[' after '..', found the end"),
    ("$...a", 4, "expected a name, '*' or '[' after '..', found '.'"),
    ("$.1", 3, "expected a name or '*' after '.', found '1' (other names go in brackets: ['name'])"),
    ("$.a-b", 4, "expected '.', '..' or '[', found '-'"),
    ("$[", 3, "expected a name in quotes, an index, a slice, '*' or '?', found the end"),
    ("$[]", 3, "expected a name in quotes, an index, a slice, '*' or '?', found ']'"),
    (
        "$[a]", 3,
        "expected a name in quotes, an index, a slice, '*' or '?', found 'a' (names in brackets are in quotes)"
    ),
    ("$[0", 4, "expected ']' or ',' after the selector, found the end"),
    ("$[0,]", 5, "expected a name in quotes, an index, a slice, '*' or '?', found ']'"),
    ("$[01]", 3, "an index has no leading zeros"), ("$[-0]", 3, "there is no index -0; the first element is 0"),
    ("$[-]", 4, "expected a digit after '-', found ']'"),
    ("$[9007199254740992]", 3, "an index is at most 9007199254740991"),
    ("$[-9007199254740992]", 3, "an index is at most 9007199254740991"),
    ("$[99999999999999999999]", 3, "an index is at most 9007199254740991"),
    ("$[1:2:3:4]", 8, "expected ']' or ',' after the selector, found ':'"),
    ("$[1.5]", 4, "expected ']' or ',' after the selector, found '.'"),
    ("$['a]", 3, "the string that begins here has no closing '"),
    ("$['a\\x']", 6, "expected one of '\\/bfnrtu after '\\', found 'x'"),
    ("$['\\\"']", 5, "expected one of '\\/bfnrtu after '\\', found '\"'"),
    ("$['\\uD800']", 4, "half of a surrogate pair without the other half"),
    ("$['\\uDC00']", 4, "half of a surrogate pair without the other half"),
    ("$['\\u12']", 8, "expected four hexadecimal digits after '\\u', found '''"),
    ("$['\u{1}']", 4, "a control character in a string must be written as an escape, found U+0001"),
    ("$['é'].", 8, "expected a name or '*' after '.', found the end"),
])
func `a wrong path is told with its column`(text: String, column: Int, reason: String) {
    #expect(throws: JSONPathError(column: column, reason: reason)) { try JSONPath(text) }
}

@Test(arguments: [
    ("$[?]", 4, "expected '@', '$', a function, a string, a number, true, false or null, found ']'"),
    ("$[?@.a = 1]", 8, "expected '==', found '='"),
    ("$[?@.a ==]", 10, "expected '@', '$', a function, a string, a number, true, false or null, found ']'"),
    ("$[?1]", 5, "expected a comparison after the literal, found ']'"),
    ("$[?'a' == a]", 11, "expected '@', '$', a function or a literal, found 'a' (strings are in quotes)"),
    ("$[?@.a == 01]", 11, "a number has no leading zeros"),
    ("$[?@.a == 1.]", 13, "expected a digit after the decimal point, found ']'"),
    ("$[?(@.a]", 8, "expected ')' after the expression, found ']'"),
    ("$[?!@.a == 1]", 5, "a comparison after '!' needs parentheses: !(…)"),
    ("$[?@.a & @.b]", 8, "expected ']' or ',' after the selector, found '&'"),
    ("$[?@.* == 1]", 4, "this query may give several values and cannot be compared; count() and value() can"),
    ("$[?1 == @..a]", 9, "this query may give several values and cannot be compared; count() and value() can"),
    ("$[?@[ 'a' ] == 1]", 4, "a query that is compared has no white space in its brackets"),
    ("$[?length(@)]", 4, "length() gives a value, which must be compared with something"),
    ("$[?count(@.*)]", 4, "count() gives a value, which must be compared with something"),
    ("$[?match(@.a, 'x') == true]", 4, "match() and search() are true or false by themselves and are not compared"),
    ("$[?size(@) == 1]", 4, "there is no function 'size'; there are length, count, value, match and search"),
    ("$[?length() == 1]", 4, "length() takes one argument, found 0"),
    ("$[?match(@.a) ]", 4, "match() takes two arguments, found 1"),
    ("$[?length(@.*) == 1]", 11, "this query may give several values and cannot be compared; count() and value() can"),
    ("$[?count(1) == 1]", 10, "count() takes a query, which begins with '@' or '$'"),
    ("$[?length(match(@, 'a')) == 1]", 11, "length() takes a value, found one that is true or false only"),
    ("$[?length(@ == 1) == 1]", 11, "expected a value or a query, found an expression that is true or false"),
    ("$[?length (@) == 1]", 4, "expected '@', '$', a function or a literal, found 'length' (strings are in quotes)"),
    ("$[?@.a == TRUE]", 11, "expected '@', '$', a function, a string, a number, true, false or null, found 'T'"),
    ("$[?@.a == True]", 11, "expected '@', '$', a function, a string, a number, true, false or null, found 'T'"),
    ("$[?@.a == 1 && ]", 16, "expected '@', '$', a function, a string, a number, true, false or null, found ']'"),
    ("$[?@.a == {}]", 11, "expected '@', '$', a function, a string, a number, true, false or null, found '{'"),
])
func `a wrong filter is told with its column`(text: String, column: Int, reason: String) {
    #expect(throws: JSONPathError(column: column, reason: reason)) { try JSONPath(text) }
}

@Test func `nesting in an expression is bounded`() throws {
    func parentheses(_ depth: Int) -> String {
        "$[?" + String(repeating: "(", count: depth) + "@" + String(repeating: ")", count: depth) + "]"
    }
    _ = try JSONPath(parentheses(60))
    #expect(throws: JSONPathError.self) { try JSONPath(parentheses(100_000)) }
    #expect(throws: JSONPathError.self) { try JSONPath(String(repeating: "$[?@[?", count: 100_000)) }
    #expect(throws: JSONPathError.self) { try JSONPath("$[?" + String(repeating: "length(", count: 100_000)) }
    _ = try JSONPath("$" + String(repeating: ".a", count: 10_000))
    _ = try JSONPath("$[?@" + String(repeating: " || @", count: 10_000) + "]")
}

@Test func `every change of a character of an expression is read or told`() {
    let scalars = Array("$.a[-1,'b\\n',::2][?(@.x>=1.5e2||!match(@..y,\"z\")) && $..*]".unicodeScalars)
    let document = JSONDocument(JSONSamples.mixed)
    for index in scalars.indices {
        for replacement in " $@.[]()'\"\\?*:,-0aé!&|=<>\u{0}\u{1F600}".unicodeScalars {
            var changed = scalars
            changed[index] = replacement
            let text = String(String.UnicodeScalarView(changed))
            do throws(JSONPathError) {
                for node in try JSONPath(text).matches(in: document) { #expect(document.contains(node)) }
            } catch { #expect((1...scalars.count + 1).contains(error.column) && !error.reason.isEmpty, "\(text)") }
        }
        let cut = String(String.UnicodeScalarView(scalars[..<index]))
        if let path = try? JSONPath(cut) { #expect(path.description == cut) }
    }
}
