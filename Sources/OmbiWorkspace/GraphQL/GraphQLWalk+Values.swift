import OmbiDocument

/// Values and variables against the types of their places.
extension GraphQLWalk {
    mutating func checkVariable(_ token: GraphQLToken, _ type: GraphQLSchema.Reference?) {
        guard declared != nil else { return usedInFragments.append(token) }
        let name = bytes.text(of: token)
        guard let variable = declared?[name] else { return noteUndeclared(token) }
        declared?[name]?.isUsed = true
        guard let type, let given = variable.sentType, schema.type(type.name) != nil, !given.fits(type) else { return }
        let (written, needed) = (variable.text.excerpt(60), schema.text(of: type))
        note("`$\(name.excerpt(60))` is of the type \(written), and \(needed) is needed", at: token)
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
