/// A literal of a query, as far as its first token determines it.
struct GraphQLLiteral {
    /// The scalars that every service has.
    static let scalars = ["Int", "Float", "String", "Boolean", "ID"]

    private enum Kind { case word, boolean, integer, long, fraction, string, object, other }

    private let kind: Kind

    init(_ token: GraphQLToken, in bytes: Bytes) {
        switch token.kind {
        case .name: kind = bytes.has("true", at: token) || bytes.has("false", at: token) ? .boolean : .word
        case .number where token.range.contains { ".eE".utf8.contains(bytes[$0]) }: kind = .fraction
        case .number: kind = Int32(bytes.text(of: token)) == nil ? .long : .integer
        case .string: kind = .string
        case .punctuator: kind = bytes.has("{", at: token) ? .object : .other
        case .spread, .template, .invalid: kind = .other
        }
    }

    /// Returns false for a literal that a type does not take, neither as itself nor as the element of a list.
    func fits(_ type: GraphQLSchema.Kind, _ name: String) -> Bool {
        if kind == .other { return true }
        switch type {
        case .object, .interface, .union: return true
        case .input: return kind == .object
        // An unknown word has a message of its own.
        case .enumeration: return kind == .word || kind == .boolean
        case .scalar: break
        }
        return switch name {
        case "Int": kind == .integer
        case "Float": kind == .integer || kind == .long || kind == .fraction
        case "String": kind == .string
        case "Boolean": kind == .boolean
        case "ID": kind == .string || kind == .integer || kind == .long
        default: true
        }
    }
}

/// A variable that an operation declares.
struct GraphQLVariable {
    var name: GraphQLToken
    /// Nil for a type that is not known.
    var type: GraphQLSchema.Reference?
    /// The type as written.
    var text: String
    /// True for a default value other than null.
    var hasDefault = false
    var isUsed = false

    /// The type of the sent value, which is never null with a default value.
    var sentType: GraphQLSchema.Reference? { hasDefault ? type?.required : type }
}

/// An operation or a fragment.
struct GraphQLDefinition {
    /// A variable at a place that needs a type; nil if the type is unknown.
    struct Use {
        var name: GraphQLToken
        var type: GraphQLSchema.Reference?
    }

    var start = GraphQLToken(kind: .invalid, start: 0, end: 0)
    /// Nil for a query without a name; it may be a template.
    var name: GraphQLToken?
    var isFragment = false
    var variables: [String: GraphQLVariable] = [:]
    /// The variables of a fragment, which each operation that spreads it has to declare.
    var uses: [Use] = []
    var spreads: [GraphQLToken] = []
}

extension GraphQLSchema.Reference {
    /// The type in which null is no value.
    var required: Self { isRequired ? self : Self(name: name, wrappers: wrappers << 2 | Self.nonNull) }

    /// The type in which null is a value.
    var nullable: Self { isRequired ? Self(name: name, wrappers: wrappers >> 2) : self }

    /// Returns true if a variable of this type may be used where another type is needed.
    func fits(_ needed: Self) -> Bool {
        if needed.isRequired { return isRequired && nullable.fits(needed.nullable) }
        let own = nullable
        return switch (own.element, needed.element) {
        case (let own?, let needed?): own.fits(needed)
        case (nil, nil): name == needed.name
        default: false
        }
    }
}

extension GraphQLSchema.Input {
    /// The type of what may be given: null is taken where there is a default value.
    var acceptedType: GraphQLSchema.Reference { defaultValue == nil ? type : type.nullable }
}

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
