import OmbiDocument

/// Reads `http-client.env.json` and `http-client.private.env.json`, environments of `.http` files, and those in the
/// settings of VS Code. All values of a private file are secrets.
enum HTTPEnvironments {
    static func recognizes(_ file: ForeignFile) -> Bool {
        guard isNamed(file.path), let root = file.root, root.kind == .object else { return settings(in: file) != nil }
        return root.members.allSatisfy { $0.value.kind == .object }
    }

    /// The environments in a file of settings, which may have comments and commas at ends; nil for another file.
    private static func settings(in file: ForeignFile) -> ForeignValue? {
        guard [".json", ".code-workspace"].contains(where: { file.path.hasSuffix($0) }),
            file.bytes.count <= maximumSettings, file.bytes.firstRange(of: setting.utf8) != nil
        else { return nil }
        let plain = ForeignBody.withoutTrailingCommas(ForeignBody.withoutComments(file.text))
        let root = file.root ?? (try? ForeignFile(Array(plain.utf8), path: file.path))?.root
        let value = root?[setting] ?? root?["settings"]?[setting]
        return value?.kind == .object ? value : nil
    }

    private static let setting = "rest-client.environmentVariables"
    /// In bytes.
    private static let maximumSettings = 1 << 20

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        guard let root = settings(in: file) ?? file.root, root.kind == .object else { throw file.unknown }
        // The reader of requests has the templates.
        var reader = HTTPFileReader(log: ImportLog(file.bytes))
        var imported = Imported(Collection(name: "imported"))
        imported.completesEnvironments = true
        let isPrivate = file.path.contains(".private.") || file.path.hasSuffix(".user")
        let all = root.members.filter { $0.value.kind == .object }
        var shared = Environment(name: "", host: "")
        for (name, value) in all where commonNames.contains(name) { add(value, to: &shared, isPrivate, &reader) }
        for (name, value) in all where !commonNames.contains(name) {
            var environment = Environment(name: ForeignText.name(name, or: "default"), host: "")
            add(value, to: &environment, isPrivate, &reader)
            let own = Set(environment.variables.map(\.name) + environment.secrets.map(\.name))
            environment.variables += shared.variables.filter { !own.contains($0.name) }
            environment.secrets += shared.secrets.filter { !own.contains($0.name) }
            let headers = Set(environment.additionalHeaders.map { $0.name.lowercased() })
            environment.additionalHeaders += shared.additionalHeaders.filter { !headers.contains($0.name.lowercased()) }
            if isPrivate { imported.secretNames.formUnion(environment.variables.map(\.name)) }
            imported.collection.environments.append(environment)
        }
        imported.globals = reader.variables
        imported.processSecrets = reader.processSecrets.sorted { $0.key < $1.key }.map {
            Secret($0.key, .environment($0.value))
        }
        return imported.noted(reader.log)
    }

    /// Values of all environments.
    private static let commonNames: Set<String> = ["$shared", "$default"]

    private static func isNamed(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name.hasPrefix("http-client.") && (name.hasSuffix(".env.json") || name.hasSuffix(".env.json.user"))
    }

    /// Adds the values of an object, those in it by their whole names.
    private static func add(
        _ object: ForeignValue, to environment: inout Environment, _ isPrivate: Bool, _ reader: inout HTTPFileReader,
        prefix: String = "", depth: Int = 0
    ) {
        for (key, value) in object.members {
            let name = prefix + key
            if prefix.isEmpty, key == "$default_headers" {
                addHeaders(value, to: &environment, &reader)
            } else if prefix.isEmpty, ["Security", "SSLConfiguration"].contains(key) {
                reader.log.loss(
                    value.offset, key, "left out: set the authentication and the connection of the environment")
            } else if value.kind == .object, let provider = value["provider"]?.string {
                let secret = reader.log.variableName(name, at: value.offset)
                environment.secrets.append(Secret(secret, .prompt("")))
                reader.log.loss(value.offset, provider.excerpted, "this source of a secret is not read; it is typed in")
            } else if value.kind == .object, depth < maximumDepth {
                add(value, to: &environment, isPrivate, &reader, prefix: name + ".", depth: depth + 1)
            } else {
                let variable = reader.log.variableName(name, at: value.offset)
                let text = reader.template(value.text, at: value.offset)
                if isPrivate, text.isEmpty {
                    environment.secrets.append(Secret(variable, .prompt("")))
                } else if text != "{{\(variable)}}" {
                    environment.variables.append(Field(variable, text))
                }
            }
        }
    }

    /// Bounds the stack.
    private static let maximumDepth = 20

    private static func addHeaders(
        _ value: ForeignValue, to environment: inout Environment, _ reader: inout HTTPFileReader
    ) {
        for (name, header) in value.members where name.lowercased() != "host" {
            guard reader.log.isHeader(name, at: header.offset) else { continue }
            environment.additionalHeaders.append(Field(name, reader.template(header.text, at: header.offset)))
        }
    }
}
