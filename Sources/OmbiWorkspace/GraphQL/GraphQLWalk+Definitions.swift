/// Operations and fragments, and what each operation reaches by way of the fragments that it spreads.
extension GraphQLWalk {
    mutating func readDefinition() throws(Stop) {
        // A description.
        if try peek(.definition).kind == .string { next += 1 }
        let token = try peek(.definition)
        current = GraphQLDefinition(start: token)
        if comes("{") {
            try readSelections(of: schema.root(.query), depth: 0)
            return operations.append(current)
        }
        if token.kind == .template {
            isPart = true
            next += 1
            return
        }
        if comes("fragment") { return try readFragment() }
        guard let root = GraphQLSchema.Root.allCases.first(where: { comes($0.rawValue) }) else {
            throw fail("expected `query`, `mutation` or `fragment`, found \(bytes.found(token))", at: token)
        }
        next += 1
        if let upcoming, upcoming.kind == .name || upcoming.kind == .template {
            current.name = upcoming
            next += 1
        }
        let type = schema.root(root)
        if type == nil { note("the schema has no \(root.rawValue)", at: token) }
        if comes("(") { try readVariables() }
        try readDirectives(GraphQLDirectivePlace(rawValue: root.rawValue.uppercased()))
        try readSelections(of: type, depth: 0)
        operations.append(current)
    }

    private mutating func readFragment() throws(Stop) {
        next += 1
        current.isFragment = true
        let token = try takeName(nil, "the name of a fragment")
        let name = bytes.text(of: token)
        current.name = token
        guard comes("on") else { throw fail("expected `on`") }
        next += 1
        let type = try readCondition(of: nil)
        try readDirectives(.fragmentDefinition)
        try readSelections(of: type, depth: 0)
        if fragments[name] != nil { note("the fragment `\(name.excerpt(60))` is defined twice", at: token) }
        fragments[name] = current
    }

    /// Reads the type of a fragment; nil if it is unknown.
    mutating func readCondition(of outer: Int?) throws(Stop) -> Int? {
        let token = try takeName(.typeCondition(outer), "the name of a type")
        let name = bytes.text(of: token)
        guard let type = schema.type(named: name) else {
            noteUnknownType(name, at: token)
            return nil
        }
        guard schema.kind(type).isComposite else {
            note("\(name.excerpt(60)) has no fields to select", at: token)
            return nil
        }
        if let outer, spend(schema.weight(of: type) + schema.weight(of: outer)), !schema.canBe(type, outer) {
            note("no \(schema.name(ofType: outer)) is of the type \(name.excerpt(60))", at: token)
        }
        return type
    }

    private mutating func readVariables() throws(Stop) {
        next += 1
        while true {
            // A description.
            if try peek(nil).kind == .string { next += 1 }
            if accept(")") { return }
            guard accept("$") else { throw fail("expected a variable such as `$id`") }
            let token = try takeName(nil, "the name of a variable")
            let name = bytes.text(of: token)
            if current.variables[name] != nil {
                note("the variable `$\(name.excerpt(60))` is declared twice", at: token)
            }
            try expect(":", nil)
            let (text, type) = try readVariableType()
            var variable = GraphQLVariable(name: token, type: type, text: text)
            if accept("=") {
                variable.hasDefault = !comes("null")
                try readValue(type, depth: 0)
            }
            current.variables[name] = variable
            try readDirectives(.variableDefinition)
        }
    }

    /// Returns the type as written, and nil for the reference if it is unknown.
    private mutating func readVariableType() throws(Stop) -> (String, GraphQLSchema.Reference?) {
        let start = try peek(.inputType)
        while accept("[") {}
        let token = try takeName(.inputType, "the name of a type")
        let (first, name) = (next, bytes.text(of: token))
        var wrappers: UInt32 = 0
        while comes("]") || comes("!") {
            wrappers = wrappers << 2 | (comes("]") ? GraphQLSchema.Reference.list : GraphQLSchema.Reference.nonNull)
            next += 1
        }
        let text = bytes.text(start.start..<tokens[next - 1].end)
        guard let type = schema.type(named: name) else {
            noteUnknownType(name, at: token)
            return (text, nil)
        }
        guard !schema.kind(type).isComposite else {
            note("\(name.excerpt(60)) is not a type for variables", at: token)
            return (text, nil)
        }
        let isKnown = next - first <= GraphQLSchema.Reference.maximumWrappers
        let number = schema.storage.names.number(of: name)
        return (text, isKnown ? number.map { GraphQLSchema.Reference(name: $0, wrappers: wrappers) } : nil)
    }

    // MARK: Directives

