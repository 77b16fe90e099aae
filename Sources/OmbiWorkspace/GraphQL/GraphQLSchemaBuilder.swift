/// Collects the parts of a schema while it is read.
struct GraphQLSchemaBuilder {
    private(set) var names = GraphQLNames()
    private(set) var parts: [GraphQLSchema.Part] = []
    var fields: [GraphQLSchema.Field] = []
    var inputs: [GraphQLSchema.Input] = []
    var words: [GraphQLSchema.Word] = []
    var directives: [GraphQLSchema.Directive] = []
    private(set) var firstParts: [UInt32] = []
    /// The start of a list of arguments for each hash, and one more; 0 for none.
    private var argumentLists = [UInt32](repeating: 0, count: GraphQLSchemaBuilder.maximumLists)
    var roots: [GraphQLSchema.Root: UInt32] = [:]
    /// True once the schema names the types of its operations; without that, the types have default names.
    var hasRoots = false

    static let maximumTypes = 200_000
    /// Fields, arguments, values and other words together. A schema of 40 MB has some half a million.
    static let maximumMembers = 2_000_000
    /// A power of two.
    private static let maximumLists = 4096
    /// In bytes, of JSON or of definitions.
    static let maximumByteCount = 64 << 20

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

    /// The number of members that belong to a type of that kind.
    func count(of kind: GraphQLSchema.Kind) -> UInt32 {
        switch kind {
        case .object, .interface: fieldCount
        case .input: inputCount
        case .enumeration, .union: wordCount
        case .scalar: 0
        }
    }

    /// Returns the place of the last added arguments: those of an earlier field if they are the same, because most
    /// fields of large schemas share the arguments for pages.
    /// - Parameter start: The count of inputs before they were added.
    mutating func shareArguments(from start: UInt32) -> Range<UInt32> {
        let added = Int(start)..<inputs.count
        guard !added.isEmpty else { return start..<start }
        var hasher = Hasher()
        for input in inputs[added] {
            hasher.combine(input.name)
            hasher.combine(input.type.name)
            hasher.combine(input.type.wrappers)
            hasher.combine(input.defaultValue)
            hasher.combine(input.remark)
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

    /// Adds a type, or an extension of the type of that name.
    /// - Returns: False if there are too many.
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
        guard !parts.isEmpty || !directives.isEmpty else { throw GraphQLSchemaError("there is no type in it") }
        for name in GraphQLLiteral.scalars {
            let number = intern(name)
            if Int(number) < firstParts.count, firstParts[Int(number)] > 0 { continue }
            _ = add(GraphQLSchema.Part(name: number, kind: .scalar, members: 0..<0, interfaces: 0..<0))
        }
        addImpliedDirectives()
        if !hasRoots {
            // An extension may have named some.
            for root in GraphQLSchema.Root.allCases where roots[root] == nil {
                roots[root] = names.number(of: root.defaultType)
            }
        }
        while firstParts.count < names.count { firstParts.append(0) }
        return GraphQLSchema(GraphQLSchema.Storage(self))
    }

    /// True if a directive for queries is defined.
    var definesDirectives: Bool {
        directives.contains { directive in
            !directive.isImplied
                && directive.places.contains { GraphQLDirectivePlace(rawValue: names[words[Int($0)].name]) != nil }
        }
    }

    private mutating func addImpliedDirectives() {
        let start = inputCount
        let type = GraphQLSchema.Reference(name: intern("Boolean"), wrappers: GraphQLSchema.Reference.nonNull)
        inputs.append(GraphQLSchema.Input(name: intern("if"), type: type))
        let arguments = shareArguments(from: start)
        for name in ["skip", "include"].map({ intern($0) }) where !directives.contains(where: { $0.name == name }) {
            let places = wordCount
            for place in [GraphQLDirectivePlace.field, .fragmentSpread, .inlineFragment] {
                words.append(GraphQLSchema.Word(name: intern(place.rawValue)))
            }
            directives.append(
                GraphQLSchema.Directive(
                    name: name, arguments: arguments, places: places..<wordCount, isImplied: true))
        }
    }
}

/// The names of a schema, each kept once: elsewhere a number of four bytes means one.
struct GraphQLNames: Sendable {
    private var bytes: [UInt8] = []
    /// The end of each name in `bytes`.
    private var ends: [UInt32] = []
    /// A hash table with open addressing: a number and one more, or 0.
    private var slots = [UInt32](repeating: 0, count: 64)

    var count: Int { ends.count }

    subscript(name: UInt32) -> String { String(decoding: bytes[range(of: name)], as: UTF8.self) }

    /// Returns the number of a name; nil if the schema does not have it.
    func number(of name: String) -> UInt32? {
        var name = name
        return name.withUTF8 { find($0) }
    }

    private func find(_ name: UnsafeBufferPointer<UInt8>) -> UInt32? {
        let slot = slot(of: name)
        return slots[slot] > 0 ? slots[slot] - 1 : nil
    }

