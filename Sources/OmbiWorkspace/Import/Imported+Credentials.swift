extension Imported {
    /// Takes the credentials out of the collection, which names them from then on.
    mutating func moveCredentials() {
        var mover = CredentialMover(collection, hasSamples ? secretNames : secretNames.union(namesOfCredentials))
        mover.moveVariables(&collection)
        mover.moveDeclared(&collection.variables)
        for index in collection.environments.indices { mover.moveDeclared(&collection.environments[index].variables) }
        mover.move(&collection.authentication)
        collection.items.changeFolders { folder in
            mover.moveDeclared(&folder.variables)
            mover.move(&folder.authentication)
        }
        collection.items.changeRequests { request in
            mover.moveDeclared(&request.variables)
            mover.move(&request.authentication)
        }
        secrets = mover.secrets
        // Names that are taken, though nothing in the collection has them.
        collection.overlay.variables = secrets.map { Field($0.name, "") }
        let found = PlainSecrets(
            Bytes(collection.text.utf8), file: "collection.json", collection: collection, hasSamples: hasSamples)
        if let found, let changed = found.collection(without: found.found, of: collection) {
            collection = changed
            secrets += PlainSecrets.values(of: found.found).map {
                ImportedSecret(name: $0.name, value: $0.value, environment: nil)
            }
        }
        collection.overlay = CollectionOverlay()
    }

    /// The names of the variables that the secret parts of credentials are made of.
    private var namesOfCredentials: Set<String> {
        var names: Set<String> = []
        func add(_ authentication: SavedAuthentication?) {
            guard let authentication else { return }
            for part in authentication.kind.descriptors where part.isSecret {
                names.formUnion(TemplateText.names(in: part.read(authentication)))
            }
        }
        add(collection.authentication)
        var items = collection.items
        items.changeFolders { add($0.authentication) }
        items.changeRequests { add($0.authentication) }
        return names
    }

    /// The collection with a source for each credential; the local file is that of those without.
    func written(with source: (ImportedSecret) -> Secret.Source?) -> Collection {
        var result = collection
        var names = result.environments.map { Set($0.secrets.map(\.name)) }
        for secret in secrets {
            guard let source = source(secret) else { continue }
            for index in result.environments.indices
            where secret.environment.map({ $0 == result.environments[index].name }) ?? true {
                guard names[index].insert(secret.name).inserted else { continue }
                result.environments[index].secrets.append(Secret(secret.name, source))
            }
        }
        return result
    }
}

/// Moves values that are credentials by their place.
private struct CredentialMover {
    private(set) var secrets: [ImportedSecret] = []
    private var names: UniqueNames
    private var namesOfValues: [String: String] = [:]

    /// The names of variables that are secret whatever their values are.
    private let secretNames: Set<String>

    init(_ collection: Collection, _ secretNames: Set<String>) {
        self.secretNames = secretNames
        var taken = Set(collection.variables.map(\.name))
        taken.formUnion(collection.environments.flatMap { $0.variables.map(\.name) + $0.secrets.map(\.name) })
        taken.formUnion(collection.requests.flatMap { $0.captures.map(\.name) })
        var (items, ofFolders) = (collection.items, Set<String>())
        items.changeFolders { ofFolders.formUnion($0.variables.map(\.name)) }
        taken.formUnion(collection.requests.flatMap { $0.variables.map(\.name) })
        names = UniqueNames(taken.union(ofFolders))
    }

    /// Makes secrets of variables that are named or look like some.
    mutating func moveVariables(_ collection: inout Collection) {
        for index in collection.environments.indices {
            let name = collection.environments[index].name
            let own = Set(collection.environments[index].secrets.map(\.name))
            for variable in collection.environments[index].variables
            where isSecret(variable) && !own.contains(variable.name) {
                secrets.append(ImportedSecret(name: variable.name, value: variable.value, environment: name))
            }
            collection.environments[index].variables.removeAll { isSecret($0) && !own.contains($0.name) }
        }
        let ofEnvironments = Set(
            collection.environments.flatMap { $0.variables.map(\.name) + $0.secrets.map(\.name) }
                + secrets.map(\.name))
        for variable in collection.variables
        where isSecret(variable) && !ofEnvironments.contains(variable.name) {
            secrets.append(ImportedSecret(name: variable.name, value: variable.value, environment: nil))
            namesOfValues[variable.value] = variable.name
        }
        collection.variables.removeAll { isSecret($0) && !ofEnvironments.contains($0.name) }
    }

    /// Puts templates in the places of values that the file calls secret and that no secret replaces: those of folders,
    /// and of variables that are switched off or that an environment has as well.
    mutating func moveDeclared(_ variables: inout [Variable]) {
        for index in variables.indices where secretNames.contains(variables[index].name) {
            let (name, value) = (variables[index].name, variables[index].value)
            names.insert(name)
            // No variable can name itself.
            if namesOfValues[value] == name { namesOfValues[value] = nil }
            move(&variables[index].value, as: name)
        }
    }

    /// Returns true for a value that is a credential from its start to its end.
    private func isSecret(_ variable: Variable) -> Bool {
        guard variable.enabled, !variable.value.isEmpty, !variable.value.contains("{{") else { return false }
        let found = SecretDetector.find(in: variable.value, named: variable.name)
        return secretNames.contains(variable.name)
            || found.contains { $0.range == variable.value.startIndex..<variable.value.endIndex }
    }

    /// Puts templates in the places of the parts that should come from secrets, by the names of their examples.
    mutating func move(_ authentication: inout SavedAuthentication?) {
        guard var moved = authentication else { return }
        for part in moved.kind.descriptors where part.isSecret {
            var text = part.read(moved)
            move(&text, as: String(part.example.dropFirst(2).dropLast(2)))
            try? part.write(&moved, text)
        }
        authentication = moved
    }

    /// Puts a template in the place of a value that has none.
    private mutating func move(_ text: inout String, as base: String) {
        guard !text.isEmpty, !text.contains("{{") else { return }
        if let known = namesOfValues[text] {
            text = "{{\(known)}}"
            return
        }
        let name = names.take(base)
        namesOfValues[text] = name
        secrets.append(ImportedSecret(name: name, value: text, environment: nil))
        text = "{{\(name)}}"
    }
}
