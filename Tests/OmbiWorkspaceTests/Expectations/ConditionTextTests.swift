import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Conditions as they are typed into a row.
@Suite struct ConditionTextTests {
    @Test(
        arguments: [
            ("", []), ("exists", [.exists(true)]), ("absent", [.exists(false)]),
            ("= 5", [.equals(.number("5"))]), ("= Ada", [.equals(.string("Ada"))]),
            ("= \"5\"", [.equals(.string("5"))]), ("= \"a; b\"", [.equals(.string("a; b"))]),
            ("= {\"a\":[1,null]}", [.equals(.object([.init("a", .array([.number("1"), .null]))]))]),
            ("contains é", [.contains(.string("é"))]), ("contains 5", [.contains(.number("5"))]),
            ("matches ^[a-z]+$", [.matches("^[a-z]+$")]), ("type string|null", [.type([.string, .null])]),
            ("type integer; > 0; <= 1e3", [.type([.integer]), .atMost(.number("1e3")), .greater(.number("0"))]),
            (
                "!= 5; not contains a; not matches ^b$",
                [
                    .not(.equals(.number("5"))), .not(.contains("a")), .not(.matches("^b$")),
                ]
            ),
            ("= not there", [.equals("not there")]), ("count >= 3", [.count(NumberComparison(.atLeast, 3))]),
            ("count = 0", [.count(NumberComparison(.equal, 0))]),
            ("< 2026-01-01", [.less(.string("2026-01-01"))]),
        ] as [(String, [ValueCondition])])
    func `a line is read, and written as a line that reads the same`(line: String, conditions: [ValueCondition]) throws
    {
        let read = try ConditionText.conditions(line, isText: false)
        #expect(read == conditions)
        #expect(try ConditionText.conditions(ConditionText.text(read, isText: false), isText: false) == conditions)
    }

    @Test(
        arguments: [
            ("integer", .type([.integer])), ("bool", .type([.boolean])), ("true", .equals(.bool(true))),
            ("5", .equals(.number("5"))), ("\"x\"", .equals(.string("x"))),
        ] as [(String, ValueCondition)])
    func `a bare type or value does`(line: String, condition: ValueCondition) throws {
        #expect(try ConditionText.conditions(line, isText: false) == [condition])
    }

    @Test func `in text everything is text`() throws {
        #expect(try ConditionText.conditions("= 5", isText: true) == [.equals(.string("5"))])
        #expect(
            try ConditionText.conditions("application/json", isText: true) == [.equals(.string("application/json"))])
        #expect(ConditionText.text([.equals(.string("5"))], isText: true) == "= 5")
    }

    @Test(arguments: [
        ("intger", "\"intger\": "), ("type int32, strin", "unknown type \"int32\""),
        ("count many", "\"many\" is not a"),
        ("matches (", "\"matches\": '('"), ("> ", "a number or a text is missing"),
        ("> 1; > 2", "\"greater\" is there twice"),
        ("contains", "the text after contains is empty"),
    ])
    func `a mistake is explained`(line: String, start: String) {
        let error = #expect(throws: FieldError.self) { try ConditionText.conditions(line, isText: false) }
        #expect(error?.message.hasPrefix(start) == true, "\(error?.message ?? "")")
    }

    @Test func `a changed row keeps the others as they are`() {
        var expectation = Expectation(body: [
            BodyExpectation("$.a", [.equals(.number("1.50"))]), BodyExpectation("$.b", [.type([.string])]),
            BodyExpectation(),
        ])
        #expect(expectation.bodyRows.map(\.name) == ["$.a", "$.b", "text"])
        expectation.bodyRows.remove(at: 1)
        expectation.bodyRows[1].value = "contains x"
        #expect(
            expectation.body == [
                BodyExpectation("$.a", [.equals(.number("1.50"))]), BodyExpectation(nil, [.contains(.string("x"))]),
            ])
    }
}
