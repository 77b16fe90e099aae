/// Collects the parts of a schema while it is read.
struct GraphQLSchemaBuilder {
    private(set) var names = GraphQLNames()
    private(set) var parts: [GraphQLSchema.Part] = []
    private(set) var fields: [GraphQLSchema.Field] = []
    private(set) var inputs: [GraphQLSchema.Input] = []
    private(set) var words: [UInt32] = []
    private(set) var firstParts: [UInt32] = []
    /// The start of a list of arguments for each hash, and one more; 0 for none.
    private var argumentLists = [UInt32](repeating: 0, count: GraphQLSchemaBuilder.maximumLists)
    var roots: [UInt32?] = [nil, nil, nil]
    /// True once the schema says which types its operations have; without that, their names do.
    var hasRoots = false

    static let maximumTypes = 200_000
    /// Fields, arguments, values and other words together. A schema of 40 MB has some half a million.
    static let maximumMembers = 2_000_000
    /// A power of two.
    private static let maximumLists = 4096
    /// In bytes, of JSON or of definitions.
    static let maximumByteCount = 64 << 20

    private static let scalars = ["Int", "Float", "String", "Boolean", "ID"]

    mutating func intern(_ name: UnsafeBufferPointer<UInt8>) -> UInt32 { names.intern(name) }

    mutating func intern(_ name: String) -> UInt32 {
        var name = name
        return name.withUTF8 { names.intern($0) }
    }

    var memberCount: Int { fields.count + inputs.count + words.count }

    /// The counts before a type or a field is read.
    var fieldCount: UInt32 { UInt32(truncatingIfNeeded: fields.count) }
    var inputCount: UInt32 { UInt32(truncatingIfNeeded: inputs.count) }
    var wordCount: UInt32 { UInt32(truncatingIfNeeded: words.count) }

    /// The count of what are the members of a type of that kind.
    func count(of kind: GraphQLSchema.Kind) -> UInt32 {
        switch kind {
        case .object, .interface: fieldCount
        case .input: inputCount
        case .enumeration, .union: wordCount
        case .scalar: 0
        }
    }

    mutating func add(_ field: GraphQLSchema.Field) { fields.append(field) }

    mutating func add(_ input: GraphQLSchema.Input) { inputs.append(input) }

    /// Returns the place of the arguments that were added last: those of an earlier field if they are the same, as
    /// large schemas have the arguments of pages at most of their fields.
    /// - Parameter start: the count of inputs before they were added.
    mutating func shareArguments(from start: UInt32) -> Range<UInt32> {
        let added = Int(start)..<inputs.count
        guard !added.isEmpty else { return start..<start }
        var hasher = Hasher()
        for input in inputs[added] {
            hasher.combine(input.name)
            hasher.combine(input.type.name)
            hasher.combine(input.type.wrappers)
            hasher.combine(input.defaultValue)
        }
        let slot = hasher.finalize() & (Self.maximumLists - 1)
        let known = argumentLists[slot]
        if known > 0 {
            let first = Int(known - 1)
            let end = first + added.count
            if end <= added.lowerBound, inputs[first..<end].elementsEqual(inputs[added]) {
                inputs.removeLast(added.count)
                return known - 1..<UInt32(truncatingIfNeeded: end)
            }
        }
        argumentLists[slot] = start + 1
        return start..<inputCount
    }

    mutating func add(word: UInt32) { words.append(word) }

    /// Adds a type, or what extends the type of that name.
    /// - Returns: false where there are too many.
    mutating func add(_ part: GraphQLSchema.Part) -> Bool {
        guard parts.count < Self.maximumTypes else { return false }
        while firstParts.count < names.count { firstParts.append(0) }
        let (index, name) = (UInt32(truncatingIfNeeded: parts.count), Int(part.name))
        let weight = 1 + UInt32(truncatingIfNeeded: part.members.count)
        parts.append(part)
        guard firstParts[name] > 0 else {
            parts[Int(index)].weight = weight
            firstParts[name] = index + 1
            return true
        }
        let first = Int(firstParts[name] - 1)
        parts[first].weight += weight
        let last = parts[first].last > 0 ? Int(parts[first].last) : first
        parts[last].next = index
        parts[first].last = index
        return true
    }

    /// Returns the schema, with the scalars that need no definition.
    mutating func finish() throws(GraphQLSchemaError) -> GraphQLSchema {
        guard !parts.isEmpty else { throw GraphQLSchemaError("there is no type in it") }
        for name in Self.scalars {
            let number = intern(name)
            if Int(number) < firstParts.count, firstParts[Int(number)] > 0 { continue }
            _ = add(GraphQLSchema.Part(name: number, kind: .scalar, members: 0..<0, interfaces: 0..<0))
        }
        if !hasRoots {
            // An extension may have named some.
            roots = GraphQLSchema.Root.allCases.map { roots[$0.rawValue] ?? names.number(of: $0.defaultType) }
        }
        while firstParts.count < names.count { firstParts.append(0) }
        return GraphQLSchema(GraphQLSchema.Storage(self))
    }
}
