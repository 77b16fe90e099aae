import Testing

@testable import OmbiDocument

private let people = """
    [{"n": "Ann", "a": 30, "t": ["x", "y"]}, {"n": "Bob", "a": null}, {"n": "Cid", "a": 9.5e0, "t": []}]
    """

@Test(arguments: [
    Selection("$[?@.a].n", people, "\"Ann\"", "\"Bob\"", "\"Cid\""),
    Selection("$[?@.t].n", people, "\"Ann\"", "\"Cid\""),
    Selection("$[?!@.t].n", people, "\"Bob\""), Selection("$[?@.t[0]].n", people, "\"Ann\""),
    Selection("$[?@.a == null].n", people, "\"Bob\""),
    Selection("$[?@.x == @.y].n", people, "\"Ann\"", "\"Bob\"", "\"Cid\""),
    Selection("$[?@.x == null].n", people), Selection("$[?@.a > 9.4].n", people, "\"Ann\"", "\"Cid\""),
    Selection("$[?@.n >= 'Bob' && @.n != 'Cid'].n", people, "\"Bob\""),
    Selection("$[?@.a == 30 || @.a == 9.5].n", people, "\"Ann\"", "\"Cid\""),
    Selection("$[?(@.a == 30 || @.n == 'Bob') && !(@.n == 'Ann')].n", people, "\"Bob\""),
    Selection("$[?@.n == 'Ann' || @.n == 'Bob' && @.a].n", people, "\"Ann\"", "\"Bob\""),
    Selection("$[?@.n == $[1].n].a", people, "null"), Selection("$[?@.t == $[2].t].n", people, "\"Cid\""),
    Selection("$[?@.t[?@ == 'y']].n", people, "\"Ann\""),
    Selection("$[?@..*].n", people, "\"Ann\"", "\"Bob\"", "\"Cid\""),
    Selection("$[?@ > 1, ?@ < 3]", "[1, 2, 3]", "2", "3", "1", "2"),
    Selection("$[?@.a]", "{\"x\": {\"a\": 1}, \"y\": 2}", "{\"a\": 1}"),
    Selection("$[ ? @ == 1 ]", "[1]", "1"), Selection("$[?@]", "[null, false, 0]", "null", "false", "0"),
    Selection("$[?@]", "7"),
    Selection("$[?@ == true]", "[true, false, 1]", "true"), Selection("$[?@ <= false]", "[true, false]", "false"),
    Selection("$[?@ < true]", "[true, false]"), Selection("$[?@ != 1]", "[1, 1.0, \"1\", 2]", "\"1\"", "2"),
    Selection("$[?@.a <= @.b]", "[{\"c\": 1}]", "{\"c\": 1}"),
    Selection("$[?@['a'] == 1]", "[{\"a\": 1}]", "{\"a\": 1}"),
])
func `filters select`(selection: Selection) throws { try selection.check() }

@Test(arguments: [
    ("1", "1.0", 0), ("100", "1e2", 0), ("1", "10e-1", 0), ("0", "-0", 0), ("0", "0e99", 0), ("-1", "1", -1),
    ("-1", "-2", 1),
    ("9007199254740993", "9007199254740992", 1), ("9007199254740993.0", "9007199254740993", 0),
    ("0.1", "0.10000000000000000000001", -1),
    ("1e400", "1e401", -1), ("-1e400", "-1e401", 1), ("1e-400", "0", 1),
    ("123456789012345678901234567890", "123456789012345678901234567891", -1),
    ("0.000123", "123E-6", 0), ("1e99999999999999999999", "1", 1), ("1e-99999999999999999999", "1", -1),
    ("0.5", "-0.5", 1), ("10", "9", 1),
    ("1.50", "1.5", 0), ("1.5", "15", -1), ("100", "99.99", 1),
])
func `numbers are compared as what they are exactly`(left: String, right: String, order: Int) {
    func compare(_ left: String, _ right: String) -> Int {
        Array(left.utf8).withUnsafeBufferPointer { left in
            Array(right.utf8).withUnsafeBufferPointer { JSONNumberOrder.compare(left, $0) }
        }
    }
    #expect(compare(left, right).signum() == order)
    #expect(compare(right, left).signum() == -order)
}

