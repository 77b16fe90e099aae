/// The names of secrets in requests that are exported together: each secret has its own, and none has that of a variable.
struct SecretNames: Sendable {
    private enum Meaning: Equatable {
        case variable
        /// A secret of an environment, which another collection or environment may have under the same name.
        case secret(file: String, environment: String)
        /// A secret that the collection has in clear.
        case text(String)
    }

    private var meanings: [String: Meaning] = [:]

    /// Keeps the names of variables, and gives each secret of an environment its own name where that is free.
    /// - Parameter orders: those of the requests, one for each.
    init(_ requests: [ExportedRequest], of orders: [RunOrder]) {
        var secrets: [(value: ExportValue, order: RunOrder)] = []
        for (request, order) in zip(requests, orders) {
            for value in request.texts.flatMap(\.values) {
                switch Self.meaning(of: value, in: order) {
                case .variable: if case .template = value.source { meanings[value.name] = .variable }
                case .secret: secrets.append((value, order))
                case .text: break
                }
            }
        }
        for (value, order) in secrets { _ = name(of: value, in: order) }
    }

    /// Returns the name of a value, with a number where it is that of another secret.
    mutating func name(of value: ExportValue, in order: RunOrder) -> String {
        let meaning = Self.meaning(of: value, in: order)
        guard meaning != .variable else { return value.name }
        var (name, number) = (value.name, 1)
        while let known = meanings[name], known != meaning {
            number += 1
            name = "\(value.name)\(number)"
        }
        meanings[name] = meaning
        return name
    }

    /// Returns a value under its name.
    mutating func renamed(_ value: ExportValue, in order: RunOrder) -> ExportValue {
        let unique = name(of: value, in: order)
        guard unique != value.name else { return value }
        var renamed = value
        renamed.name = unique
        // A template is written with the name that it has in its collection.
        if case .template = value.source { renamed.source = .secret("") }
        return renamed
    }

    /// A token that is issued has one name for all.
    private static func meaning(of value: ExportValue, in order: RunOrder) -> Meaning {
        switch value.source {
        case .secret(let text): return text.isEmpty ? .variable : .text(text)
        case .template(let template):
            guard case .variable(let name) = template.value, let environment = order.chosenEnvironment,
                environment.secrets.contains(where: { $0.name == name })
            else { return .variable }
            return .secret(file: order.file, environment: environment.name)
        }
    }
}
