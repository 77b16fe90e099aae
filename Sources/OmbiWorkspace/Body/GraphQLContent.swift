/// A GraphQL document with its variables, sent as JSON (GraphQL over HTTP).
package struct GraphQLContent: Sendable, Equatable {
    @Stored package var query: String
    /// A JSON object; nil for none. Its strings may hold templates.
    package var variables: JSONValue?
    /// The operation to run, of several in the document.
    package var operationName: String?
    /// The path of a file with the schema, which completes and checks the query; nil for the one that was introspected.
    package var schema: String?

    package init(_ query: String, variables: JSONValue? = nil, operationName: String? = nil, schema: String? = nil) {
        self.query = query
        self.variables = variables
        self.operationName = operationName
        self.schema = schema
    }
}

extension GraphQLContent: BodyContent {
    static let kind = SavedBody.Kind.graphql
    static let note = "a query with variables, as JSON"
    static let otherKeys = ["variables", "operationName", "schema"]
    static var schemas: [JSONValue.Member] {
        [
            JSONValue.Member(
                "graphql", Schema.text("A GraphQL document, sent as application/json with the rest.")),
            JSONValue.Member(
                "variables", ["type": "object", "description": "The variables of the operation."]),
            JSONValue.Member("operationName", Schema.text("The operation to run, of several.")),
            JSONValue.Member(
                "schema",
                Schema.reference(
                    "path",
                    "A file with the schema, as definitions or an introspection: it completes and checks the query.")),
        ]
    }
    static let jsonKeys = ["variables"]

    static let descriptors: [FieldDescriptor<GraphQLContent>] = [
        FieldDescriptor(
            "variables", example: "{\"id\": 7}", need: { $0.missingVariables.isEmpty ? .optional : .required },
            suggestions: { $0.suggestedVariables }
        ) {
            $0.variables?.compact ?? ""
        } write: { content, text throws(FieldError) in
            content.variables = try object(text)
        },
        FieldDescriptor(
            "operation", example: "GetUser, where the query has several",
            need: { ($0.operations?.count ?? 0) > 1 ? .required : .optional }, suggestions: { $0.knownOperations }
        ) {
            $0.operationName ?? ""
        } write: { content, text throws(FieldError) in
            if !text.isEmpty, let operations = content.operations, !operations.isEmpty,
                let problem = problem(ofOperation: text, in: operations)
            {
                throw FieldError(problem)
            }
            content.operationName = text.isEmpty ? nil : text
        },
        FieldDescriptor("schema", optional: \.schema, isPath: true, example: "./schema.graphql"),
    ]

    private static func object(_ text: String) throws(FieldError) -> JSONValue? {
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        let value: JSONValue
        do throws(JSONSyntaxError) { value = try JSONValue.parse(text) } catch {
            throw FieldError("not JSON: \(error); write for example {\"id\": 42}")
        }
        guard case .object = value else { throw FieldError("expected an object, for example {\"id\": 42}") }
        return value
    }

    init(reading object: ObjectReader) {
        _query = object.storedText("graphql")
        variables = object.object("variables") == nil ? nil : object.value("variables")?.value
        operationName = object.string("operationName")
        schema = object.has("schema") ? object.path("schema") : nil
    }

    /// Takes a JSON body of a GraphQL request apart.
    init(text: String) {
        guard let value = try? JSONValue.parse(text), case .object(let members) = value else {
            self.init(text, variables: nil)
            return
        }
        self.init("", variables: nil)
        for member in members {
            switch (member.key, member.value) {
            case ("query", .string(let text)): query = text
            case ("variables", .object): variables = member.value
            case ("operationName", .string(let name)): operationName = name
            default: break
            }
        }
    }

    func write(to writer: inout ObjectWriter) {
        writer.add("graphql", text: query)
        writer.add("variables", variables)
        writer.add("operationName", text: operationName)
        writer.add("schema", text: schema)
    }

    var body: SavedBody { .graphql(self) }

    var form: ExportedBody { .json(value) }

    var editableText: String? { query }

    var editableType: String? { "application/graphql" }

    var convertibleText: String { value.text }

    func replacingText(_ text: String) -> (body: SavedBody, warning: String?) {
        var content = self
        content.query = text
        return (.graphql(content), nil)
    }

    /// The object that is sent, with its templates.
    var value: JSONValue {
        [
            "query": .string(query), "variables": variables, "operationName": operationName.map(JSONValue.string),
        ]
    }

    func prepare(_ fill: TemplateFill, _ open: BodyOpener) throws(ResolveError) -> PreparedBody {
        try JSONContent(value).prepare(fill, open)
    }
}
