/// The members of objects and the elements of arrays.
extension SchemaRun {
    mutating func evaluateObject(
        _ part: SchemaNode, _ node: JSONNode, _ outcome: inout Outcome
    ) throws(JSONSchema.Interruption) {
        let hasDependencies = !part.dependentRequired.isEmpty || !part.dependentSchemas.isEmpty
        let hasNames = !part.properties.isEmpty || !part.patternProperties.isEmpty || part.additionalProperties != nil
        guard hasNames || hasDependencies || !part.required.isEmpty || part.propertyNames != nil else { return }
        var keys: Set<String> = []
        for child in document.children(of: node) {
            let key = document.key(of: child)?.string ?? ""
            keys.insert(key)
            if hasNames { try evaluateMember(key, child, part, &outcome) }
            if let names = part.propertyNames { try evaluateName(key, child, names, &outcome) }
        }
        for name in part.required where !keys.contains(name) {
            fail(node, "required", "a member \(JSONValue.quoted(name))", found: Self.lack(keys))
            outcome.isValid = false
        }
        for (key, required) in part.dependentRequired where keys.contains(key) {
            for name in required where !keys.contains(name) {
                fail(
                    node, "dependentRequired", "a member \(JSONValue.quoted(name)) beside \(JSONValue.quoted(key))",
                    found: Self.lack(keys))
                outcome.isValid = false
            }
        }
        for (key, schema) in part.dependentSchemas where keys.contains(key) {
            outcome.merge(try evaluate(schema, node))
        }
    }

    private static func lack(_ keys: Set<String>) -> String {
        keys.isEmpty ? "no members" : "only " + keys.sorted().map(JSONValue.quoted).joined(separator: ", ")
    }

    private mutating func evaluateMember(
        _ key: String, _ child: JSONNode, _ part: SchemaNode, _ outcome: inout Outcome
    ) throws(JSONSchema.Interruption) {
        var isKnown = false
        if let schema = part.properties[key] {
            isKnown = true
            if !(try evaluate(schema, child).isValid) { outcome.isValid = false }
        }
        if !part.patternProperties.isEmpty {
            let text = Bytes(key.utf8)
            for (machine, schema) in part.patternProperties where machine.matches(text, within: time) {
                isKnown = true
                if !(try evaluate(schema, child).isValid) { outcome.isValid = false }
            }
        }
        if !isKnown, let schema = part.additionalProperties {
            isKnown = true
            if try !takes(schema, child, "additionalProperties", "no member \(JSONValue.quoted(key))") {
                outcome.isValid = false
            }
        }
        if isKnown, schema.tracks { outcome.evaluated.insert(child) }
    }

    /// Evaluates a child that no other keyword takes; one that must not be there gets a failure of its own.
    private mutating func takes(
        _ index: Int, _ child: JSONNode, _ keyword: String, _ expected: @autoclosure () -> String
    ) throws(JSONSchema.Interruption) -> Bool {
        guard schema.nodes[index].constant == false else { return try evaluate(index, child).isValid }
        fail(child, keyword, expected())
        return false
    }

    /// A name is a document of its own: the index has values only.
    private mutating func evaluateName(
        _ key: String, _ child: JSONNode, _ names: Int, _ outcome: inout Outcome
    ) throws(JSONSchema.Interruption) {
        let text = JSONIndex.document(Bytes(JSONValue.quoted(key).utf8))
        guard let root = text.firstRoot else { return }
        var run = SchemaRun(schema, text, time)
        guard try !run.evaluate(names, root).isValid else { return }
        fail(
            child, "propertyNames", run.failures.first.map { "a name with \($0.expected)" } ?? "another name",
            found: JSONValue.quoted(key))
        outcome.isValid = false
    }

    mutating func evaluateArray(
        _ part: SchemaNode, _ node: JSONNode, _ outcome: inout Outcome
    ) throws(JSONSchema.Interruption) {
        if part.hasUniqueItems, let twin = firstTwin(in: node) {
            fail(twin, "uniqueItems", "an element that is not there twice")
            outcome.isValid = false
        }
        guard part.items != nil || !part.prefixItems.isEmpty || part.contains != nil else { return }
        var (index, contained) = (0, 0)
        for child in document.children(of: node) {
            let schema = index < part.prefixItems.count ? part.prefixItems[index] : part.items
            if let schema {
                let isFirst = index < part.prefixItems.count
                let isValid =
                    isFirst
                    ? try evaluate(schema, child).isValid
                    : try takes(schema, child, "items", "at most \(part.prefixItems.count) elements")
                if !isValid { outcome.isValid = false }
                if self.schema.tracks { outcome.evaluated.insert(child) }
            }
            if let contains = part.contains, try attempt(contains, child).isValid {
                contained += 1
                if self.schema.tracks { outcome.evaluated.insert(child) }
            }
            index += 1
        }
        guard part.contains != nil else { return }
        if contained < part.minimumContains {
            fail(
                node, part.minimumContains == 1 ? "contains" : "minContains",
                "at least \(part.minimumContains) element\(part.minimumContains == 1 ? "" : "s") of the schema in \"contains\"",
                found: "\(contained)")
            outcome.isValid = false
        }
        if let maximum = part.maximumContains, contained > maximum {
            fail(
                node, "maxContains", "at most \(maximum) elements of the schema in \"contains\"", found: "\(contained)")
            outcome.isValid = false
        }
    }

    /// Evaluates the children that no keyword has evaluated, here and in schemas for the same value.
    mutating func evaluateRest(
        _ part: SchemaNode, _ node: JSONNode, _ outcome: inout Outcome
    ) throws(JSONSchema.Interruption) {
        let (rest, keyword): (Int?, String) =
            switch document.kind(of: node) {
            case .object: (part.unevaluatedProperties, "unevaluatedProperties")
            case .array: (part.unevaluatedItems, "unevaluatedItems")
            default: (nil, "")
            }
        guard let rest else { return }
        for child in document.children(of: node) where !outcome.evaluated.contains(child) {
            let name = document.key(of: child).map { "member \(JSONValue.quoted($0.string))" } ?? "further element"
            if try !takes(rest, child, keyword, "no \(name)") { outcome.isValid = false }
            outcome.evaluated.insert(child)
        }
    }

    /// Returns the first element that equals one before it.
    private func firstTwin(in node: JSONNode) -> JSONNode? {
        var known: Set<[UInt8]> = []
        for child in document.children(of: node) {
            var form: [UInt8] = []
            CanonicalForm.append(document.value(of: child), to: &form)
            if !known.insert(form).inserted { return child }
        }
        return nil
    }
}
