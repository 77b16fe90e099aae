import OmbiDocument

extension Collection {
    /// Logs the errors between environments: names that occur twice, and parents that cannot be.
    func checkEnvironments(in object: ObjectReader) {
        guard let values = object.value("environments")?.elements, values.count == environments.count else { return }
        var seen: Set<String> = []
        for (value, environment) in zip(values, environments) {
            guard seen.insert(environment.name).inserted else {
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
