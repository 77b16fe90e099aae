import OmbiDocument

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
