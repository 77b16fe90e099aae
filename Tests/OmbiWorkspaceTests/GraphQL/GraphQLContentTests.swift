import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// The operations of a query, of which one is run.
@Suite struct GraphQLContentTests {
    @Test(
        arguments: [
            ("{ a }", [""]), ("query A($i: In = {b: [1]}) @c(d: {e: 1}) { a { b } } mutation B { c }", ["A", "B"]),
            ("\"A\" query A { query } fragment query on mutation { a } subscription { b }", ["A", ""]),
            ("query A { {{fields}} a(b: {{c}}) }", ["A"]), ("{{query}}", nil), ("query {{name}} { a }", nil),
            ("query A", ["A"]), ("fragment P on User { id }", []), ("", []), ("} ) {", [""]),
            ("query A { a } # query B { a }", ["A"]),
        ] as [(String, [String]?)])
    func `the operations of a query are known by their names`(query: String, names: [String]?) {
        #expect(GraphQLContent(query).operations?.map(\.name) == names)
    }

    @Test(
        arguments: [
            ("query A($id: ID!, $b: [Int!], $c: Int! = 1, $d: [ID!]! @e) { a }", ["id", "d"]),
            ("query A($a: {{type}}, $b: In = {c: [$d]}, $e: Int!) { a }", ["e"]),
            ("fragment P($a: Int!) on B { a }", nil),
            ("query A($a", []), ("query A($a:", []), ("query A($a: Int!", ["a"]),
        ] as [(String, [String]?)])
    func `the variables that need a value are known`(query: String, names: [String]?) {
        #expect(GraphQLContent(query).operations?.first?.required == names)
    }

    @Test(
        arguments: [
            (["id": 1], []), (["id": "{{id}}", "other": 1], []), (["{{name}}": 1], []), (nil, ["id"]), ([:], ["id"]),
            (.object([.init("id", .null)]), ["id"]),
        ] as [(JSONValue?, [String])])
    func `a variable without a value is a problem of the operation that is run`(
        variables: JSONValue?, names: [String]
    ) {
        let problems = names.map { "the variable `$\($0)` of the operation has no value" }
        let query = "query A($id: ID!, $b: Int) { a(id: $id) }"
        #expect(GraphQLContent(query, variables: variables).operationProblems == problems)
        let several = GraphQLContent(query + " query B { a }", variables: variables, operationName: "A")
        #expect(several.operationProblems == problems)
        #expect(GraphQLContent(several.query, operationName: "B").operationProblems == [])
    }

    @Test(
        arguments: [
            ("query A { a } query B { a }", nil, "the query has 2 operations; name the one to run: A, B"),
            ("query A { a } query Bob { a }", "Bop", "the query has no operation `Bop`; did you mean \"Bob\"?"),
            ("query A { a } query B { a }", "Other", "the query has no operation `Other`; known: A, B"),
            ("query A { a } query B { a }", "B", nil), ("query A { a } query B { a }", "{{operation}}", nil),
            ("query A { a }", nil, nil), ("{ a }", nil, nil), ("{{query}}", "A", nil), ("", nil, nil),
        ] as [(String, String?, String?)])
    func `an operation that is not there, or not chosen, is a problem`(query: String, name: String?, problem: String?) {
        #expect(GraphQLContent(query, operationName: name).operationProblems == [problem].compactMap { $0 })
    }

