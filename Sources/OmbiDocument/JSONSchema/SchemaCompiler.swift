/// A compiler of JSON Schemas: resolves references, and checks the values of keywords.
struct SchemaCompiler {
    /// Returns another schema by its URI without a fragment; throws the reason why it cannot be read.
    typealias Load = (_ uri: String) throws(JSONSchemaError) -> JSONValue

    private var registry = SchemaRegistry()
    private let load: Load
    private let assertsFormats: Bool
    private(set) var nodes: [SchemaNode] = []
    /// The identifiers of resources, by number.
    private(set) var resources: [String] = []
    private var known: [String: Int] = [:]
    /// The schemas of dynamic anchors by resource and name.
    private(set) var dynamicAnchors: [Int: [String: Int]] = [:]
    private var names: Set<String> = []
    /// True if a keyword depends on the evaluations of others.
    private(set) var tracks = false

    static let maximumNodes = 100_000

    init(assertsFormats: Bool, load: @escaping Load) { (self.assertsFormats, self.load) = (assertsFormats, load) }

    /// - Returns: the index of the schema.
    mutating func compile(_ value: JSONValue, from location: String) throws(JSONSchemaError) -> Int {
        let root = try compile(registry.add(value, from: location))
        try compileDynamicAnchors()
        return root
    }

    /// A resource that is entered late may have an anchor that an earlier dynamic reference leads to.
    private mutating func compileDynamicAnchors() throws(JSONSchemaError) {
        var done = -1
        while done != nodes.count {
            done = nodes.count
            for (number, base) in Array(resources.enumerated()) {
                for name in names where dynamicAnchors[number]?[name] == nil {
                    guard let place = registry.dynamicAnchor(name, in: base) else { continue }
                    dynamicAnchors[number, default: [:]][name] = try compile(place)
                }
            }
        }
    }

    private mutating func resource(_ base: String) -> Int {
        if let number = resources.firstIndex(of: base) { return number }
        resources.append(base)
        return resources.count - 1
    }

    private mutating func compile(_ place: SchemaRegistry.Place) throws(JSONSchemaError) -> Int {
        let key = "\(place.document)#\(place.pointer)"
        if let index = known[key] { return index }
        guard nodes.count < Self.maximumNodes else { throw .init("the schema has more than 100,000 parts") }
        let index = nodes.count
        nodes.append(SchemaNode())
        known[key] = index
        var place = place
        place.base = registry.base(of: place)
        var node = SchemaNode()
        node.resource = resource(place.base)
        switch place.value {
        case .bool(let isMet): node.constant = isMet
        case .object(let members):
            for member in members { try read(member, place, into: &node) }
            tracks = tracks || node.unevaluatedItems != nil || node.unevaluatedProperties != nil
        default: throw .init("a schema is an object, true or false", at: place.pointer)
        }
        nodes[index] = node
        return index
    }

    // MARK: Keywords

    private mutating func read(
        _ member: JSONValue.Member, _ place: SchemaRegistry.Place, into node: inout SchemaNode
    ) throws(JSONSchemaError) {
        let child = place.child(member.key, member.value)
        if let schema = SchemaNode.single[member.key] {
            node[keyPath: schema] = try compile(child)
        } else if let schemas = SchemaNode.lists[member.key] {
            node[keyPath: schemas] = try list(child)
        } else if try !readApplicator(child, member.key, into: &node) {
            try readAssertion(child, member.key, into: &node)
        }
    }

    private mutating func readApplicator(
        _ place: SchemaRegistry.Place, _ key: String, into node: inout SchemaNode
    ) throws(JSONSchemaError) -> Bool {
        switch key {
        case "$ref": node.reference = try compile(target(of: place))
        case "$dynamicRef": node.dynamicReference = try dynamicReference(place)
        case "properties": for (name, schema) in try members(place) { node.properties[name] = try compile(schema) }
        case "patternProperties":
            for (pattern, schema) in try members(place) {
                node.patternProperties.append((try machine(pattern, schema), try compile(schema)))
            }
        case "dependentSchemas":
            for (name, schema) in try members(place) { node.dependentSchemas.append((name, try compile(schema))) }
        case "dependentRequired":
            for (name, list) in try members(place) { node.dependentRequired.append((name, try strings(list))) }
        case "required": node.required = try strings(place)
        case "$defs":
            // Checked, also where nothing refers to them.
            for (_, schema) in try members(place) { _ = try compile(schema) }
        default: return false
        }
        return true
    }

