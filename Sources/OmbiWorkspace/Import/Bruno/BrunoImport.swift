/// Reads collections of Bruno: files in its own language, texts of OpenCollection, and its exports in JSON.
enum BrunoImport {
    /// Returns true for a file of any version, which may be one that is refused.
    static func recognizes(_ file: ForeignFile) -> Bool {
        guard let root = file.root else { return BruFile.isLikely(file.bytes) || BruFile.isVersion1(file.bytes) }
        guard root.kind == .object else { return false }
        return isOpen(root) || isExport(root) || isEnvironments(root)
    }

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        var reader = BrunoReader(log: ImportLog(file.bytes))
        guard let root = file.root else { return try bru(file, &reader) }
        if isEnvironments(root) {
            var collection = Collection(name: ForeignText.name("", or: file.name))
            collection.environments = environments(root, file.name, &reader)
            return finished(collection, reader).noted(reader.log)
        }
        return try isOpen(root) ? open(root, file, &reader) : export(root, file, &reader)
    }

    // MARK: Forms

    /// A text of OpenCollection: a collection, a request, a folder or an environment.
    static func isOpen(_ root: ForeignValue) -> Bool {
        if root.has("opencollection") || root.openRequest != nil { return true }
        return root["info"]?["type"]?.string == "folder" || isOpenEnvironment(root)
    }

    static func isOpenEnvironment(_ root: ForeignValue) -> Bool {
        guard let variables = root["variables"], variables.kind == .array, root["name"]?.string != nil else {
            return false
        }
        return root.members.allSatisfy { environmentKeys.contains($0.key) }
            && variables.elements.allSatisfy { $0["name"] != nil }
    }

    private static let environmentKeys: Set<String> = [
        "name", "variables", "color", "description", "extends", "dotEnvFilePath", "externalSecrets",
        "clientCertificates",
    ]

    static func isExport(_ root: ForeignValue) -> Bool {
        guard let items = root["items"], items.kind == .array else { return false }
        if ["brunoConfig", "activeEnvironmentUid"].contains(where: { root.has($0) }) { return true }
        if root["exportedUsing"]?.string?.hasPrefix("Bruno") ?? false { return true }
        // The version of Ombi's collections is a number.
        return root["version"]?.string != nil && !items.elements.isEmpty
            && items.elements.allSatisfy { item in
                item["type"]?.string.map { $0 == "folder" || BrunoRequest.isKind($0) } ?? false
            }
    }

    /// Environments that were exported alone.
    private static func isEnvironments(_ root: ForeignValue) -> Bool {
        root["info"]?["type"]?.string == "bruno-environment"
    }

    // MARK: Single files

    private static func bru(_ file: ForeignFile, _ reader: inout BrunoReader) throws(ImportError) -> Imported {
        let bru = try self.bru(file.bytes, reader.log)
        var collection = Collection(name: ForeignText.name("", or: file.name))
        if bru.isEnvironment {
            collection.environments = [reader.environment(file.name, bru.variables)]
        } else if let request = bru.request {
            add(request, to: &collection.items, &reader)
        } else if bru.blocks.contains(where: { $0.name.hasPrefix("vars:") || $0.name == "headers" }) {
            collection.settings = reader.settings(bru.scope, at: 0)
        } else {
            throw reader.log.error(0, "there is no request in this file")
        }
        return finished(collection, reader).noted(reader.log)
    }

    static func bru(_ bytes: [UInt8], _ log: ImportLog) throws(ImportError) -> BruFile {
        guard !BruFile.isVersion1(bytes) else {
            throw log.error(0, "version 1 of Bruno's language is not read; open the collection in Bruno and save it")
        }
        do throws(BruFile.Failure) { return try BruFile(bytes) } catch { throw log.error(error.offset, error.reason) }
    }

    private static func open(
        _ root: ForeignValue, _ file: ForeignFile, _ reader: inout BrunoReader
    ) throws(ImportError) -> Imported {
        try check(root["opencollection"], "OpenCollection", reader.log)
        let name = root["info"]?["name"]?.text ?? root["name"]?.text ?? ""
        var collection = Collection(name: ForeignText.name(name, or: file.name))
        if isOpenEnvironment(root) {
            collection.environments = [reader.openEnvironment(root, name)]
            reader.inherit(&collection.environments)
        } else if let request = root.openRequest {
            collection.name = ForeignText.name("", or: file.name)
            add(request, to: &collection.items, &reader)
        } else {
            collection.settings = reader.settings(root.openScope, at: root.offset)
            collection.items = try items(root["items"], &reader)
            reader.configure(&collection, root["config"])
            if root["items"] == nil, root.has("opencollection") {
                reader.log.loss(
                    root.offset, "items", "the requests are in other files: import the folder that this one is in")
            }
        }
        return finished(collection, reader).noted(reader.log)
    }

    private static func export(
        _ root: ForeignValue, _ file: ForeignFile, _ reader: inout BrunoReader
    ) throws(ImportError) -> Imported {
        guard isExport(root) else { throw file.unknown }
        try check(root["version"], "Bruno's export", reader.log)
        let name = root["name"]?.text ?? root["brunoConfig"]?["name"]?.text ?? ""
        var collection = Collection(name: ForeignText.name(name, or: file.name))
        if let part = root["root"] { collection.settings = reader.exportedSettings(part) }
        collection.items = try items(root["items"], &reader, isExport: true)
        collection.environments = environments(root, file.name, &reader)
        reader.configure(&collection, root["brunoConfig"])
        return finished(collection, reader).noted(reader.log)
    }

    /// Throws for a version other than 1.
    static func check(_ version: ForeignValue?, _ format: String, _ log: ImportLog) throws(ImportError) {
        guard let version, version.text != "1", !version.text.hasPrefix("1.") else { return }
        throw log.error(version.offset, "version \(version.text.excerpted) of \(format) is not read; version 1 is")
    }

    // MARK: Items

    /// - Parameter isExport: true for the items of an export, false for those of OpenCollection.
    static func items(
        _ list: ForeignValue?, _ reader: inout BrunoReader, isExport: Bool = false, depth: Int = 0
    ) throws(ImportError) -> [CollectionItem] {
        var items: [CollectionItem] = []
        for item in list?.elements ?? [] {
            let info = isExport ? item : item["info"]
            let isFolder = info?["type"]?.string == "folder" || !isExport && item["items"]?.kind == .array
            if let request = isExport ? item.exportedRequest : item.openRequest {
                add(request, to: &items, &reader)
            } else if isFolder {
                try reader.log.checkDepth(depth, at: item.offset)
                let name = ForeignText.name((info?["name"] ?? item["name"])?.text ?? "", or: "Folder")
                let settings =
                    isExport
                    ? item["root"].map { reader.exportedSettings($0) } ?? SharedSettings()
                    : reader.settings(item.openScope, at: item.offset)
                let inner = try self.items(item["items"], &reader, isExport: isExport, depth: depth + 1)
                items.append(.folder(Folder(name: name, settings: settings, items: inner)))
            } else {
                reader.noteOther(info?["type"]?.string, at: item.offset)
            }
        }
        return items.withUniqueNames
    }

    /// Adds a request, if it is one over HTTP or a WebSocket.
    static func add(_ request: BrunoRequest, to items: inout [CollectionItem], _ reader: inout BrunoReader) {
        guard request.isHTTP || request.isWebSocket else {
            return reader.noteOther(request.kind, at: request.offset)
        }
        items.append(.request(reader.request(request)))
    }

    private static func environments(
        _ root: ForeignValue, _ name: String, _ reader: inout BrunoReader
    ) -> [Environment] {
        guard let list = root["environments"] else {
            let rows = root["variables"]?.brunoRows ?? []
            return rows.isEmpty ? [] : [reader.environment(root["name"]?.text ?? name, rows)]
        }
        return list.elements.map { environment in
            reader.environment(environment["name"]?.text ?? name, environment["variables"]?.brunoRows ?? [])
        }
    }

    // MARK: The end

    /// Returns the content with what its texts name, and without a word on credentials where there are none to inherit.
    static func finished(_ collection: Collection, _ reader: BrunoReader) -> Imported {
        var collection = collection
        var hasShared = collection.authentication != nil
        collection.items.changeFolders { hasShared = hasShared || $0.authentication != nil }
        if !hasShared {
            collection.items.changeRequests { request in
                if request.authentication == .noAuthentication { request.authentication = nil }
            }
        }
        let own = Set(collection.variables.map(\.name))
        collection.variables += reader.samples.filter { !own.contains($0.name) }
        if collection.sendsCookies {
            collection.connection = SavedConnection { $0.cookies = true }.merging(over: collection.connection)
        }
        return Imported(
            collection, prompts: reader.prompts, processSecrets: reader.processSecrets,
            secretNames: reader.secretNames)
    }
}