    /// Reads `@name(…)`.
    /// - Parameter place: nil if it is unknown.
    mutating func readDirectives(_ place: GraphQLDirectivePlace?) throws(Stop) {
        var known: Set<String> = []
        while accept("@") {
            let token = try takeName(.directive(place), "the name of a directive")
            // Those of a service may be repeatable without saying so.
            let name = bytes.text(of: token)
            if ["include", "skip"].contains(name), !known.insert(name).inserted {
                note("`@\(name)` is given twice", at: token)
            }
            let inputs = directive(at: token, place).map { schema.arguments(of: $0) }
            if comes("(") {
                try readArguments(inputs, of: inputs == nil ? nil : token)
            } else if let inputs, !isTemplateNext {
                checkRequired(inputs, given: [], of: token, "argument")
            }
        }
    }

    /// Returns the directive of a name; nil if it is unknown, or too expensive to look up.
    private mutating func directive(
        at token: GraphQLToken, _ place: GraphQLDirectivePlace?
    ) -> GraphQLSchema.Directive? {
        let known = schema.storage.directives
        guard spend(known.count) else { return nil }
        let name = bytes.text(of: token)
        guard let directive = schema.directive(named: name) else {
            // Definitions may leave out those that the service has of its own.
            if schema.storage.definesDirectives {
                let hint = hint(for: name, among: known.count, known.map { schema.name($0.name) })
                noteUnknown("directive", "@" + name, hint, at: token)
            }
            return nil
        }
        guard let place, spend(directive.places.count + directive.arguments.count) else { return directive }
        let places = schema.places(of: directive)
        if !places.contains(place.rawValue) {
            let list = places.joined(separator: ", ").excerpt(120)
            note("`@\(name.excerpt(60))` is for \(list), and not for \(place.rawValue)", at: token)
        }
        return directive
    }

    // MARK: Across definitions

    mutating func checkDefinitions() {
        if isPart { return }
        checkNames()
        for spread in operations.flatMap(\.spreads) + fragments.values.flatMap(\.spreads) {
            let name = bytes.text(of: spread)
            if fragments[name] != nil { continue }
            let hint = hint(for: name, among: fragments.count, fragments.keys.sorted())
            noteUnknown("fragment", name, hint, at: spread)
        }
        checkCycles()
        // A template may become what uses a variable or a fragment.
        let isWhole = !tokens.contains { $0.kind == .template }
        var used: Set<String> = []
        for operation in operations {
            guard let reached = checkFragments(of: operation, isWhole: isWhole) else { return }
            used.formUnion(reached)
        }
        guard isWhole else { return }
        for (name, fragment) in fragments where !used.contains(name) {
            note("the fragment `\(name.excerpt(60))` is not used", at: fragment.name ?? fragment.start)
        }
    }

    private mutating func checkNames() {
        var names: Set<String> = []
        for operation in operations where operations.count > 1 {
            guard let token = operation.name else {
                note("of several operations each needs a name", at: operation.start)
                continue
            }
            let name = bytes.text(of: token)
            if token.kind == .name, !names.insert(name).inserted {
                note("the operation `\(name.excerpt(60))` is defined twice", at: token)
            }
        }
    }

    /// Notes fragments that contain themselves, each at the spread that leads back to it. Each fragment is gone through once.
    private mutating func checkCycles() {
        var seen: Set<String> = []
        for (name, fragment) in fragments.sorted(by: { $0.value.start.start < $1.value.start.start })
        where seen.insert(name).inserted {
            // The fragments from this one inwards, with those of their spreads that are still to be looked at.
            var path = [(name: name, spreads: fragment.spreads[...])]
            var open: Set<String> = [name]
            while let spread = path.last?.spreads.first {
                path[path.count - 1].spreads.removeFirst()
                let inner = bytes.text(of: spread)
                if open.contains(inner) {
                    note("the fragment `\(inner.excerpt(60))` contains itself", at: spread)
                } else if let next = fragments[inner], seen.insert(inner).inserted {
                    path.append((inner, next.spreads[...]))
                    open.insert(inner)
                }
                while let last = path.last, last.spreads.isEmpty { open.remove(path.removeLast().name) }
            }
        }
    }

    /// Checks the variables in the fragments that an operation reaches against its declarations.
    /// - Returns: The names of the fragments; nil if that would cost too much, and after too many problems.
    private mutating func checkFragments(of operation: GraphQLDefinition, isWhole: Bool) -> Set<String>? {
        var reached: Set<String> = []
        var used: Set<String> = []
        var waiting = operation.spreads
        while let spread = waiting.popLast() {
            let name = bytes.text(of: spread)
            guard let fragment = fragments[name], reached.insert(name).inserted else { continue }
            // Each of them costs more than a member that is looked through.
            guard !isFull, spend(10 * (fragment.uses.count + fragment.spreads.count)) else { return nil }
            waiting += fragment.spreads
            for use in fragment.uses {
                let name = bytes.text(of: use.name)
                used.insert(name)
                guard let variable = operation.variables[name] else {
                    noteUndeclared(use.name, by: operation)
                    continue
                }
                checkType(of: variable, use, by: operation)
            }
        }
        if isWhole {
            for (name, variable) in operation.variables where !variable.isUsed && !used.contains(name) {
                note("the variable `$\(name.excerpt(60))` is not used", at: variable.name)
            }
        }
        return reached
    }
}
