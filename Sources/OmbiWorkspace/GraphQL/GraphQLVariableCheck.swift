extension GraphQLSchema {
    /// Returns the problems of a query, and of the values of the variables of the operation that is run.
    package func problems(in content: GraphQLContent) -> [GraphQLProblem] {
        let query = Bytes(content.query.utf8)
        let found = problems(in: query)
        guard query.count <= Self.maximumQueryByteCount, case .object(let members)? = content.variables else {
            return found
        }
        var walk = GraphQLWalk(query, schema: self)
        walk.walk()
        guard let variables = walk.operation(named: content.operationName)?.variables else { return found }
        var locator = TextLocator(query)
        let ofValues = members.flatMap { member -> [GraphQLProblem] in
            guard let variable = variables[member.key], let type = variable.type else { return [] }
            var check = GraphQLVariableCheck(schema: self)
            check.check(member.value, type, "$" + member.key.excerpt(60), depth: 0)
            let offset = variable.name.start
            return check.found.map {
                GraphQLProblem(offset: offset, position: locator.position(of: offset), message: $0)
            }
        }
        return found + ofValues
    }
}

extension GraphQLWalk {
    /// The operation of a name, or the only one; nil for none.
    fileprivate func operation(named name: String?) -> GraphQLDefinition? {
        guard let name else { return operations.count == 1 ? operations.first : nil }
        return operations.first { $0.name.map { bytes.text(of: $0) } == name }
    }
}

/// Checks the value of a variable, before its templates are filled in, against a type.
private struct GraphQLVariableCheck {
    let schema: GraphQLSchema
    private(set) var found: [String] = []
    /// The members and values that may still be looked through.
    private var effort = 100_000

    private static let maximumDepth = 32
    private static let maximumProblems = 10
    /// Among further names no near miss is looked for.
    private static let maximumNames = 2_000

    init(schema: GraphQLSchema) { self.schema = schema }

    mutating func check(_ value: JSONValue, _ type: GraphQLSchema.Reference, _ path: String, depth: Int) {
        guard depth < Self.maximumDepth, effort > 0, found.count < Self.maximumProblems else { return }
        effort -= 1
        switch value {
        // It may become any value.
        case .string(let text) where text.contains("{{"): return
        case .null: if type.isRequired { note(value, type, path) }
        case .array(let elements):
            guard let element = type.element else { return checkNamed(value, type, path, depth: depth) }
            for (index, value) in elements.enumerated() {
                check(value, element, "\(path)[\(index)]", depth: depth + 1)
            }
        case .bool, .number, .string, .object:
            // A list takes one element without brackets.
            guard let element = type.element else { return checkNamed(value, type, path, depth: depth) }
            check(value, element, path, depth: depth + 1)
        }
    }

    private mutating func checkNamed(
        _ value: JSONValue, _ type: GraphQLSchema.Reference, _ path: String, depth: Int
    ) {
        guard let target = schema.type(type.name) else { return }
        switch schema.kind(target) {
        case .object, .interface, .union: return
        case .enumeration:
            guard case .string(let word) = value else { return note(value, type, path) }
            effort -= schema.weight(of: target)
            let words = schema.names(ofWordsOf: target)
            if words.contains(word) { return }
            let hint = Spelling.hint(for: word, in: words.prefix(Self.maximumNames))
            found.append("`\(path)` is no value of \(schema.name(type.name)): \"\(word.excerpt(60))\"\(hint)")
        case .input:
            guard case .object(let members) = value else { return note(value, type, path) }
            checkFields(members, of: target, path, depth: depth)
        case .scalar:
            if !Self.fits(value, schema.name(type.name)) { note(value, type, path) }
        }
    }

    private mutating func checkFields(_ members: [JSONValue.Member], of input: Int, _ path: String, depth: Int) {
        effort -= schema.weight(of: input) * (members.count + 1)
        // A template may become the name of one.
        guard effort > 0, !members.contains(where: { $0.key.contains("{{") }) else { return }
        let inputs = schema.inputs(of: input)
        for member in members {
            let place = path + "." + member.key.excerpt(60)
            guard let field = inputs.first(where: { schema.name($0.name) == member.key }) else {
                let names = inputs.prefix(Self.maximumNames).map { schema.name($0.name) }
                let hint = Spelling.hint(for: member.key, in: names)
                found.append("`\(place)` is no field of \(schema.name(ofType: input))\(hint)")
                continue
            }
            check(member.value, field.acceptedType, place, depth: depth + 1)
        }
        for field in inputs where field.isRequired && found.count < Self.maximumProblems {
            let name = schema.name(field.name)
            if members.contains(where: { $0.key == name }) { continue }
            found.append("`\(path).\(name)` is missing: it is of the type \(schema.text(of: field.type))")
        }
    }

    /// Returns false for a value that a scalar of every service does not take. One of the service's own takes any.
    private static func fits(_ value: JSONValue, _ scalar: String) -> Bool {
        guard GraphQLLiteral.scalars.contains(scalar) else { return true }
        switch value {
        case .number(let text):
            let isInteger = !text.utf8.contains { ".eE".utf8.contains($0) }
            return scalar == "Float" || isInteger && (scalar == "Int" || scalar == "ID")
        case .string: return scalar == "String" || scalar == "ID"
        case .bool: return scalar == "Boolean"
        case .null, .array, .object: return false
        }
    }

    private mutating func note(_ value: JSONValue, _ type: GraphQLSchema.Reference, _ path: String) {
        let word =
            switch value {
            case .null: "null"
            case .bool: "a boolean"
            case .number(let text): text.excerpt(40)
            case .string: "a string"
            case .array: "a list"
            case .object: "an object"
            }
        found.append("`\(path)` is \(word), and \(schema.text(of: type)) is needed")
    }
}
