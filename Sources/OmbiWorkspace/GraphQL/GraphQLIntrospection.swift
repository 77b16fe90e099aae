/// The query that asks a service for its schema, and the reader of its response.
package enum GraphQLIntrospection {
    package static let operationName = "IntrospectionQuery"

    /// Requests the parts of a schema that are kept, and types within seven lists and non-null marks.
    package static let query = """
        query IntrospectionQuery {
          __schema {
            queryType { name }
            mutationType { name }
            subscriptionType { name }
            types {
              kind
              name
              description
              fields(includeDeprecated: true) {
                name
                description
                args { ...Input }
                type { ...Reference }
                isDeprecated
                deprecationReason
              }
              inputFields { ...Input }
              interfaces { name }
              enumValues(includeDeprecated: true) {
                name
                description
                isDeprecated
                deprecationReason
              }
              possibleTypes { name }
            }
            directives {
              name
              description
              locations
              args { ...Input }
            }
          }
        }

        fragment Input on __InputValue {
          name
          description
          type { ...Reference }
          defaultValue
        }

        fragment Reference on __Type {
          kind name ofType {
            kind name ofType {
              kind name ofType {
                kind name ofType {
                  kind name ofType {
                    kind name ofType {
                      kind name ofType { kind name }
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
    package init(reading bytes: Bytes) throws(GraphQLSchemaError) {
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
        var reader = GraphQLIntrospectionReader(bytes)
        try reader.read()
        self = try reader.builder.finish()
    }
}

/// Reads the response to an introspection query by the positions of its values: little of it is decoded.
private struct GraphQLIntrospectionReader {
    var builder = GraphQLSchemaBuilder()
    private let bytes: Bytes
    /// The part that is being read, and its start in the response.
    private var document = JSONIndex.document(.empty)
    private var start = 0

    init(_ bytes: Bytes) { self.bytes = bytes }

    mutating func read() throws(GraphQLSchemaError) {
        guard let parts = GraphQLIntrospectionParts(bytes) else { throw syntaxError }
        guard parts.hasSchema else {
            if let message = try message(of: parts.others["errors"]) {
                throw GraphQLSchemaError("the service responds with an error: \(message)")
            }
            throw GraphQLSchemaError("not the response to an introspection query: \"__schema\" is missing")
        }
        for root in GraphQLSchema.Root.allCases {
            guard let part = parts.others[root.rawValue + "Type"] else { continue }
            let type = try open(part)
            guard document.kind(of: type) == .object else { continue }
            builder.roots[root] = try readName(document.members(of: type)["name"]?.value, in: type)
            builder.hasRoots = true
        }
        for part in parts.types { try readType(try open(part)) }
        guard let directives = parts.others["directives"] else { return }
        let list = try open(directives)
        for node in Array(document.children(of: list)) { try readDirective(node) }
    }

    /// Makes a part the document that is read, and returns its value.
    private mutating func open(_ part: Range<Int>) throws(GraphQLSchemaError) -> JSONNode {
        document = Self.document(of: bytes[part])
        start = part.lowerBound
        guard document.error == nil, let root = document.firstRoot else { throw syntaxError }
        return root
    }

    private static func document(of bytes: Bytes) -> JSONDocument {
        let index = JSONIndex(roots: .one, limits: IndexLimits(depth: 64, memory: 256 << 20))
        _ = index.append(bytes)
        return index.finish()
    }

    /// The first error of the response as a whole.
    private var syntaxError: GraphQLSchemaError {
        guard let error = Self.document(of: bytes).error else { return GraphQLSchemaError("not an object of JSON") }
        return GraphQLSchemaError(error.reason, at: error.position)
    }

    /// The message of the first of the errors of a response.
    private mutating func message(of errors: Range<Int>?) throws(GraphQLSchemaError) -> String? {
        guard let errors else { return nil }
        let root = try open(errors)
        guard let first = Array(document.children(of: root)).first,
            let message = document.members(of: first)["message"]
        else { return nil }
        return document.text(of: message.value)?.string.excerpt(120)
    }

    private mutating func readType(_ node: JSONNode) throws(GraphQLSchemaError) {
        let members = document.members(of: node)
        guard let kind = readKind(members["kind"]) else { throw error("a type without a kind", node) }
        let name = try readName(members["name"]?.value, in: node)
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
            name: name, kind: kind, members: start..<end, interfaces: interfaces..<builder.wordCount,
            remark: remark(members))
        guard builder.add(part) else { throw error("more than \(GraphQLSchemaBuilder.maximumTypes) types", node) }
    }

    private mutating func readField(_ node: JSONNode) throws(GraphQLSchemaError) {
        let members = document.members(of: node)
        let name = try readName(members["name"]?.value, in: node)
        let start = builder.inputCount
        for argument in children(members["args"]) { try readInput(argument) }
        let arguments = builder.shareArguments(from: start)
        let type = try readReference(members["type"], in: node)
        builder.fields.append(.init(name: name, type: type, arguments: arguments, remark: remark(members)))
    }

    private mutating func readDirective(_ node: JSONNode) throws(GraphQLSchemaError) {
        let members = document.members(of: node)
        let name = try readName(members["name"]?.value, in: node)
        let inputs = builder.inputCount
        for argument in children(members["args"]) { try readInput(argument) }
        let arguments = builder.shareArguments(from: inputs)
        let places = builder.wordCount
        for place in children(members["locations"]) {
            builder.words.append(GraphQLSchema.Word(name: try readName(place, in: node)))
        }
        // Without a place it could be nowhere, and definitions could not say so.
        guard builder.wordCount > places else { return }
        builder.directives.append(
            GraphQLSchema.Directive(
                name: name, arguments: arguments, places: places..<builder.wordCount, remark: remark(members)))
    }

    /// Keeps the first sentence of the description, and the reason for a deprecation.
    private mutating func remark(_ members: ObjectMembers) -> GraphQLSchema.Remark {
        let isDeprecated = members["isDeprecated"]?.kind == .true
        return builder.remark(
            text(members["description"]), deprecation: isDeprecated ? text(members["deprecationReason"]) ?? "" : nil)
    }

    private func text(_ member: JSONMember?) -> String? { member.flatMap { document.text(of: $0.value)?.string } }

    private mutating func readInput(_ node: JSONNode) throws(GraphQLSchemaError) {
        let members = document.members(of: node)
        let name = try readName(members["name"]?.value, in: node)
        let type = try readReference(members["type"], in: node)
        let value = text(members["defaultValue"])
        // Some services tell other texts; the schema is kept as definitions, which are read again.
        let number = value.map { builder.intern(GraphQLBrackets.isValue($0) ? $0 : JSONValue.quoted($0)) }
        builder.inputs.append(.init(name: name, type: type, defaultValue: number, remark: remark(members)))
    }

    /// Reads the names of the objects in an array.
    private mutating func readWords(_ member: JSONMember?) throws(GraphQLSchemaError) {
        for node in children(member) {
            let members = document.members(of: node)
            let name = try readName(members["name"]?.value, in: node)
            builder.words.append(GraphQLSchema.Word(name: name, remark: remark(members)))
        }
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
            switch text(members["kind"]) {
            case "NON_NULL": wrapper = GraphQLSchema.Reference.nonNull
            case "LIST": wrapper = GraphQLSchema.Reference.list
            default:
                let name = try readName(members["name"]?.value, in: inner.value)
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
        switch text(member) {
        case "SCALAR": .scalar
        case "OBJECT": .object
        case "INTERFACE": .interface
        case "UNION": .union
        case "ENUM": .enumeration
        case "INPUT_OBJECT": .input
        default: nil
        }
    }

    private mutating func readName(_ node: JSONNode?, in owner: JSONNode) throws(GraphQLSchemaError) -> UInt32 {
        guard let node, document.kind(of: node) == .string else { throw error("a name is missing", owner) }
        let maximum = GraphQLSchemaBuilder.maximumMembers
        guard builder.memberCount <= maximum else {
            throw error("more than \(maximum) fields, arguments and values", owner)
        }
        let literal = document.bytes(in: document.range(of: node))
        guard literal.count > 2 else { throw error("a name is empty", node) }
        let name = UnsafeBufferPointer(rebasing: literal[1..<literal.count - 1])
        // A name reaches the screen as it is.
        guard GraphQLNames.isName(name) else { throw error("not a name of GraphQL", node) }
        return builder.intern(name)
    }

    private func children(_ member: JSONMember?) -> [JSONNode] {
        member.map { Array(document.children(of: $0.value)) } ?? []
    }

    private func error(_ reason: String, _ node: JSONNode) -> GraphQLSchemaError {
        var locator = TextLocator(bytes)
        return GraphQLSchemaError(reason, at: locator.position(of: start + document.range(of: node).lowerBound))
    }
}
