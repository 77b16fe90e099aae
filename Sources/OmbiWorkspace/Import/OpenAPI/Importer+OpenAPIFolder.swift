extension Importer {
    /// Returns the path of the OpenAPI document of a folder: the one with a usual name at its root, else the only one
    /// there. Nil for none, and for a folder of another tool.
    package static func document(inFolder path: String, fileSystem: some FileSystem = PosixFileSystem()) -> String? {
        guard let folder = ImportFolder(path, fileSystem: fileSystem), recognizing(folder) == nil,
            !all.contains(where: { $0.folder?.recognizes(folder) ?? false })
        else { return nil }
        let names = folder.names().filter { name in
            [".yaml", ".yml", ".json"].contains { name.lowercased().hasSuffix($0) }
        }
        let usual = names.filter { ["openapi", "swagger"].contains($0.lowercased().prefix { $0 != "." }) }
        if usual.count == 1 { return folder.full(usual[0]) }
        guard names.count <= maximumDocuments else { return nil }
        let documents = names.filter { name in
            guard let content = try? folder.content(name), let file = try? ForeignFile(content, path: name) else {
                return false
            }
            return OpenAPIImport.recognizes(file)
        }
        return documents.count == 1 ? folder.full(documents[0]) : nil
    }

    /// More files are not looked into.
    private static let maximumDocuments = 100
}
