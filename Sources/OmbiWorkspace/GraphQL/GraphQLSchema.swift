/// The types of a GraphQL service, for completing and checking queries. Of a description, the first sentence is kept.
///
/// It is read once and never changes. Names are stored once and everything else refers to them by numbers, because a
/// schema may be tens of megabytes of JSON. Copies share it, and only copies are equal.
package struct GraphQLSchema: Sendable {
    /// The kind of a type, as the word that defines one.
    enum Kind: String, Sendable {
        case scalar, interface, union, input
        case object = "type"
        case enumeration = "enum"

        /// True for a type whose fields a query selects.
        var isComposite: Bool { self == .object || self == .interface || self == .union }
    }

    /// A type by its name, in lists and with non-null marks around it.
    struct Reference: Sendable, Equatable {
        var name: UInt32
        /// Two bits for each, the outermost lowest.
        var wrappers: UInt32 = 0

        static let list: UInt32 = 1
        static let nonNull: UInt32 = 2
        /// The standard introspection query asks for seven.
        static let maximumWrappers = 16

        var isRequired: Bool { wrappers & 3 == Self.nonNull }

        /// The type of the elements; nil for a type that is no list.
        var element: Reference? {
            let bare = isRequired ? wrappers >> 2 : wrappers
            return bare & 3 == Self.list ? Reference(name: name, wrappers: bare >> 2) : nil
        }
    }

    struct Field: Sendable {
        var name: UInt32
        var type: Reference
        /// Indices of inputs, which fields with the same arguments share.
        var arguments: Range<UInt32>
        var remark = Remark()

        var isDeprecated: Bool { remark.isDeprecated }
    }

    /// An argument, or a field of an input type.
    struct Input: Sendable, Equatable {
        var name: UInt32
        var type: Reference
        /// The number of its text, which is kept with the names; nil for none.
        var defaultValue: UInt32?
        var remark = Remark()

        var isRequired: Bool { type.isRequired && defaultValue == nil }
    }

    /// A value of an enum, a member of a union, an interface of a type, or a place of a directive.
    struct Word: Sendable {
        var name: UInt32
        var remark = Remark()
    }

    struct Directive: Sendable {
        var name: UInt32
        /// Indices of inputs.
        var arguments: Range<UInt32>
        /// Indices of words such as `FIELD`.
        var places: Range<UInt32>
        var isRepeatable = false
        /// True for a type that every service has, and that the schema does not define.
        var isImplied = false
        var remark = Remark()
    }

    /// A type, or an extension of one.
    struct Part: Sendable {
        var name: UInt32
        var kind: Kind
        /// Indices of fields, of inputs or of words, as the kind has it.
        var members: Range<UInt32>
        /// Indices of words.
        var interfaces: Range<UInt32>
        var remark = Remark()
        /// The index of the next extension and, in the first part, of the last one; 0 for none.
        var next: UInt32 = 0
        var last: UInt32 = 0
        /// In the first part, the count of all parts and their members.
        var weight: UInt32 = 0
    }

    /// An operation that a schema may have.
    package enum Root: String, CaseIterable, Sendable {
        case query, mutation, subscription

        /// The name of its type if the schema does not name it.
        var defaultType: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
    }

    final class Storage: Sendable {
        let names: GraphQLNames
        let parts: [Part]
        let fields: [Field]
        let inputs: [Input]
        let words: [Word]
        let directives: [Directive]
        /// True if one for queries is defined, and thus all of them: definitions may omit them.
        let definesDirectives: Bool
        /// The first part of each name, and one more; 0 for a name that is none of a type.
        let firstParts: [UInt32]
        /// The names of the types of the operations.
        let roots: [Root: UInt32]

        init(_ builder: GraphQLSchemaBuilder) {
            names = builder.names
            parts = builder.parts
            fields = builder.fields
            inputs = builder.inputs
            words = builder.words
            directives = builder.directives
            definesDirectives = builder.definesDirectives
            firstParts = builder.firstParts
            roots = builder.roots
        }
    }

    let storage: Storage

    init(_ storage: Storage) { self.storage = storage }
}

/// A place of a directive in a query.
enum GraphQLDirectivePlace: String, Sendable {
    case query = "QUERY"
    case mutation = "MUTATION"
    case subscription = "SUBSCRIPTION"
    case field = "FIELD"
    case fragmentDefinition = "FRAGMENT_DEFINITION"
    case fragmentSpread = "FRAGMENT_SPREAD"
    case inlineFragment = "INLINE_FRAGMENT"
    case variableDefinition = "VARIABLE_DEFINITION"
}

