import OmbiCore
import OmbiDocument

/// Reads collections of posting: folders in which each request is a file of YAML, and the files of environments.
enum PostingImport {
    private static let ending = ".posting.yaml"
    private static let environment = ".env"

    static func recognizes(_ file: ForeignFile) -> Bool {
        guard let root = file.root, root.kind == .object, file.path.hasSuffix(ending) else { return false }
        return root.has("url") || root.has("name")
    }

    static func recognizes(_ folder: ImportFolder) -> Bool {
        let names = folder.names()
        if names.contains(where: { $0.hasSuffix(ending) }) { return true }
        return names.contains { name in folder.names(in: name).contains { $0.hasSuffix(ending) } }
    }

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        guard let root = file.root, root.kind == .object else { throw file.unknown }
        var reader = PostingReader(log: ImportLog(file.bytes))
        let request = reader.request(root, named: file.name)
        var collection = Collection(name: file.name)
        collection.items = [.request(request)]
        return reader.imported(collection, [])
    }

    static func read(_ folder: ImportFolder) throws(ImportError) -> Imported {
        var files = ForeignFiles()
        files.read(folder) { $0.hasSuffix(ending) }
        guard !files.values.isEmpty else { throw files.failure("there is no request of posting in this folder") }
        let environments = environments(of: folder, &files)
        var reader = PostingReader(log: files.log)
        var requests: [(folders: ArraySlice<String>, request: SavedRequest)] = []
        for file in files.values {
            let parts = file.path.split(separator: "/").map(String.init)
            let stem = String((parts.last ?? "").dropLast(ending.count))
            requests.append((parts.dropLast(), reader.request(file.value, named: stem)))
        }
        var collection = Collection(name: ForeignText.name(folder.name, or: "imported"))
        collection.items = items(of: requests[...])
        return reader.imported(collection, environments)
    }

    /// The folders of requests, in the order in which the first of each comes.
    private static func items(
        of requests: ArraySlice<(folders: ArraySlice<String>, request: SavedRequest)>
    ) -> [CollectionItem] {
        var items: [CollectionItem] = []
        var rest = requests
        while let first = rest.first {
            guard let name = first.folders.first else {
                items.append(.request(first.request))
                rest = rest.dropFirst()
                continue
            }
            let own = rest.prefix { $0.folders.first == name }
            var folder = Folder(name: ForeignText.name(name, or: "Folder"), settings: SharedSettings())
            let inner = own.map { (folders: $0.folders.dropFirst(), request: $0.request) }
            folder.items = Self.items(of: inner[...])
            items.append(.folder(folder))
            rest = rest.dropFirst(own.count)
        }
        return items.withUniqueNames
    }

    /// The environments of the `.env` files beside the requests.
    private static func environments(of folder: ImportFolder, _ files: inout ForeignFiles) -> [Environment] {
        var environments: [Environment] = []
        for name in folder.names() where name.hasSuffix(environment) && !folder.hasFolder(name) {
            guard let (file, offset) = files.text(name, in: folder) else { continue }
            do throws(EnvFile.Failure) {
                let entries = try EnvFile(file.bytes).entries
                let stem = String(name.dropLast(environment.count))
                let variables = entries.map { Field($0.name, TemplateText.literal($0.value)) }
                environments.append(Environment(name: stem.isEmpty ? "default" : stem, host: "", variables: variables))
            } catch {
                files.loss(offset, name.excerpted, "left out: line \(error.line): \(error.message)")
            }
        }
        return environments
    }
}
