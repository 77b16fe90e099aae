/// The evaluation of a schema over a document.
struct SchemaRun {
    let schema: JSONSchema
    let document: JSONDocument
    let time: EvaluationTime
    private var depth = 0
    /// The resources that were entered, the outermost first.
    private var scope: [Int] = []
    /// True inside of `anyOf`, `not` and others whose parts may fail.
    private(set) var isTrying = false
    private(set) var failures: [JSONSchemaFailure] = []

    /// The outcome for one value: the members and elements that were evaluated count where it is valid.
    struct Outcome {
        var isValid = true
        var evaluated: Set<JSONNode> = []

        mutating func merge(_ other: Outcome) {
            if other.isValid { evaluated.formUnion(other.evaluated) } else { isValid = false }
        }

        /// Takes in the outcome for a member or an element.
        mutating func require(_ part: Outcome) { isValid = isValid && part.isValid }
    }

    init(_ schema: JSONSchema, _ document: JSONDocument, _ time: EvaluationTime) {
        (self.schema, self.document, self.time) = (schema, document, time)
    }

    mutating func fail(
        _ outcome: inout Outcome, _ node: JSONNode, _ keyword: String, _ expected: @autoclosure () -> String,
        found: @autoclosure () -> String? = nil
    ) {
        outcome.isValid = false
        guard !isTrying, failures.count < JSONSchema.maximumFailures else { return }
        failures.append(.init(node, keyword, expected(), found: found()))
    }

    mutating func evaluate(_ index: Int, _ node: JSONNode) throws(JSONSchema.Interruption) -> Outcome {
        let part = schema.nodes[index]
        var outcome = Outcome()
        if let isMet = part.constant {
            if !isMet { fail(&outcome, node, "false", "nothing here") }
            return outcome
        }
        try step()
        guard depth < JSONSchema.maximumDepth else { throw .tooDeep }
        depth += 1
        let isEntered = scope.last != part.resource
        if isEntered { scope.append(part.resource) }
        defer {
            depth -= 1
            if isEntered { scope.removeLast() }
        }
        evaluateAssertions(part, node, &outcome)
        switch document.kind(of: node) {
        case .object: try evaluateObject(part, node, &outcome)
        case .array: try evaluateArray(part, node, &outcome)
        case .string, .number, .true, .false, .null: break
        }
        try evaluateApplicators(part, node, &outcome)
        try evaluateRest(part, node, &outcome)
        return outcome
    }

    private mutating func step() throws(JSONSchema.Interruption) {
        if !time.step(), let interruption = time.interruption { throw .interrupted(interruption) }
    }

    /// Evaluates without failures: the schema need not hold.
    mutating func attempt(_ index: Int, _ node: JSONNode) throws(JSONSchema.Interruption) -> Outcome {
        let wasTrying = isTrying
        isTrying = true
        defer { isTrying = wasTrying }
        return try evaluate(index, node)
    }

    // MARK: In place

    private mutating func evaluateApplicators(
        _ part: SchemaNode, _ node: JSONNode, _ outcome: inout Outcome
    ) throws(JSONSchema.Interruption) {
        if let reference = part.reference { outcome.merge(try evaluate(reference, node)) }
        if let reference = part.dynamicReference { outcome.merge(try evaluate(target(of: reference), node)) }
        for schema in part.allOf { outcome.merge(try evaluate(schema, node)) }
        if !part.anyOf.isEmpty { try evaluateAny(part.anyOf, node, &outcome) }
        if !part.oneOf.isEmpty { try evaluateOne(part.oneOf, node, &outcome) }
        if let not = part.not, try attempt(not, node).isValid {
            fail(&outcome, node, "not", "a value that the schema in \"not\" does not describe")
        }
        guard let condition = part.condition else { return }
        let test = try attempt(condition, node)
        if test.isValid { outcome.evaluated.formUnion(test.evaluated) }
        if let branch = test.isValid ? part.then : part.otherwise { outcome.merge(try evaluate(branch, node)) }
    }

    private func target(of reference: SchemaNode.DynamicReference) -> Int {
        guard let name = reference.anchor else { return reference.target }
        for resource in scope { if let target = schema.dynamicAnchors[resource]?[name] { return target } }
        return reference.target
    }