    /// Returns the number of a name, and keeps the name.
    mutating func intern(_ name: UnsafeBufferPointer<UInt8>) -> UInt32 {
        var slot = slot(of: name)
        if slots[slot] > 0 { return slots[slot] - 1 }
        if (count + 1) * 2 > slots.count {
            grow()
            slot = self.slot(of: name)
        }
        bytes.append(contentsOf: name)
        ends.append(UInt32(truncatingIfNeeded: bytes.count))
        slots[slot] = UInt32(truncatingIfNeeded: count)
        return slots[slot] - 1
    }

    /// Returns true for a name of GraphQL: letters of ASCII, digits and underscores, no digit first.
    static func isName(_ text: some Swift.Collection<UInt8>) -> Bool {
        guard let first = text.first, isStart(first) else { return false }
        return text.allSatisfy(isPart)
    }

    static func isStart(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte == UInt8(ascii: "_") }

    static func isPart(_ byte: UInt8) -> Bool { isStart(byte) || byte.isASCIIDigit }

    // MARK: The table

    private func range(of number: UInt32) -> Range<Int> {
        let index = Int(number)
        return (index > 0 ? Int(ends[index - 1]) : 0)..<Int(ends[index])
    }

    /// The slot of a name, or an empty one for it. Half of all slots are empty.
    private func slot(of name: UnsafeBufferPointer<UInt8>) -> Int {
        // Seeded by each process: no file can be made of names that collide.
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(name))
        let mask = slots.count - 1
        var slot = hasher.finalize() & mask
        while slots[slot] > 0, !bytes[range(of: slots[slot] - 1)].elementsEqual(name) { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        for index in ends.indices {
            let number = UInt32(truncatingIfNeeded: index)
            let name = bytes[range(of: number)]
            let free = name.withUnsafeBufferPointer { slot(of: $0) }
            slots[free] = number + 1
        }
    }
}

extension GraphQLSchema {
    /// The words of a service about a part of its schema. Each is the number of a text, which is kept with the names, and one
    /// more; 0 for none.
    struct Remark: Sendable, Equatable, Hashable {
        /// The first sentence of the description.
        var description: UInt32 = 0
        /// The reason for the deprecation, which may be empty.
        var deprecation: UInt32 = 0

        var isDeprecated: Bool { deprecation > 0 }
    }

    /// The first sentence of the description; empty for none.
    func description(_ remark: Remark) -> String { remark.description > 0 ? name(remark.description - 1) : "" }

    /// The reason for the deprecation; empty for none.
    func reason(_ remark: Remark) -> String { remark.deprecation > 0 ? name(remark.deprecation - 1) : "" }

    /// `String, deprecated: Use name.` or `String  The name of the user.`
    func note(_ word: String, _ remark: Remark) -> String {
        let (reason, description) = (reason(remark), description(remark))
        if remark.isDeprecated { return word + ", deprecated" + (reason.isEmpty ? "" : ": " + reason) }
        return word + (description.isEmpty ? "" : "  " + description)
    }
}

extension GraphQLSchemaBuilder {
    /// Keeps the first sentence of each.
    /// - Parameter deprecation: The reason; nil unless it is deprecated.
    mutating func remark(_ description: String?, deprecation: String? = nil) -> GraphQLSchema.Remark {
        let sentence = description.map(GraphQLSentence.first) ?? ""
        return GraphQLSchema.Remark(
            description: sentence.isEmpty ? 0 : intern(sentence) + 1,
            deprecation: deprecation.map { intern(GraphQLSentence.first(of: $0)) + 1 } ?? 0)
    }
}

/// The first sentence of a description, on one line. It is the same for itself, as schemas are written and read again.
enum GraphQLSentence {
    /// In bytes. A longer sentence is cut off.
    private static let maximumByteCount = 200

    static func first(of text: String) -> String {
        var sentence: [UInt8] = []
        var (lineBreaks, hasSpace) = (0, false)
        for byte in text.utf8 {
            if byte <= 0x20 || byte == 0x7F {
                if byte == 0x0A { lineBreaks += 1 }
                hasSpace = true
                continue
            }
            if hasSpace, let last = sentence.last {
                // After `e.g.` it goes on.
                let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                if lineBreaks > 1 || ".!?".utf8.contains(last) && !isLower { break }
                sentence.append(0x20)
            }
            (lineBreaks, hasSpace) = (0, false)
            sentence.append(byte)
            if sentence.count > maximumByteCount { return cut(sentence) }
        }
        return String(decoding: sentence, as: UTF8.self)
    }

    private static func cut(_ sentence: [UInt8]) -> String {
        let ellipsis = "…"
        var end = maximumByteCount - ellipsis.utf8.count
        while end > 1, sentence[end] & 0xC0 == 0x80 || sentence[end - 1] == 0x20 { end -= 1 }
        return String(decoding: sentence[..<end], as: UTF8.self) + ellipsis
    }
}
