import OmbiDocument

/// The environments of a collection as a table, and its changes.
extension Collection {
    /// The rows of a list that any environment has, in the order in which they come first.
    public func environmentRows(of list: EnvironmentPart.List) -> [EnvironmentPart] {
        var rows: [EnvironmentPart] = []
        for environment in environments {
            var seen: [String] = []
            for name in environment.names(in: list) {
                let place = seen.count { EnvironmentPart.isSame($0, name, in: list) }
                seen.append(name)
                let isKnown = rows.contains { row in
                    guard case .row(_, let other, let otherPlace) = row else { return false }
                    return place == otherPlace && EnvironmentPart.isSame(name, other, in: list)
                }
                if !isKnown { rows.append(.row(list, name: name, place: place)) }
            }
        }
        return rows
    }

    /// Throws for a name that a new row of the list cannot have.
    public func checkRowName(_ name: String, in list: EnvironmentPart.List) throws(FieldError) {
        switch list {
        case .headers: try Field.checkHeaderName(name)
        case .variables, .secrets: try Field.checkVariableName(name)
        }
    }

    /// Renames a row in every environment that has it.
    public mutating func rename(_ part: EnvironmentPart, to name: String) throws(FieldError) {
        guard case .row(let list, let old, _) = part else { return }
        try checkRowName(name, in: list)
        let isTaken =
            !EnvironmentPart.isSame(name, old, in: list)
            && environments.contains { $0.names(in: list).contains { EnvironmentPart.isSame($0, name, in: list) } }
        if isTaken { throw FieldError("there is a \(list.noun) \(name) already") }
        for index in environments.indices { environments[index].rename(part, to: name) }
    }

    /// Throws for a name that an environment cannot have: an empty one, or that of another environment.
    public func checkEnvironmentName(_ name: String, besides old: String? = nil) throws(FieldError) {
        if name.allSatisfy({ $0 == " " }) { throw FieldError("an environment needs a name") }
        if name != old, environment(named: name) != nil { throw FieldError("there is an environment \(name) already") }
    }

    /// A name for the copy of an environment.
    public func copyName(ofEnvironment name: String) -> String {
        var copy = "\(name) copy"
        var number = 2
        while environment(named: copy) != nil {
            copy = "\(name) copy \(number)"
            number += 1
        }
        return copy
    }

    /// The name of the environment that takes the place of one of an earlier version of the collection: itself, or its
    /// new name. That of one that is gone stays: no other is chosen in its place. Without a name it is the first, where
    /// one is chosen by itself.
    public func environmentName(following name: String?, in earlier: Collection) -> String? {
        guard let name else {
            return overlay.awaitsEnvironment ? nil : allEnvironments.first { !$0.isAbstract }?.name
        }
        return canChoose(environment: name) ? name : newName(ofEnvironment: name, in: earlier) ?? name
    }

    /// The new name of an environment of which nothing else has changed; nil where there is none.
    private func newName(ofEnvironment name: String, in earlier: Collection) -> String? {
        guard environments.count == earlier.environments.count,
            let index = earlier.environments.firstIndex(where: { $0.name == name }), !environments[index].isAbstract
        else { return nil }
        var renamed = earlier.environments[index]
        renamed.name = environments[index].name
        return renamed == environments[index] ? renamed.name : nil
    }
}

extension Collection {
    /// Logs the errors between environments: names that occur twice, and parents that cannot be.
    func checkEnvironments(in object: ObjectReader) {
        guard let values = object.value("environments")?.elements, values.count == environments.count else { return }
        for (index, value) in values.enumerated() {
            let environment = environments[index]
            // A few: the first set of a program costs a start more than looking through them.
            guard !environments[..<index].contains(where: { $0.name == environment.name }) else {
                let name = JSONValue.quoted(environment.name)
                object.log.error(at: value.offset, "there are two environments named \(name)")
                continue
            }
            if let problem = inheritanceProblem(of: environment) {
                ObjectReader(value)?.error(problem.key, problem.message)
            }
        }
    }
}