    private mutating func evaluateAny(
        _ schemas: [Int], _ node: JSONNode, _ outcome: inout Outcome
    ) throws(JSONSchema.Interruption) {
        var isMet = false
        for schema in schemas where !isMet || self.schema.tracks {
            let result = try attempt(schema, node)
            guard result.isValid else { continue }
            isMet = true
            outcome.evaluated.formUnion(result.evaluated)
        }
        guard !isMet else { return }
        fail(&outcome, node, "anyOf", "a value of one of \(schemas.count) schemas")
    }

    private mutating func evaluateOne(
        _ schemas: [Int], _ node: JSONNode, _ outcome: inout Outcome
    ) throws(JSONSchema.Interruption) {
        var met: [Outcome] = []
        for schema in schemas {
            let result = try attempt(schema, node)
            if result.isValid { met.append(result) }
        }
        if met.count == 1 { return outcome.merge(met[0]) }
        fail(
            &outcome, node, "oneOf", "a value of exactly one of \(schemas.count) schemas",
            found: met.isEmpty ? nil : "one of \(met.count) of them")
    }
}

/// Keywords about the value alone.
extension SchemaRun {
    private mutating func evaluateAssertions(_ part: SchemaNode, _ node: JSONNode, _ outcome: inout Outcome) {
        if let types = part.types, !types.contains(where: { has($0, node) }) {
            fail(&outcome, node, "type", "the type " + types.joined(separator: " or "))
        }
        if let values = part.values, !values.contains(where: { document.isEqual(node, to: $0, within: time) }) {
            let words = values.map { String($0.compact.prefix(40)) }.joined(separator: ", ")
            fail(&outcome, node, part.isConstant ? "const" : "enum", part.isConstant ? words : "one of \(words)")
        }
        for (keyword, value) in part.bounds where !holds(keyword, value, node) {
            let length = Self.counted(keyword) ? document.length(of: node) : nil
            fail(&outcome, node, keyword, Self.words(keyword, value), found: length.map(String.init))
        }
        if let (text, machine) = part.pattern, let string = document.text(of: node)?.string,
            !machine.matches(Bytes(string.utf8), within: time)
        {
            fail(&outcome, node, "pattern", "a match of \(text.prefix(80))")
        }
        if let format = part.format, let string = document.text(of: node)?.string, !format.accepts(string) {
            fail(&outcome, node, "format", format.words)
        }
    }

    private func has(_ type: String, _ node: JSONNode) -> Bool {
        switch (type, document.kind(of: node)) {
        case ("null", .null), ("boolean", .true), ("boolean", .false), ("object", .object), ("array", .array),
            ("number", .number), ("string", .string):
            true
        case ("integer", .number): document.isInteger(node)
        default: false
        }
    }

    private static func counted(_ keyword: String) -> Bool {
        keyword.hasSuffix("Length") || keyword.hasSuffix("Items") || keyword.hasSuffix("Properties")
    }

    /// Returns the result of a keyword; true for values of a type that it does not apply to.
    private func holds(_ keyword: String, _ value: JSONValue, _ node: JSONNode) -> Bool {
        guard case .number(let digits) = value else { return true }
        let kind = document.kind(of: node)
        if Self.counted(keyword) {
            let fitting: JSONKind =
                keyword.hasSuffix("Length") ? .string : keyword.hasSuffix("Items") ? .array : .object
            guard kind == fitting, let bound = Int(digits), let length = document.length(of: node) else { return true }
            return keyword.hasPrefix("min") ? length >= bound : length <= bound
        }
        guard kind == .number else { return true }
        if keyword == "multipleOf" {
            return DecimalDigits(document.source(of: node)).isMultiple(of: DecimalDigits(digits))
        }
        guard let order = document.order(node, value) else { return true }
        return switch keyword {
        case "minimum": order >= 0
        case "maximum": order <= 0
        case "exclusiveMinimum": order > 0
        default: order < 0
        }
    }