extension GraphQLSchema: Equatable {
    package static func == (one: GraphQLSchema, other: GraphQLSchema) -> Bool { one.storage === other.storage }
}

/// The reason why a schema cannot be read.
package struct GraphQLSchemaError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Nil if the problem concerns the whole file.
    package var position: TextPosition?
    package var reason: String

    init(_ reason: String, at position: TextPosition? = nil) {
        self.reason = reason
        self.position = position
    }

    package var description: String { position.map { "\($0): \(reason)" } ?? reason }
}

/// Looking things up. A type is the index of its first part.
extension GraphQLSchema {
    func name(_ number: UInt32) -> String { storage.names[number] }

    /// Returns the type of a name; nil if it is absent.
    func type(_ name: UInt32) -> Int? {
        let index = Int(name)
        guard index < storage.firstParts.count, storage.firstParts[index] > 0 else { return nil }
        return Int(storage.firstParts[index] - 1)
    }

    func type(named name: String) -> Int? { storage.names.number(of: name).flatMap { type($0) } }

    /// The cost of looking through the members of a type.
    func weight(of type: Int) -> Int { Int(storage.parts[type].weight) }

    /// Returns true for a type that others refer to: an undefined one may be in another file.
    func isReferred(_ name: String) -> Bool {
        guard let number = storage.names.number(of: name) else { return false }
        return storage.fields.contains { $0.type.name == number } || storage.inputs.contains { $0.type.name == number }
            || storage.words.contains { $0.name == number }
    }

    func root(_ root: Root) -> Int? { storage.roots[root].flatMap { type($0) } }

    func kind(_ type: Int) -> Kind { storage.parts[type].kind }

    func name(ofType type: Int) -> String { name(storage.parts[type].name) }

    /// The types in the order of the schema, each once.
    var types: [Int] { storage.parts.indices.filter { type(storage.parts[$0].name) == $0 } }

    /// The type and its extensions of the same kind.
    private func parts(of type: Int) -> [Part] {
        let first = storage.parts[type]
        var parts = [first]
        var next = first.next
        while next > 0 {
            let part = storage.parts[Int(next)]
            if part.kind == first.kind { parts.append(part) }
            next = part.next
        }
        return parts
    }

    /// The fields that a query selects; none for a union or a leaf.
    func fields(of type: Int) -> [Field] {
        guard kind(type) == .object || kind(type) == .interface else { return [] }
        return parts(of: type).flatMap { part in part.members.map { storage.fields[Int($0)] } }
    }

    func field(_ name: String, of type: Int) -> Field? {
        guard let number = storage.names.number(of: name), kind(type) == .object || kind(type) == .interface else {
            return nil
        }
        for part in parts(of: type) {
            // Without a copy of them all, as each field of a query is looked up.
            for index in part.members where storage.fields[Int(index)].name == number {
                return storage.fields[Int(index)]
            }
        }
        return nil
    }

    func arguments(of field: Field) -> [Input] { field.arguments.map { storage.inputs[Int($0)] } }

    /// The fields of an input type; none for any other.
    func inputs(of type: Int) -> [Input] {
        guard kind(type) == .input else { return [] }
        return parts(of: type).flatMap { part in part.members.map { storage.inputs[Int($0)] } }
    }

    /// The values of an enum, or the members of a union.
    func words(of type: Int) -> [Word] {
        guard kind(type) == .enumeration || kind(type) == .union else { return [] }
        return parts(of: type).flatMap { part in part.members.map { storage.words[Int($0)] } }
    }

    func names(ofWordsOf type: Int) -> [String] { words(of: type).map { name($0.name) } }

    func interfaces(of type: Int) -> [String] {
        parts(of: type).flatMap { part in part.interfaces.map { name(storage.words[Int($0)].name) } }
    }

    /// Returns true for types that an object may be both of.
    func canBe(_ one: Int, _ other: Int) -> Bool {
        guard kind(one) == .object else { return kind(other) == .object ? canBe(other, one) : true }
        return switch kind(other) {
        case .object: one == other
        case .union: names(ofWordsOf: other).contains(name(ofType: one))
        case .interface: interfaces(of: one).contains(name(ofType: other))
        case .scalar, .enumeration, .input: true
        }
    }

    func directive(named name: String) -> Directive? {
        guard let number = storage.names.number(of: name) else { return nil }
        return storage.directives.first { $0.name == number }
    }