@Test(arguments: [
    ("[1, [2, {}]]", "[1.0, [2, {}]]", true), ("[1, 2]", "[1]", false), ("[1]", "[1, 2]", false), ("[]", "{}", false),
    ("{\"a\": 1, \"b\": 2}", "{\"b\": 2, \"a\": 1}", true), ("{\"a\": 1}", "{\"a\": 1, \"b\": 2}", false),
    ("{\"a\": 1}", "{\"b\": 1}", false), ("{\"\\u0061\": \"\\u0062\"}", "{\"a\": \"b\"}", true),
    ("\"a\"", "\"\\u0061\"", true),
    ("\"\\uD800\"", "\"\\uD801\"", false), ("\"\\uD800\"", "\"\\uFFFD\"", false), ("null", "false", false),
    ("[[]]", "[[[]]]", false),
    ("{\"a\": {\"b\": [1]}}", "{\"a\": {\"b\": [2]}}", false), ("\"1\"", "1", false), ("[null]", "[null]", true),
])
func `values are equal when all in them is`(left: String, right: String, isEqual: Bool) throws {
    let document = JSONDocument("[{\"l\": \(left), \"r\": \(right)}]")
    #expect(try JSONPath("$[?@.l == @.r]").matches(in: document).map(\.self).isEmpty != isEqual)
    #expect(try JSONPath("$[?@.r != @.l]").matches(in: document).map(\.self).isEmpty == isEqual)
}

@Test(arguments: [
    Selection(
        "$[?length(@) == 2]", "[\"ab\", \"é東\", \"\\ud83d\\ude00x\", [1, 2], {\"a\": 1, \"b\": 2}, 2, null]",
        "\"ab\"", "\"é東\"", "\"\\ud83d\\ude00x\"", "[1, 2]", "{\"a\": 1, \"b\": 2}"),
    Selection("$[?length('abc') == @]", "[3]", "3"), Selection("$[?length(@.x) == length(@.y)]", "[1]", "1"),
    Selection("$[?count(@.*) == 2]", "[[1, 2], [1], {\"a\": 1, \"b\": 1}, 2]", "[1, 2]", "{\"a\": 1, \"b\": 1}"),
    Selection("$[?count(@..*) > 2]", "[[[1], 2], [1]]", "[[1], 2]"),
    Selection("$[?value(@..a) == 1]", "[[{\"a\": 1}], {\"a\": 1, \"b\": {\"a\": 1}}]", "[{\"a\": 1}]"),
    Selection("$[?length(value(@.*)) == 1]", "[[\"x\"], [\"xx\"], [\"x\", \"y\"]]", "[\"x\"]"),
    Selection("$[?match(@, 'a.c')]", "[\"abc\", \"abcd\", \"a\\nc\", 1]", "\"abc\""),
    Selection("$[?search(@, '[bc]{2}')]", "[\"abcd\", \"abd\"]", "\"abcd\""),
    Selection("$[?!match(@, 'a')]", "[\"a\", \"b\"]", "\"b\""),
    Selection(
        "$[?match(@.s, @.p)]",
        "[{\"s\": \"aa\", \"p\": \"a*\"}, {\"s\": \"b\", \"p\": \"a*\"}, {\"s\": \"b\", \"p\": 1}]",
        "{\"s\": \"aa\", \"p\": \"a*\"}"),
    Selection("$[?match(@, '(')]", "[\"(\"]"),
    Selection("$[?count( @.a ) == 1 && search( @.a , 'x' )]", "[{\"a\": \"x\"}]", "{\"a\": \"x\"}"),
])
func `functions are asked`(selection: Selection) throws { try selection.check() }
