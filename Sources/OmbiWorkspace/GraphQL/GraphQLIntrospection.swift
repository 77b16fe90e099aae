import OmbiCore
import OmbiDocument

/// The query that asks a service for its schema, and the reader of its response.
package enum GraphQLIntrospection {
    package static let operationName = "IntrospectionQuery"

    /// Asks for what a schema keeps, and for types within seven lists and non-null marks.
    package static let query = """
        query IntrospectionQuery {
          __schema {
            queryType { name }
            mutationType { name }
            subscriptionType { name }
            types {
              kind
              name
              fields(includeDeprecated: true) {
                name
                args { name type { ...Reference } defaultValue }
                type { ...Reference }
                isDeprecated
              }
              inputFields { name type { ...Reference } defaultValue }
              interfaces { name }
              enumValues(includeDeprecated: true) { name }
              possibleTypes { name }
            }
          }
        }

        fragment Reference on __Type {
          kind
          name
          ofType {
            kind
            name
            ofType {
              kind
              name
              ofType {
                kind
                name
                ofType {
                  kind
                  name
                  ofType {
                    kind
                    name
                    ofType {
                      kind
                      name
                      ofType { kind name }
                    }
                  }
                }
              }
            }
          }
        }
        """
}

extension GraphQLSchema {
    /// Reads a schema: the JSON of an introspection, or definitions.
    public init(reading bytes: Bytes) throws(GraphQLSchemaError) {
        guard bytes.count <= GraphQLSchemaBuilder.maximumByteCount else {
            throw GraphQLSchemaError("larger than \(GraphQLSchemaBuilder.maximumByteCount >> 20) MiB")
        }
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < bytes.count, bytes[start] <= 0x20 { start += 1 }
        if bytes[start] == UInt8(ascii: "{") {
            try self.init(introspection: bytes)
        } else {
            try self.init(definitions: bytes)
        }
    }

    private init(introspection bytes: Bytes) throws(GraphQLSchemaError) {
        let index = JSONIndex(roots: .one, limits: IndexLimits(depth: 64, memory: 256 << 20))
        _ = index.append(bytes)
        let document = index.finish()
        if let error = document.error { throw GraphQLSchemaError(error.reason, at: error.position) }
        var reader = GraphQLIntrospectionReader(document)
        try reader.read()
        self = try reader.builder.finish()
    }
}

/// Reads the response to an introspection query by the positions of its values: little of it is decoded.
private struct GraphQLIntrospectionReader {
    let document: JSONDocument
    var builder = GraphQLSchemaBuilder()

    init(_ document: JSONDocument) { self.document = document }

    mutating func read() throws(GraphQLSchemaError) {
        guard let root = document.firstRoot else { throw GraphQLSchemaError("empty") }
        var members = document.members(of: root)
        let errors = members["errors"]
        if let data = members["data"] { members = document.members(of: data.value) }
        guard let schema = members["__schema"], schema.kind == .object else {
            if let message = message(of: errors) {
                throw GraphQLSchemaError("the service responds with an error: \(message)")
            }
            throw GraphQLSchemaError("not the response to an introspection query: \"__schema\" is missing")
        }
        let parts = document.members(of: schema.value)
        for (index, key) in ["queryType", "mutationType", "subscriptionType"].enumerated() {
            guard let type = parts[key], type.kind == .object else { continue }
            builder.roots[index] = try readName(document.members(of: type.value)["name"], in: type.value)
            builder.hasRoots = true
        }
        for node in children(parts["types"]) { try readType(node) }
    }

    /// The message of the first of the errors of a response.
    private func message(of errors: JSONMember?) -> String? {
        guard let first = children(errors).first, let message = document.members(of: first)["message"] else {
            return nil
        }
        return document.text(of: message.value)?.string.excerpt(120)
    }

    private mutating func readType(_ node: JSONNode) throws(GraphQLSchemaError) {
        let members = document.members(of: node)
        guard let kind = readKind(members["kind"]) else { throw error("a type without a kind", node) }
        let name = try readName(members["name"], in: node)
        // The types of the introspection itself are the same everywhere.
        if builder.names[name].hasPrefix("__") { return }
        let start: UInt32
        switch kind {
        case .object, .interface:
            start = builder.fieldCount
            for field in children(members["fields"]) { try readField(field) }
        case .input:
            start = builder.inputCount
            for input in children(members["inputFields"]) { try readInput(input) }
        case .enumeration, .union:
            start = builder.wordCount
            try readWords(members[kind == .union ? "possibleTypes" : "enumValues"])
        case .scalar: start = 0
        }
        let end = builder.count(of: kind)
        let interfaces = builder.wordCount
        if kind == .object || kind == .interface { try readWords(members["interfaces"]) }
        let part = GraphQLSchema.Part(
            name: name, kind: kind, members: start..<end, interfaces: interfaces..<builder.wordCount)
        guard builder.add(part) else { throw error("more than \(GraphQLSchemaBuilder.maximumTypes) types", node) }
    }