    func arguments(of directive: Directive) -> [Input] { directive.arguments.map { storage.inputs[Int($0)] } }

    /// The names of the places of a directive, such as `FIELD`.
    func places(of directive: Directive) -> [String] { directive.places.map { name(storage.words[Int($0)].name) } }

    /// `[User!]!`
    func text(of reference: Reference) -> String {
        var (opening, closing) = ("", "")
        var rest = reference.wrappers
        while rest != 0 {
            if rest & 3 == Reference.list {
                opening += "["
                closing = "]" + closing
            } else {
                closing = "!" + closing
            }
            rest >>= 2
        }
        return opening + name(reference.name) + closing
    }
}

extension GraphQLSchema {
    /// The schema in the language of definitions, in the order in which it was read; directives come last.
    package var definitions: String {
        var parts: [String] = []
        // A type may have the name of an operation that the service does not have: a subscription that is paid for.
        if Root.allCases.contains(where: { root($0) != type(named: $0.defaultType) }) {
            let roots = Root.allCases.compactMap { root in
                self.root(root).map { "  \(root.rawValue): \(name(ofType: $0))\n" }
            }
            parts.append("schema {\n" + roots.joined() + "}\n")
        }
        for type in types where kind(type) != .scalar || !GraphQLLiteral.scalars.contains(name(ofType: type)) {
            parts.append(definition(of: type))
        }
        for directive in storage.directives where !directive.isImplied { parts.append(definition(of: directive)) }
        return parts.joined(separator: "\n")
    }

    /// `first: Int = 10`
    func text(of input: Input) -> String {
        "\(name(input.name)): \(text(of: input.type))" + (input.defaultValue.map { " = " + name($0) } ?? "")
    }

    private func definition(of type: Int) -> String {
        let interfaces = interfaces(of: type)
        let head =
            text(of: storage.parts[type].remark, "") + kind(type).rawValue + " " + name(ofType: type)
            + (interfaces.isEmpty ? "" : " implements " + interfaces.joined(separator: " & "))
        switch kind(type) {
        case .scalar: return head + "\n"
        case .union:
            let members = names(ofWordsOf: type)
            return head + (members.isEmpty ? "" : " = " + members.joined(separator: " | ")) + "\n"
        case .enumeration:
            return head + Self.braces(words(of: type).map { described(name($0.name), $0.remark, "  ") })
        case .input: return head + Self.braces(inputs(of: type).map { described(text(of: $0), $0.remark, "  ") })
        case .object, .interface: return head + Self.braces(fields(of: type).map { definition(of: $0) })
        }
    }

    private func definition(of field: Field) -> String {
        described(
            name(field.name) + definition(of: arguments(of: field), "  ") + ": " + text(of: field.type), field.remark,
            "  ")
    }

    private func definition(of directive: Directive) -> String {
        let head = "directive @" + name(directive.name) + definition(of: arguments(of: directive), "")
        let places = places(of: directive).joined(separator: " | ")
        return text(of: directive.remark, "") + head + (directive.isRepeatable ? " repeatable" : "") + " on \(places)\n"
    }

    /// Arguments in parentheses, each on a separate line if one has a description.
    private func definition(of inputs: [Input], _ indent: String) -> String {
        if inputs.isEmpty { return "" }
        guard inputs.contains(where: { $0.remark.description > 0 }) else {
            return "(" + inputs.map { described(text(of: $0), $0.remark, "") }.joined(separator: ", ") + ")"
        }
        return inputs.reduce("(\n") { $0 + described(text(of: $1), $1.remark, indent + "  ") + "\n" } + indent + ")"
    }

    /// A member with its description on the line before, and its deprecation after it.
    private func described(_ member: String, _ remark: Remark, _ indent: String) -> String {
        let reason = reason(remark)
        let deprecation = " @deprecated" + (reason.isEmpty ? "" : "(reason: \(JSONValue.quoted(reason)))")
        return text(of: remark, indent) + indent + member + (remark.isDeprecated ? deprecation : "")
    }

    /// The description on a separate line; empty without one.
    private func text(of remark: Remark, _ indent: String) -> String {
        remark.description > 0 ? indent + JSONValue.quoted(description(remark)) + "\n" : ""
    }

    private static func braces(_ members: [String]) -> String {
        members.isEmpty ? "\n" : " {\n" + members.reduce(into: "") { $0 += $1 + "\n" } + "}\n"
    }
}
