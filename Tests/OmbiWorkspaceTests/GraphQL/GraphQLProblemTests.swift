import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Queries checked against a schema.
@Suite struct GraphQLProblemTests {
    @Test(arguments: [
        ("{ user(id: 1) { nme } }", 17, "unknown field `nme` of User; did you mean \"name\"?"),
        ("{ user { name } }", 3, "the argument `id` of `user` is missing: it is of the type ID!"),
        ("{ user(id: 1, nam: 2) { name } }", 15, "unknown argument `nam` of user"),
        ("{ user(id: 1) }", 3, "select fields of `user` in braces: it is of the type User"),
        ("{ user(id: 1) { name { x } } }", 17, "`name` is of the type String, which has no fields to select"),
        ("{ users(role: ADMN) { name } }", 15, "unknown value `ADMN` of Role; did you mean \"ADMIN\"?"),
        (
            "query A($id: ID!) { user(id: $di) { name } b: user(id: $id) { id } }", 31,
            "the variable `$di` is not declared; did you mean \"id\"?"
        ),
        ("query A($id: Uses) { user(id: $id) { name } }", 14, "unknown type `Uses`; did you mean \"User\"?"),
        ("query A($id: User) { user(id: $id) { name } }", 14, "User is not a type for variables"),
        ("{ users(filter: {name: \"a\"}) { name } }", 17, "the input field `role` is missing: it is of the type Role!"),
        (
            "{ users(filter: {role: USER, nam: \"a\"}) { name } }", 30,
            "unknown input field `nam`; did you mean \"name\"?"
        ),
        ("{ ...Parts }", 6, "unknown fragment `Parts`"),
        (
            "{ user(id: 1) { name } user(id: 2) { id } }", 24,
            "`user` is selected twice with different arguments: give one an alias"
        ),
        (
            "{ users { id id: name } }", 14,
            "`id` is the name of two fields, `id` and `name`: give one another alias"
        ),
        ("{ user(id: 1, id: 2) { name } }", 15, "the argument `id` is given twice"),
        ("{ users(filter: {role: USER, role: USER}) { id } }", 30, "the input field `role` is given twice"),
        ("{ users(first: 2147483648) { id } }", 16, "expected a value of the type Int, found `2147483648`"),
        ("{ users @skip(if: true) @skip(if: true) { id } }", 26, "`@skip` is given twice"),
        ("{ users { ... on Address { city } } }", 18, "no User is of the type Address"),
        ("{ users { ...P } } fragment P on User { friends { ...P } }", 54, "the fragment `P` contains itself"),
        (
            "{ users { ...P ...Q } } fragment P on User { friends { ...Q } } fragment Q on User { friends { ...P } }",
            99,
            "the fragment `P` contains itself"
        ),
        ("{ users { ... on Usr { name } } }", 18, "unknown type `Usr`; did you mean \"User\"?"),
        ("{ users { ... on Role { name } } }", 18, "Role has no fields to select"),
        ("subscription { x }", 1, "the schema has no subscription"),
        ("{ users { } }", 11, "no field is selected"),
        ("{ users { name }", 17, "the query is not complete"),
        ("{ users(first: ) { name } }", 16, "expected a value, found `)`"),
        ("query A($a: Int) { users { name } }", 10, "the variable `$a` is not used"),
        ("query A($a: Int, $a: Int) { users(first: $a) { name } }", 19, "the variable `$a` is declared twice"),
        ("query A($a: ID) { user(id: $a) { name } }", 29, "`$a` is of the type ID, and ID! is needed"),
        ("query A($a: [Int]) { users(first: $a) { name } }", 36, "`$a` is of the type [Int], and Int is needed"),
        (
            "query A($a: Int = \"1\") { users(first: $a) { name } }", 19,
            "expected a value of the type Int, found a string"
        ),
        ("{ users(first: 1.5) { name } }", 16, "expected a value of the type Int, found `1.5`"),
        ("{ users(first: [1]) { name } }", 16, "expected a value of the type Int, found `[`"),
        ("{ users(role: \"USER\") { name } }", 15, "expected a value of the type Role, found a string"),
        ("{ users(filter: 1) { name } }", 17, "expected a value of the type Filter, found `1`"),
        ("{ user(id: true) { name } }", 12, "expected a value of the type ID!, found `true`"),
        ("{ user(id: null) { name } }", 12, "null is no value of the type ID!"),
        ("{ users @include { name } }", 10, "the argument `if` of `include` is missing: it is of the type Boolean!"),
        ("{ users @include(if: 1) { name } }", 22, "expected a value of the type Boolean!, found `1`"),
        ("{ users @skip(of: true, if: true) { name } }", 15, "unknown argument `of` of skip; did you mean \"if\"?"),
        (
            "query A @skip(if: true) { users { name } }", 10,
            "`@skip` is for FIELD, FRAGMENT_SPREAD, INLINE_FRAGMENT, and not for QUERY"
        ),
        (
            "query A($a: Boolean) { users @skip(if: $a) { name } }", 41,
            "`$a` is of the type Boolean, and Boolean! is needed"
        ),
        (
            "query A { users { ...P } } fragment P on User { friends(first: $n) { id } }", 65,
            "the variable `$n` is not declared by `A`"
        ),
        (
            "query A($n: String) { users { ...P } } fragment P on User { friends { ...Q } } "
                + "fragment Q on User { friends(first: $n) { id } }", 117,
            "`$n` is of the type String in `A`, and Int is needed"
        ),
        (
            "query A($n: Int) { users { ...P } } query B { users { ...P } } "
                + "fragment P on User { friends(first: $n) { id } }", 101, "the variable `$n` is not declared by `B`"
        ),
        (
            "query A($n: Int) { users { name } } query B($n: Int) { users { ...P } } "
                + "fragment P on User { friends(first: $n) { id } }", 10, "the variable `$n` is not used"
        ),
        ("{ users { name } } fragment P on User { id }", 29, "the fragment `P` is not used"),
        (
            "{ users { ...P } } fragment P on User { id } fragment P on User { id }", 55,
            "the fragment `P` is defined twice"
        ),
        ("query A { users { id } } query A { users { id } }", 32, "the operation `A` is defined twice"),
        ("query A { users { id } } { users { id } }", 26, "of several operations each needs a name"),
        ("users", 1, "expected `query`, `mutation` or `fragment`, found `users`"),
    ])
    func `a problem is named at its place`(query: String, column: Int, message: String) throws {
        let problems = try GraphQLSample.schema().problems(in: query)
        #expect(problems.map(\.description) == ["line 1, column \(column): \(message)"])
    }

