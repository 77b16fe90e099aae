/// The part of a collection that belongs to this machine only, in files beside its own: `NAME.local.json`, and the names in
/// the `.env` files of its environments.
///
/// It is no part of the file: it is not saved with it, and equal collections may have different ones.
package struct CollectionOverlay: Sendable {
    package var variables: [Variable] = []
    /// Secrets of every environment.
    package var secrets: [Secret] = []
    /// Parts of the environments of the same names, and environments of this machine.
    package var environments: [Environment] = []
    /// The names in the `.env` files that were found, by their paths in the collection.
    package var envFiles: [String: [String]] = [:]
    /// The format of another tool's file, "a Postman collection", which is never written; nil for a file of Ombi.
    package internal(set) var foreignFormat: String?
    /// The paths of the other files that another tool's file is read from.
    var files: [String] = []
    /// True for a collection with requests that are based on operations.
    var hasOperations = false
    /// These operations as their documents have them; nil before the documents were read.
    package internal(set) var operations: SpecifiedOperations?
    /// True for a file of somebody else that is there to be read: nothing is sent until an environment is chosen.
    package internal(set) var awaitsEnvironment = false

    package init() {}

    /// True for the content of another tool's file.
    package var isForeign: Bool { foreignFormat != nil }

    package var isEmpty: Bool {
        variables.isEmpty && secrets.isEmpty && environments.isEmpty && envFiles.isEmpty
    }

    /// Returns true where an environment of this machine is a part of one in the file, or inherits from it.
    package func names(environment name: String) -> Bool {
        environments.contains { $0.name == name || $0.inherits == name }
    }

    package func isSame(as other: CollectionOverlay) -> Bool {
        variables == other.variables && secrets == other.secrets && environments == other.environments
            && envFiles == other.envFiles && operations == other.operations
    }
}

extension CollectionOverlay: Equatable {
    package static func == (_: CollectionOverlay, _: CollectionOverlay) -> Bool { true }
}

extension Collection {
    /// Takes what lies beside the file from another state of the same one.
    package mutating func takeOverlay(from other: Collection?) {
        let (known, hadOperations) = (overlay.operations, overlay.hasOperations)
        overlay = other?.overlay ?? CollectionOverlay()
        overlay.hasOperations = overlay.hasOperations || hadOperations
        guard overlay.hasOperations else { return }
        guard let operations = overlay.operations else { return overlay.operations = known }
        if operations !== known { items.changeRequests { $0.rebase(on: operations) } }
    }

    /// Takes secrets that were written into the local file, which is read again some time later.
    package mutating func addLocal(_ secrets: [Secret]) {
        overlay.secrets += secrets.filter { !overlay.secrets.contains($0) }
    }

    /// The environments of the file, and after them those of this machine.
    package var allEnvironments: [Environment] {
        if overlay.environments.isEmpty { return environments }
        let names = Set(environments.map(\.name))
        return environments + overlay.environments.filter { !names.contains($0.name) }
    }

    /// The variables of the collection, those of this machine last.
    package var allVariables: [Variable] { variables + overlay.variables }

    /// The layers of an environment with what this machine has for it in front of each.
    func overlaid(_ chain: [Environment]) -> [Environment] {
        if overlay.isEmpty { return chain }
        let own = Set(environments.map(\.name))
        var layers = chain.flatMap { layer in
            let mine = own.contains(layer.name) ? overlay.environments.first { $0.name == layer.name } : nil
            return [mine, layer].compactMap { $0 }.map(withEnvFile)
        }
        if let name = chain.last?.name, !overlay.secrets.isEmpty {
            layers.append(Environment(name: name, host: "", secrets: overlay.secrets))
        }
        return layers
    }

    /// The names of its `.env` file are secrets of an environment, behind those that it names itself.
    private func withEnvFile(_ environment: Environment) -> Environment {
        guard let path = environment.envFile, let names = overlay.envFiles[path] else { return environment }
        var environment = environment
        let known = Set(environment.secrets.map(\.name))
        environment.secrets += names.filter { !known.contains($0) }.map { Secret($0, .envFile(path, name: $0)) }
        return environment
    }
}
