import OmbiDocument

extension LoadedCollection {
    /// The collection that the file of another tool gives, with its credentials in memory; nil for another file.
    /// It can be sent, through the gate as any, and is never saved.
    public var importing: LoadedCollection? {
        guard collection == nil, let content = fingerprint.bytes,
            let file = try? ForeignFile(content, path: path),
            file.document != nil || Importer.fileEndings.contains(where: { path.hasSuffix($0) }),
            let importer = Importer.all.first(where: { $0.recognizes(file) }),
            let read = try? importer.read(file), let imported = try? Imported.joined([read]),
            imported.requestCount > 0
        else { return nil }
        var loaded = self
        loaded.collection = imported.opened
        let count = read.losses.count + imported.losses.count
        let command = "ombi import \(ShellQuotes.word(path)) --to NAME.json"
        let losses = count == 0 ? "" : "; \(count) \(count == 1 ? "part" : "parts") of it are left out"
        loaded.problems = [
            Problem(
                file: path, severity: .warning,
                message: "this is \(importer.title), only read\(losses): `\(command)` makes a collection of it")
        ]
        return loaded
    }
}

extension Imported {
    /// The collection with the values of its credentials beside it in memory.
    fileprivate var opened: Collection {
        var result = collection
        result.overlay.isForeign = true
        result.overlay.secrets = secrets.filter { $0.environment == nil }.map { Secret($0.name, .value($0.value)) }
        for environment in result.environments {
            let own = secrets.filter { $0.environment == environment.name }
            guard !own.isEmpty else { continue }
            var part = Environment(name: environment.name, host: "")
            part.isLocal = true
            part.secrets = own.map { Secret($0.name, .value($0.value)) }
            result.overlay.environments.append(part)
        }
        return result
    }
}
