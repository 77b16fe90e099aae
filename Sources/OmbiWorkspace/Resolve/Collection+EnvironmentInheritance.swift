/// Environments that inherit from one another.
extension Collection {
    /// The environment of that name with everything that it inherits; nil where there is none.
    package func environment(named name: String) -> Environment? {
        allEnvironments.first { $0.name == name }.map(effective)
    }

    /// An environment with everything that it inherits.
    package func effective(_ environment: Environment) -> Environment {
        let layers = layers(of: environment)
        guard layers.count > 1 || layers.first != environment else { return environment }
        var effective = Environment(layers: layers)
        (effective.name, effective.isAbstract) = (environment.name, environment.isAbstract)
        return effective
    }

    /// The environments that requests can be sent to, with everything that they inherit.
    package var choosableEnvironments: [Environment] { allEnvironments.filter { !$0.isAbstract }.map(effective) }

    /// The environment that is used where none is chosen; nil where one has to be.
    package var defaultEnvironment: Environment? {
        overlay.awaitsEnvironment ? nil : allEnvironments.first { !$0.isAbstract }.map(effective)
    }

    /// True for the name of an environment that requests can be sent to.
    package func canChoose(environment name: String?) -> Bool {
        allEnvironments.contains { $0.name == name && !$0.isAbstract }
    }

    /// The environments that an environment inherits from, the nearest first, each as it is written.
    package func ancestors(of environment: Environment) -> [Environment] {
        var found: [Environment] = []
        var next = environment.inherits
        while let name = next, name != environment.name, found.count < Self.maximumAncestors,
            !found.contains(where: { $0.name == name }),
            let parent = allEnvironments.first(where: { $0.name == name })
        {
            found.append(parent)
            next = parent.inherits
        }
        return found
    }

    /// The most environments that one inherits from.
    private static let maximumAncestors = 100

    func layers(of environment: Environment) -> [Environment] {
        overlaid([environment] + ancestors(of: environment))
    }

    /// The names of the environments that inherit from another one directly.
    package func heirs(of name: String) -> [String] { environments.filter { $0.inherits == name }.map(\.name) }

    /// Throws for an environment that cannot inherit as it says.
    package func checkInheritance(of name: String) throws(FieldError) {
        guard let environment = environments.first(where: { $0.name == name }),
            let problem = inheritanceProblem(of: environment)
        else { return }
        throw FieldError(problem.message)
    }

    /// The key with a problem, and its message.
    func inheritanceProblem(of environment: Environment) -> (key: String, message: String)? {
        let layers = [environment] + ancestors(of: environment)
        if let last = layers.last, let name = last.inherits {
            guard allEnvironments.contains(where: { $0.name == name }) else {
                // Reported where it is written.
                if layers.count > 1 { return nil }
                let known = environments.map(\.name).filter { $0 != environment.name }
                return ("inherits", "there is no environment \"\(name)\"" + Spelling.suggestion(for: name, in: known))
            }
            let path = TemplateError.way(layers.map(\.name) + [name])
            if layers.count > Self.maximumAncestors, !layers.contains(where: { $0.name == name }) {
                return (
                    "inherits", "the environment inherits through more than \(Self.maximumAncestors) levels: \(path)"
                )
            }
            return ("inherits", "the environment inherits from itself: \(path)")
        }
        guard !environment.isAbstract, layers.allSatisfy({ $0.host.isEmpty }), environment.inherits != nil else {
            return nil
        }
        return ("host", "it is missing, and no environment that this one inherits from has one")
    }
}

extension Environment {
    /// The environments that this one was made of, the nearest first: itself where it inherits nothing.
    package var ownLayers: [Environment] { layers.isEmpty ? [self] : layers }

    /// Creates an environment from itself and those that it inherits from, the nearest first. Protection cannot be taken
    /// back, nor a certificate be trusted that was not, nor runs be kept that were not to be; else the nearest that says anything decides.
    init(layers: [Environment]) {
        self = layers.first ?? Environment(name: "", host: "")
        inherits = nil
        host = layers.first { !$0.host.isEmpty }?.host ?? ""
        protected = layers.contains(where: \.protected)
        verifyTLS = layers.allSatisfy(\.verifyTLS)
        isRecorded = layers.allSatisfy(\.isRecorded)
        var precedence = HeaderPrecedence()
        additionalHeaders = layers.flatMap { precedence.take($0.additionalHeaders.filter(\.enabled)) }
        let nearest = layers.first { $0.authentication != nil }
        authentication = nearest?.authentication
        unknownInAuthentication = nearest?.unknownInAuthentication ?? UnknownMembers()
        let policies = layers.compactMap(\.policy)
        policy = policies.isEmpty ? nil : policies.reduce(RequestPolicy()) { $0.merging(over: $1) }
        let objectives = layers.compactMap(\.objective)
        objective = objectives.isEmpty ? nil : objectives.reduce(Objective()) { $0.merging(over: $1) }
        let traces = layers.compactMap(\.trace)
        trace = traces.dropFirst().reduce(traces.first) { $0?.merging(over: $1) }
        let connections = layers.compactMap(\.connection)
        connection = connections.dropFirst().reduce(connections.first) { $0?.merging(over: $1) }
        (variables, secrets) = ([], [])
        for layer in layers.reversed() { inherit(layer) }
        self.layers = layers
    }

    /// Lays the variables and secrets of a nearer environment over those so far.
    private mutating func inherit(_ layer: Environment) {
        let names = Set(layer.variables.filter(\.enabled).map(\.name) + layer.secrets.map(\.name))
        variables = variables.filter { !names.contains($0.name) } + layer.variables.filter(\.enabled)
        secrets = secrets.filter { !names.contains($0.name) } + layer.secrets
    }
}