    @Test(arguments: [
        "{ user(id: \"{{id}}\") { name {{more}} } }", "{{query}}", "",
        "query A($id: ID!) { user(id: $id) { ...P __typename } } fragment P on User { id friends(first: 2) { name } }",
        "query A($n: String) { users(filter: {role: USER, name: $n}) { ...P } } fragment P on User { old }",
        "{ a: users(role: null) @skip(if: true) { id } __schema { types { name } } }",
        "{ search(text: \"\"\"a\nb\"\"\") { __typename ... on User { id } ... on Address { city } } }",
        "mutation M($a: NameInput!) { rename(id: 1, input: $a) { ... { name } } }",
        "\"A\" query A(\"the role\" $r: Role) { users(role: $r) { ...P } } \"P\" fragment P on User { id }",
        "query A($k: __TypeKind) { __typename __type(name: $k) { kind } }",
        "query A($a: ID! = 1, $b: Int!) { user(id: $a) { name } users(first: $b) { name } }",
        "query A($a: ID = \"1\") { user(id: $a) { name } }", "{ user(id: 1) { friends(first: null) { id } } }",
        "{ users(first: 1, role: USER) { id } users(role: USER, first: 1) { id } }",
        "{ users { ...P } }\u{FEFF} fragment P on User { id }",
        "query A($a: Boolean!) { users @include(if: $a) { name ... @skip(if: $a) { id } ...P @skip(if: false) } } "
            + "fragment P on User { id }",
        "query A @own { users { name @also } }", "query A($b: Int) @own(a: $b) { users { name } }",
        "query A($n: Int) { ...R } query B { users { name } } fragment R on Query { users(first: $n) { ...P } } "
            + "fragment P on User { friends { id } }",
    ])
    func `a query of what the schema has is without problems`(query: String) throws {
        #expect(try GraphQLSample.schema().problems(in: query) == [])
    }

    @Test(arguments: [
        "query {{name}} { users { name } }", "query A($a: Int) { users({{arguments}}) { name } }",
        "{{fragments}} { users { ...P } }",
        "{ user_{{n}} { x } users { na{{x}} {{a}}{{b}}c } }",
        "{ {{field}}(id: 1) { x } {{a}}: users { name } }", "{ user {{arguments}} { name } user(id: 1) {{fields}} }",
        "query ({{variables}}) { users(first: $n) { name } }", "{ users({{name}}: 1, first: 2) { name } }",
        "{ search(text: \"1\") { ...{{fragment}} ... {{on}} { id } } }", "query A($a: {{type}}) { users { name } }",
    ])
    func `a template may become what its place needs`(query: String) throws {
        #expect(try GraphQLSample.schema().problems(in: query) == [])
    }