    private mutating func readField(_ node: JSONNode) throws(GraphQLSchemaError) {
        let members = document.members(of: node)
        let name = try readName(members["name"], in: node)
        let start = builder.inputCount
        for argument in children(members["args"]) { try readInput(argument) }
        let arguments = builder.shareArguments(from: start)
        let type = try readReference(members["type"], in: node)
        builder.add(
            GraphQLSchema.Field(
                name: name, type: type, arguments: arguments,
                isDeprecated: members["isDeprecated"]?.kind == .true))
    }

    private mutating func readInput(_ node: JSONNode) throws(GraphQLSchemaError) {
        let members = document.members(of: node)
        let name = try readName(members["name"], in: node)
        let type = try readReference(members["type"], in: node)
        let value = members["defaultValue"].flatMap { document.text(of: $0.value)?.string }
        // Some services tell other texts; the schema is kept as definitions, which are read again.
        let number = value.map { builder.intern(GraphQLBrackets.isValue($0) ? $0 : JSONValue.quoted($0)) }
        builder.add(GraphQLSchema.Input(name: name, type: type, defaultValue: number))
    }

    /// Reads the names of the objects in an array.
    private mutating func readWords(_ member: JSONMember?) throws(GraphQLSchemaError) {
        for node in children(member) { builder.add(word: try readName(document.members(of: node)["name"], in: node)) }
    }

    private mutating func readReference(
        _ member: JSONMember?, in owner: JSONNode
    ) throws(GraphQLSchemaError) -> GraphQLSchema.Reference {
        var (wrappers, count, lists): (UInt32, UInt32, Int) = (0, 0, 0)
        var last: UInt32 = 0
        var member = member
        while let inner = member, inner.kind == .object {
            let members = document.members(of: inner.value)
            let wrapper: UInt32
            switch members["kind"].flatMap({ document.text(of: $0.value)?.string }) {
            case "NON_NULL": wrapper = GraphQLSchema.Reference.nonNull
            case "LIST": wrapper = GraphQLSchema.Reference.list
            default:
                let name = try readName(members["name"], in: inner.value)
                return GraphQLSchema.Reference(name: name, wrappers: wrappers)
            }
            member = members["ofType"]
            // A second non-null mark says nothing.
            if wrapper == GraphQLSchema.Reference.nonNull, last == wrapper { continue }
            if wrapper == GraphQLSchema.Reference.list { lists += 1 }
            guard lists * 2 < GraphQLSchema.Reference.maximumWrappers else { break }
            wrappers |= wrapper << (2 * count)
            count += 1
            last = wrapper
        }
        throw error("a type without a name, or in more lists than Ombi reads", owner)
    }

    private func readKind(_ member: JSONMember?) -> GraphQLSchema.Kind? {
        switch member.flatMap({ document.text(of: $0.value)?.string }) {
        case "SCALAR": .scalar
        case "OBJECT": .object
        case "INTERFACE": .interface
        case "UNION": .union
        case "ENUM": .enumeration
        case "INPUT_OBJECT": .input
        default: nil
        }
    }

    private mutating func readName(_ member: JSONMember?, in owner: JSONNode) throws(GraphQLSchemaError) -> UInt32 {
        guard let member, member.kind == .string else { throw error("a name is missing", owner) }
        let maximum = GraphQLSchemaBuilder.maximumMembers
        guard builder.memberCount <= maximum else {
            throw error("more than \(maximum) fields, arguments and values", owner)
        }
        let literal = document.bytes(in: document.range(of: member.value))
        guard literal.count > 2 else { throw error("a name is empty", member.value) }
        let name = UnsafeBufferPointer(rebasing: literal[1..<literal.count - 1])
        // A name reaches the screen as it is.
        guard GraphQLNames.isName(name) else { throw error("not a name of GraphQL", member.value) }
        return builder.intern(name)
    }

    private func children(_ member: JSONMember?) -> [JSONNode] {
        member.map { Array(document.children(of: $0.value)) } ?? []
    }

    private func error(_ reason: String, _ node: JSONNode) -> GraphQLSchemaError {
        var locator = TextLocator(document.bytes)
        return GraphQLSchemaError(reason, at: locator.position(of: document.range(of: node).lowerBound))
    }
}
