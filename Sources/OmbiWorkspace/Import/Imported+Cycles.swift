import OmbiDocument

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