    @Test func `the field of the variables suggests an object with all of them`() throws {
        let field = try #require(GraphQLContent.descriptors.first { $0.label == "variables" })
        var content = GraphQLContent("query A($id: ID!, $n: Int, $all: [ID!], $on: Boolean, $in: In = {a: 1}) { a }")
        #expect(field.suggestions(content) == [#"{"id":"","n":0,"all":[],"on":false,"in":""}"#])
        #expect(field.need(content) == .required)
        try field.write(&content, #"{"id": 7}"#)
        #expect(field.suggestions(content) == [] && field.need(content) == .optional)
        content = GraphQLContent("query A($a: Int!) { a } query B { b }")
        #expect(field.suggestions(content) == [] && field.need(content) == .optional)
        content.operationName = "A"
        #expect(field.suggestions(content) == [#"{"a":0}"#] && field.need(content) == .required)
    }

    private static let field = GraphQLContent.descriptors.first { $0.label == "operation" }

    @Test func `the field of the operation suggests the names, and takes no other`() throws {
        let field = try #require(Self.field)
        var content = GraphQLContent("query A { a } query B { a }")
        #expect(field.suggestions(content) == ["A", "B"] && field.need(content) == .required)
        do throws(FieldError) {
            try field.write(&content, "Other")
            Issue.record("the name is taken")
        } catch {
            #expect(error.message == "the query has no operation `Other`; known: A, B")
        }
        try field.write(&content, "B")
        #expect(content.operationName == "B")
        try field.write(&content, "")
        #expect(content.operationName == nil)
        // The query may be written later.
        content = GraphQLContent("")
        try field.write(&content, "C")
        #expect(content.operationName == "C" && field.need(content) == .optional)
    }

    @Test func `an operation that is not there is told by check and before sending, without a schema`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file(
            "c.json",
            """
            { "version": 1, "name": "c", "items": [
              { "request": "r", "path": "/a", "body": { "graphql": "query A { a }", "operationName": "B" } }
            ] }
            """)
        let loaded = try #require(CollectionFinder.load([path]).first)
        let problems = loaded.problemsOfQueries(nil)
        #expect(problems.map(\.message) == ["\"graphql\": the query has no operation `B`; did you mean \"A\"?"])
        #expect(problems.map(\.severity) == [.warning])
        let collection = try #require(loaded.collection)
        let order = RunOrder(
            id: 1, request: collection.requests[0], collection: collection, environment: nil, file: path)
        #expect(order.queryProblems == ["The query: the query has no operation `B`; did you mean \"A\"?"])
    }
}

extension GraphQLContentTests {
    @Test(
        arguments: [
            (#"{"n": 1, "ids": ["1", 2], "in": {"role": "ADMIN", "name": null}, "d": {"any": [1]}}"#, nil),
            (#"{"n": "{{n}}", "ids": 7, "in": {"role": "{{role}}"}, "other": 1}"#, nil),
            (#"{"n": "1"}"#, "`$n` is a string, and Int is needed"), (#"{"n": 1.5}"#, "`$n` is 1.5, and Int is needed"),
            (#"{"ids": ["1", true]}"#, "`$ids[1]` is a boolean, and ID! is needed"),
            (#"{"ids": [null]}"#, "`$ids[0]` is null, and ID! is needed"),
            (#"{"in": {"role": "ADMN"}}"#, "`$in.role` is no value of Role: \"ADMN\"; did you mean \"ADMIN\"?"),
            (#"{"in": {"name": "a"}}"#, "`$in.role` is missing: it is of the type Role!"),
            (#"{"in": {"role": "USER", "nam": "a"}}"#, "`$in.nam` is no field of Filter; did you mean \"name\"?"),
            (#"{"in": [1]}"#, "`$in` is a list, and Filter is needed"),
            (#"{"in": {"{{key}}": 1}}"#, nil),
        ] as [(String, String?)])
    func `the values of variables are checked with the schema`(variables: String, problem: String?) throws {
        let definitions = GraphQLSample.definitions.replacing(
            "type Query {", with: "type Query { all(n: Int, ids: [ID!], in: Filter, d: Date): Int")
        let query = "query A($n: Int, $ids: [ID!], $in: Filter, $d: Date) { all(n: $n, ids: $ids, in: $in, d: $d) }"
        let content = GraphQLContent(query, variables: try JSONValue.parse(variables))
        let problems = try GraphQLSample.schema(definitions).problems(in: content)
        #expect(problems.map(\.message) == [problem].compactMap { $0 })
        #expect(try GraphQLSample.schema(definitions).problems(in: GraphQLContent(query)) == [])
    }

    @Test func `the values belong to the operation that is run, at its variable`() throws {
        let query = "query A($a: Int) { users(first: $a) { id } }\nquery B($a: ID!) { user(id: $a) { id } }"
        let schema = try GraphQLSample.schema()
        let values: JSONValue = ["a": true]
        let problems = schema.problems(in: GraphQLContent(query, variables: values, operationName: "B"))
        #expect(problems.map(\.description) == ["line 2, column 10: `$a` is a boolean, and ID! is needed"])
        #expect(schema.problems(in: GraphQLContent(query, variables: values)) == [])
    }
}