    private func readAssertion(
        _ place: SchemaRegistry.Place, _ key: String, into node: inout SchemaNode
    ) throws(JSONSchemaError) {
        switch key {
        case "type": node.types = try types(place)
        case "const": (node.values, node.isConstant) = ([place.value], true)
        case "enum":
            guard case .array(let values) = place.value else { throw .init("expected an array", at: place.pointer) }
            if !node.isConstant { node.values = values }
        case "pattern":
            guard let text = place.value.stringValue else { throw .init("expected a string", at: place.pointer) }
            node.pattern = (text, try machine(text, place))
        case "format" where assertsFormats: node.format = place.value.stringValue.flatMap { TextFormat(rawValue: $0) }
        case "uniqueItems":
            guard case .bool(let isUnique) = place.value else {
                throw .init("expected true or false", at: place.pointer)
            }
            node.hasUniqueItems = isUnique
        case "minContains": node.minimumContains = try count(place)
        case "maxContains": node.maximumContains = try count(place)
        case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
            node.bounds.append((key, .number(try count(place))))
        case "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
            guard case .number(let digits) = place.value else { throw .init("expected a number", at: place.pointer) }
            if key == "multipleOf", !(Double(digits).map { $0 > 0 } ?? false) {
                throw .init("expected a number above 0", at: place.pointer)
            }
            node.bounds.append((key, place.value))
        default: break
        }
    }

    // MARK: Values of keywords

    private static let typeNames = ["null", "boolean", "object", "array", "number", "string", "integer"]

    private func types(_ place: SchemaRegistry.Place) throws(JSONSchemaError) -> [String] {
        let types: [String]
        if let name = place.value.stringValue { types = [name] } else { types = try strings(place) }
        if let wrong = types.first(where: { !Self.typeNames.contains($0) }) {
            throw .init(
                "unknown type \(JSONValue.quoted(wrong)); the types are " + Self.typeNames.joined(separator: ", "),
                at: place.pointer)
        }
        return types
    }

    private func strings(_ place: SchemaRegistry.Place) throws(JSONSchemaError) -> [String] {
        guard case .array(let elements) = place.value else {
            throw .init("expected an array of strings", at: place.pointer)
        }
        let texts = elements.compactMap(\.stringValue)
        guard texts.count == elements.count else { throw .init("expected an array of strings", at: place.pointer) }
        return texts
    }

    private func count(_ place: SchemaRegistry.Place) throws(JSONSchemaError) -> Int {
        guard case .number(let digits) = place.value,
            let count = Int(digits) ?? Double(digits).flatMap(Int.init(exactly:)), count >= 0
        else { throw .init("expected a whole number from 0", at: place.pointer) }
        return count
    }

    private mutating func list(_ place: SchemaRegistry.Place) throws(JSONSchemaError) -> [Int] {
        guard case .array(let elements) = place.value, !elements.isEmpty else {
            throw .init("expected an array of schemas", at: place.pointer)
        }
        var schemas: [Int] = []
        for (index, element) in elements.enumerated() { schemas.append(try compile(place.child("\(index)", element))) }
        return schemas
    }

    /// Returns the members of an object; the last of two with one key counts.
    private func members(
        _ place: SchemaRegistry.Place
    ) throws(JSONSchemaError) -> [(String, SchemaRegistry.Place)] {
        guard case .object(let members) = place.value else { throw .init("expected an object", at: place.pointer) }
        return members.map { ($0.key, place.child($0.key, $0.value)) }
    }

    private func machine(_ pattern: String, _ place: SchemaRegistry.Place) throws(JSONSchemaError) -> TextPattern {
        do throws(PatternError) { return try TextPattern(ofSchema: pattern) } catch {
            throw .init("\(JSONValue.quoted(pattern)) is no regular expression: \(error)", at: place.pointer)
        }
    }

    // MARK: References

    private mutating func target(of place: SchemaRegistry.Place) throws(JSONSchemaError) -> SchemaRegistry.Place {
        guard let reference = place.value.stringValue else { throw .init("expected a string", at: place.pointer) }
        let uri = SchemaURI.resolve(reference, against: place.base)
        let base = SchemaURI.withoutFragment(uri)
        if registry.resources[base] == nil {
            do throws(JSONSchemaError) { _ = registry.add(try load(base), from: base) } catch {
                throw .init(error.reason, at: place.pointer)
            }
        }
        guard let target = registry.place(of: uri) else {
            throw .init("there is no schema \(JSONValue.quoted(reference))", at: place.pointer)
        }
        return target
    }

    private mutating func dynamicReference(
        _ place: SchemaRegistry.Place
    ) throws(JSONSchemaError) -> SchemaNode.DynamicReference {
        let target = try target(of: place)
        let name = SchemaURI.fragment(place.value.stringValue ?? "")
        let base = registry.base(of: target)
        let isDynamic = !name.isEmpty && !name.hasPrefix("/") && registry.dynamicAnchor(name, in: base) != nil
        if isDynamic { names.insert(name) }
        return .init(target: try compile(target), anchor: isDynamic ? name : nil)
    }
}
