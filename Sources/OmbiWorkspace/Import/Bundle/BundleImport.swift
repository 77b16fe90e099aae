/// The form of an incident bundle: one JSON file with requests and recorded runs, to hand over.
package enum BundleFormat {
    /// The value of `ombi` in the outermost object.
    static let marker = "incident-bundle"
    /// The value of `format`. A `version` there would make the file one of a collection to whoever lists a folder.
    static let version = 1
    /// In bytes.
    package static let maximumSize = 64 << 20
    static let maximumRequests = 5000

    /// Returns true for the beginning of a bundle. It decides whether a file is read as one, and nothing else.
    package static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
        let start = bytes.prefix(Self.maximumStart).filter { $0 > 0x20 }
        return start.starts(with: Array("{\"ombi\":\"\(marker)\"".utf8))
    }

    /// The bytes in which the marker is looked for.
    package static let maximumStart = 256
}

/// Reads the requests of an incident bundle; its runs are `IncidentBundle`'s.
enum BundleImport {
    static func recognizes(_ file: ForeignFile) -> Bool { file.root?["ombi"]?.string == BundleFormat.marker }

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        let log = ImportLog(file.bytes)
        guard let root = file.root, recognizes(file) else { throw file.unknown }
        try check(root, log)
        guard let value = root["collection"], value.kind == .object else {
            throw log.error(root.offset, "the bundle has no collection")
        }
        let range = value.document.range(of: value.node)
        let read = CollectionFile.read(Array(value.document.bytes(in: range)), file: file.path)
        guard let collection = read.collection else {
            let problem = read.problems.first { $0.severity == .error }
            throw log.error(range.lowerBound, "the collection of the bundle: \(problem?.message ?? "not readable")")
        }
        guard collection.requestCount <= BundleFormat.maximumRequests else {
            throw log.error(range.lowerBound, "the bundle has more than \(BundleFormat.maximumRequests) requests")
        }
        var imported = Imported(collection.withoutSources)
        imported.isComplete = true
        return imported.noted(log)
    }

    /// Throws for a bundle of another format.
    static func check(_ root: ForeignValue, _ log: ImportLog) throws(ImportError) {
        let version = root["format"]
        guard version?.kind == .number, version?.text == String(BundleFormat.version) else {
            throw log.error(
                version?.offset ?? root.offset,
                "the format of the bundle is \(version?.text.excerpt(20) ?? "missing"); "
                    + "this Ombi reads format \(BundleFormat.version)")
        }
    }
}

extension Collection {
    /// The collection without what reads anything of a machine by itself: each secret is typed in when it is needed,
    /// and a request is what an OpenAPI document made of it.
    ///
    /// Both sides do that: a bundle that leaves has none, and one that comes is not believed.
    var withoutSources: Collection {
        var result = self
        result.overlay = CollectionOverlay()
        result.items.changeRequests { request in
            guard request.operation != nil else { return }
            request.operation = nil
            if request.path.isEmpty { request.path = "/" }
        }
        for index in result.environments.indices {
            result.environments[index].envFile = nil
            result.environments[index].secrets = result.environments[index].secrets.map { Secret($0.name, .prompt("")) }
        }
        if result.environments.allSatisfy(\.isAbstract) {
            // An environment is what sending waits for.
            let names = Set(result.environments.map(\.name))
            let name = names.contains("recorded") ? "recorded \(names.count + 1)" : "recorded"
            result.environments.append(Environment(name: name, host: "http://localhost"))
        }
        return result
    }
}
