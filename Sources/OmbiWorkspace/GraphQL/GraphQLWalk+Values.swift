/// Values and variables against the types of their places.
extension GraphQLWalk {
    mutating func checkVariable(_ token: GraphQLToken, _ type: GraphQLSchema.Reference?) {
        let use = GraphQLDefinition.Use(name: token, type: type)
        if current.isFragment { return current.uses.append(use) }
        let name = bytes.text(of: token)
        guard let variable = current.variables[name] else { return noteUndeclared(token) }
        current.variables[name]?.isUsed = true
        checkType(of: variable, use)
    }

    /// - Parameter operation: The operation that spreads the fragment with the variable; nil for a variable of its own.
    mutating func noteUndeclared(_ token: GraphQLToken, by operation: GraphQLDefinition? = nil) {
        let name = bytes.text(of: token)
        let known = (operation ?? current).variables.keys
        let hint = hint(for: name, among: known.count, known.sorted())
        let owner = operation?.name.map { " by `\(bytes.text(of: $0).excerpt(60))`" } ?? ""
        note("the variable `$\(name.excerpt(60))` is not declared\(owner)\(hint)", at: token)
    }

    mutating func checkType(
        of variable: GraphQLVariable, _ use: GraphQLDefinition.Use, by operation: GraphQLDefinition? = nil
    ) {
        guard let type = use.type, let given = variable.sentType, schema.type(type.name) != nil, !given.fits(type)
        else { return }
        let (name, written) = (bytes.text(of: use.name).excerpt(60), variable.text.excerpt(60))
        let owner = operation?.name.map { " in `\(bytes.text(of: $0).excerpt(60))`" } ?? ""
        note("`$\(name)` is of the type \(written)\(owner), and \(schema.text(of: type)) is needed", at: use.name)
    }

    /// Notes a literal that its place never takes. A scalar of the service's own takes any.
    mutating func checkLiteral(_ token: GraphQLToken, _ type: GraphQLSchema.Reference?) {
        guard let type, token.kind != .template, let target = schema.type(type.name) else { return }
        if bytes.has("null", at: token) {
            if type.isRequired { note("null is no value of the type \(schema.text(of: type))", at: token) }
            return
        }
        let name = schema.name(type.name)
        if bytes.has("[", at: token) {
            guard type.element == nil, schema.kind(target) != .scalar || GraphQLLiteral.scalars.contains(name) else {
                return
            }
        } else {
            let literal = GraphQLLiteral(token, in: bytes)
            if literal.fits(schema.kind(target), name) { return }
        }
        note("expected a value of the type \(schema.text(of: type)), found \(bytes.found(token))", at: token)
    }
}