    @Test func `a type that the schema refers to and does not define is in another file`() throws {
        let schema = try GraphQLSample.schema(
            "type Query { time(t: AWSDateTime): AWSJSON b: U } union U = Query | Other")
        let query = "query A($t: AWSDateTime) { time(t: $t) b { ... on Other { id } } }"
        #expect(schema.problems(in: query) == [])
        #expect(schema.problems(in: "query A($t: time) { time(t: $t) }").map(\.message) == ["unknown type `time`"])
    }

    @Test func `a large type and a long query together are checked as far as that costs little`() throws {
        let fields = (0..<30_000).map { "a\($0): Int" }.joined(separator: " ")
        let schema = try GraphQLSample.schema("type Query { \(fields) }")
        #expect(schema.problems(in: "{ a0 nope }").map(\.message) == ["unknown field `nope` of Query"])
        #expect(schema.problems(in: "{ " + String(repeating: "a0 ", count: 1000) + "nope }") == [])
    }

    @Test func `more than a hundred problems are not collected`() throws {
        let names = String(repeating: "nope ", count: 1000)
        #expect(try GraphQLSample.schema().problems(in: "{ \(names) }").count == 100)
    }

    @Test func `problems come in the order of the text, with their lines`() throws {
        let query = "query A {\n  users(x: 1) {\n    é: nam\n    ide\n  }\n}"
        #expect(
            try GraphQLSample.schema().problems(in: query).map(\.position) == [
                TextPosition(line: 2, column: 9), TextPosition(line: 3, column: 5),
            ])
    }

    @Test func `what nests without end is a problem`() throws {
        let schema = try GraphQLSample.schema()
        for query in [
            String(repeating: "{a", count: 10_000), "{ users(filter: " + String(repeating: "{a:", count: 10_000),
            "{ users(first: " + String(repeating: "[", count: 10_000),
            "query A($a: " + String(repeating: "[", count: 10_000),
        ] {
            #expect(!schema.problems(in: query).isEmpty)
        }
    }

    @Test func `lists take one element, scalars of the service any literal, and a default value may be left out`()
        throws
    {
        let schema = try GraphQLSample.schema(
            "type Query { a(ids: [ID!], json: JSON, n: Int! = 1): Int } scalar JSON")
        for query in [
            "{ a(ids: 1, json: {b: [1, \"c\"]}) }", "{ a(ids: [1, \"2\"], json: [true]) }",
            "query A($i: [ID!]!, $n: Int) { a(ids: $i, n: $n) }", "query A($i: ID!) { a(ids: [$i]) }",
        ] {
            #expect(schema.problems(in: query) == [], "\(query)")
        }
        #expect(
            schema.problems(in: "query A($i: ID) { a(ids: [$i]) }").map(\.message) == [
                "`$i` is of the type ID, and ID! is needed"
            ])
    }
}

extension GraphQLProblemTests {
    @Test(
        arguments: [
            ("{ a @cache(age: 1) }", nil),
            ("{ a @cach(age: 1) }", "unknown directive `@cach`; did you mean \"cache\"?"),
            ("query A @auth { a }", "`@auth` is for OBJECT, and not for QUERY"),
            ("query A($b: Int @hidden) { a @cache(age: $b) }", nil),
            ("query A($b: String) { a @cache(age: $b) }", "`$b` is of the type String, and Int is needed"),
            ("{ a @cache(age: \"1\") @skip(if: true) }", "expected a value of the type Int, found a string"),
        ] as [(String, String?)])
    func `directives of the schema are known, with their places and arguments`(query: String, problem: String?) throws {
        let schema = try GraphQLSample.schema(
            """
            type Query { a: Int }
            directive @cache(age: Int) on FIELD
            directive @auth on OBJECT
            directive @hidden on VARIABLE_DEFINITION
            """)
        #expect(schema.problems(in: query).map(\.message) == [problem].compactMap { $0 })
    }

    @Test func `a service may have more directives than definitions of types name`() throws {
        let schema = try GraphQLSample.schema("type Query { a: Int } directive @auth on OBJECT")
        #expect(schema.problems(in: "{ a @defer(label: $b) }").map(\.message) == ["the variable `$b` is not declared"])
    }

    @Test func `many operations with many fragments are checked as far as that costs little`() throws {
        let fragments = (0..<2_000).map { "fragment F\($0) on User { ...F\($0 + 1) friends(first: $n) { id } }" }
        let last = "fragment F2000 on User { id }"
        let operations = (0..<8_000).map { "query Q\($0) { users { ...F0 } }" }
        let query = (operations + fragments + [last]).joined(separator: " ")
        #expect(query.utf8.count < GraphQLSchema.maximumQueryByteCount)
        #expect(try GraphQLSample.schema().problems(in: query).count == 100)
    }
}