    private static func words(_ keyword: String, _ value: JSONValue) -> String {
        let bound = value.compact
        return switch keyword {
        case "minimum": "at least \(bound)"
        case "maximum": "at most \(bound)"
        case "exclusiveMinimum": "more than \(bound)"
        case "exclusiveMaximum": "less than \(bound)"
        case "multipleOf": "a multiple of \(bound)"
        case "minLength": "at least \(bound) characters"
        case "maxLength": "at most \(bound) characters"
        case "minItems": "at least \(bound) elements"
        case "maxItems": "at most \(bound) elements"
        case "minProperties": "at least \(bound) members"
        default: "at most \(bound) members"
        }
    }
}

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
            fail(&outcome, node, "required", "a member \(JSONValue.quoted(name))", found: Self.lack(keys))
        }
        for (key, required) in part.dependentRequired where keys.contains(key) {
            for name in required where !keys.contains(name) {
                fail(
                    &outcome, node, "dependentRequired",
                    "a member \(JSONValue.quoted(name)) beside \(JSONValue.quoted(key))", found: Self.lack(keys))
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
            outcome.require(try evaluate(schema, child))
        }
        if !part.patternProperties.isEmpty {
            let text = Bytes(key.utf8)
            for (machine, schema) in part.patternProperties where machine.matches(text, within: time) {
                isKnown = true
                outcome.require(try evaluate(schema, child))
            }
        }
        if !isKnown, let schema = part.additionalProperties {
            isKnown = true
            try cover(child, schema, "additionalProperties", "no member \(JSONValue.quoted(key))", &outcome)
        }
        if isKnown, schema.tracks { outcome.evaluated.insert(child) }
    }

    /// Evaluates a child that no other keyword covers; a forbidden one is reported as such.
    private mutating func cover(
        _ child: JSONNode, _ index: Int, _ keyword: String, _ expected: @autoclosure () -> String,
        _ outcome: inout Outcome
    ) throws(JSONSchema.Interruption) {
        guard schema.nodes[index].constant == false else { return outcome.require(try evaluate(index, child)) }
        fail(&outcome, child, keyword, expected())
    }

    /// Evaluates a name as a separate document, because the index has values only.
    private mutating func evaluateName(
        _ key: String, _ child: JSONNode, _ names: Int, _ outcome: inout Outcome
    ) throws(JSONSchema.Interruption) {
        let text = JSONIndex.document(Bytes(JSONValue.quoted(key).utf8))
        guard let root = text.firstRoot else { return }
        var run = SchemaRun(schema, text, time)
        guard try !run.evaluate(names, root).isValid else { return }
        fail(
            &outcome, child, "propertyNames", run.failures.first.map { "a name with \($0.expected)" } ?? "another name",
            found: JSONValue.quoted(key))
    }

    mutating func evaluateArray(
        _ part: SchemaNode, _ node: JSONNode, _ outcome: inout Outcome
    ) throws(JSONSchema.Interruption) {
        if part.hasUniqueItems, let twin = firstTwin(in: node) {
            fail(&outcome, twin, "uniqueItems", "an element that is not there twice")
        }
        guard part.items != nil || !part.prefixItems.isEmpty || part.contains != nil else { return }
        var (index, contained) = (0, 0)
        for child in document.children(of: node) {
            let isFirst = index < part.prefixItems.count
            if isFirst {
                outcome.require(try evaluate(part.prefixItems[index], child))
            } else if let rest = part.items {
                try cover(child, rest, "items", "at most \(part.prefixItems.count) elements", &outcome)
            }
            if isFirst || part.items != nil, schema.tracks { outcome.evaluated.insert(child) }
            if let contains = part.contains, try attempt(contains, child).isValid {
                contained += 1
                if schema.tracks { outcome.evaluated.insert(child) }
            }
            index += 1
        }
        guard part.contains != nil else { return }
        if contained < part.minimumContains {
            fail(
                &outcome, node, part.minimumContains == 1 ? "contains" : "minContains",
                "at least \(part.minimumContains) element\(part.minimumContains == 1 ? "" : "s") of the schema in \"contains\"",
                found: "\(contained)")
        }
        if let maximum = part.maximumContains, contained > maximum {
            fail(
                &outcome, node, "maxContains", "at most \(maximum) elements of the schema in \"contains\"",
                found: "\(contained)")
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
            try cover(child, rest, keyword, "no \(name)", &outcome)
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
