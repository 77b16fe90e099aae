// Sources: Sources/OmbiBase Sources/OmbiDocument Sources/OmbiWorkspace/Format/Spelling.swift Sources/OmbiWorkspace/GraphQL/GraphQLSchema.swift Sources/OmbiWorkspace/GraphQL/GraphQLSchemaBuilder.swift
// Sources: Sources/OmbiWorkspace/GraphQL/GraphQLIntrospection.swift Sources/OmbiWorkspace/GraphQL/GraphQLIntrospectionParts.swift Sources/OmbiWorkspace/GraphQL/GraphQLLexer.swift Sources/OmbiWorkspace/GraphQL/GraphQLDefinitionReader.swift Sources/OmbiWorkspace/GraphQL/GraphQLWalk.swift
// Sources: Sources/OmbiWorkspace/GraphQL/GraphQLLiteral.swift Sources/OmbiWorkspace/GraphQL/GraphQLWalk+Definitions.swift Sources/OmbiWorkspace/GraphQL/GraphQLOperation.swift Sources/OmbiWorkspace/Fields/FieldDescriptor.swift Tests/Fuzz/Stubs/Excerpt.swift

/// Bytes as a schema and as a query: what is read can be written and read again, tokens come in order, and problems have places.
@_cdecl("LLVMFuzzerTestOneInput")
func graphQLFuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Bytes(UnsafeBufferPointer(start: start, count: count))
    var last = 0
    for token in GraphQLLexer.tokens(in: bytes).tokens {
        precondition(token.start >= last && token.end > token.start && token.end <= count, "tokens come in order")
        last = token.end
    }
    check(bytes, known)
    guard let schema = try? GraphQLSchema(reading: bytes) else { return 0 }
    check(Bytes("query A($h: I) { a(b: C) @j(k: 1) { d } ...E } fragment E on F { g(l: $h) }".utf8), schema)
    let text = schema.definitions
    for operation in schema.operations { _ = schema.draft(of: operation) }
    // Types that every schema has are not written.
    guard !text.isEmpty, text.contains("\n\n") || !text.hasPrefix("schema {") else { return 0 }
    let again = try? GraphQLSchema(reading: Bytes(text.utf8))
    precondition(again?.definitions == text, "definitions are read again")
    return 0
}

private let known: GraphQLSchema = {
    let text =
        "directive @g(h: Int!) on FIELD | QUERY "
        + "type Query { \"a. B\" a(b: Int!, c: I): U @deprecated(reason: \"c\") } union U = Query "
        + "input I { d: E! } enum E { F }"
    guard let schema = try? GraphQLSchema(reading: Bytes(text.utf8)) else { preconditionFailure("it is a schema") }
    return schema
}()

private func check(_ query: Bytes, _ schema: GraphQLSchema) {
    for problem in schema.problems(in: query) {
        precondition((0...query.count).contains(problem.offset) && !problem.message.isEmpty, "a problem has a place")
    }
    for cursor in [query.count, query.count / 2] {
        guard let found = schema.completion(of: query, at: cursor) else { continue }
        precondition(found.typed.upperBound == cursor && !found.choices.isEmpty, "a name ends at the cursor")
    }
}
