extension Imported {
    /// Empties variables that refer to themselves, by way of others, too: nothing could fill them in.
    mutating func breakCycles() {
        let shared = Self.cycles(among: collection.variables)
        collection.variables = emptying(shared, in: collection.variables)
        for index in collection.environments.indices {
            let own = Set(collection.environments[index].variables.map(\.name))
            let others = collection.variables.filter { !own.contains($0.name) }
            let names = Self.cycles(among: collection.environments[index].variables + others)
            collection.environments[index].variables = emptying(names, in: collection.environments[index].variables)
        }
    }

    private mutating func emptying(_ names: Set<String>, in variables: [Variable]) -> [Variable] {
        var variables = variables
        for index in variables.indices where names.contains(variables[index].name) {
            variables[index].value = ""
            notes.append(
                ImportNote(
                    position: TextPosition(line: 1, column: 1), kind: .loss, subject: variables[index].name.excerpted,
                    message: "left empty: the variable refers to itself"))
        }
        return variables
    }

    /// Defines the variables that only a request captures that needs them itself: it would wait for itself.
    mutating func addFirstValues() {
        let index = CaptureIndex(collection)
        guard !index.requests.isEmpty else { return }
        var names: [String] = []
        collection.forEachRequest { request, folders in
            guard !request.captures.isEmpty else { return }
            let levels = folders.map(\.settings) + [collection.settings]
            var used = VariableUses.names(in: request)
            for var level in levels {
                if request.authentication != nil { level.authentication = nil }
                used.formUnion(VariableUses.names(in: level))
            }
            let defined = (levels.flatMap(\.variables) + request.variables).filter(\.enabled).map(\.name)
            for name in request.captures.filter(\.enabled).map(\.name)
            where used.contains(name) && !defined.contains(name) && !names.contains(name) {
                let isAlone = index.requests[name]?.allSatisfy { $0.id == request.id } ?? false
                if isAlone, !isInAllEnvironments(name) { names.append(name) }
            }
        }
        for name in names {
            collection.variables.append(Field(name, ""))
            notes.append(
                ImportNote(
                    position: TextPosition(line: 1, column: 1), kind: .loss, subject: name.excerpted,
                    message: "empty at first, as the request that captures it needs it; give it a value"))
        }
    }

    private func isInAllEnvironments(_ name: String) -> Bool {
        !collection.environments.isEmpty && collection.environments.allSatisfy { $0.defines(name) }
    }

    /// The names of variables in a circle.
    private static func cycles(among variables: [Variable]) -> Set<String> {
        var uses: [String: Set<String>] = [:]
        for variable in variables where variable.enabled && variable.value.contains("{{") {
            uses[variable.name] = Set(TemplateText.names(in: variable.value))
        }
        // A variable that leads nowhere is in no circle, and neither is one that none leads to.
        return Set(reduced(inverted(reduced(uses))).keys)
    }

    /// Leaves out what leads to nothing that is left.
    private static func reduced(_ uses: [String: Set<String>]) -> [String: Set<String>] {
        var users: [String: [String]] = [:]
        var counts: [String: Int] = [:]
        for (name, used) in uses {
            let known = used.filter { uses[$0] != nil }
            counts[name] = known.count
            for other in known { users[other, default: []].append(name) }
        }
        var rest = uses
        var free = counts.filter { $0.value == 0 }.map(\.key)
        while let name = free.popLast() {
            rest[name] = nil
            for user in users[name] ?? [] {
                let count = (counts[user] ?? 0) - 1
                counts[user] = count
                if count == 0 { free.append(user) }
            }
        }
        return rest
    }

    private static func inverted(_ uses: [String: Set<String>]) -> [String: Set<String>] {
        var users = uses.mapValues { _ in Set<String>() }
        for (name, used) in uses {
            for other in used where uses[other] != nil { users[other]?.insert(name) }
        }
        return users
    }
}
