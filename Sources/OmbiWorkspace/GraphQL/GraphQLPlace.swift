import OmbiPlatform

/// The place of the schema of a request: the file that its body names, or the introspected schema for its collection,
/// its environment and its URL.
package struct GraphQLPlace: Sendable, Hashable {
    package var file: String
    package var environment: String?
    /// The URL as written, before its templates are filled in.
    package var url: String
    /// The path of the file that the body names; nil for none.
    package var named: String?

    /// Nil for a request without a body of GraphQL.
    package init?(_ request: SavedRequest, file: String, environment: String?) {
        guard case .graphql(let content)? = request.body else { return nil }
        self.file = file
        self.environment = environment
        url = request.path
        named = content.schema
    }

    private var folder: String { RelativePath.folder(of: file) }

    /// Reads the schema from the disk.
    /// - Returns: nil if no file is named and nothing was introspected.
    package func read(_ store: GraphQLStore? = GraphQLStore.standard) throws(GraphQLSchemaError) -> GraphQLSchema? {
        guard let named else { return try store?.read(self) }
        do throws(GraphQLSchemaError) { return try GraphQLSchema(reading: try content(of: named)) } catch {
            throw GraphQLSchemaError("\(named.excerpt(120)): \(error)")
        }
    }

    /// Returns the content of a file of the workspace, which needs no grant because it is not sent.
    private func content(of path: String) throws(GraphQLSchemaError) -> Bytes {
        guard !path.isEmpty else { throw GraphQLSchemaError("the path is empty") }
        guard Workspace.source(path, folder: folder) == nil else {
            throw GraphQLSchemaError("outside the workspace or hidden; copy it to the folder of the collection")
        }
        let place = RelativePath.resolve(path, folder: folder)
        guard let real = Workspace.real(place) else {
            throw GraphQLSchemaError(FileError(operation: "read", path: place, code: errno).reason)
        }
        return try GraphQLStore.content(of: real, PosixFileSystem())
    }
}

/// The schemas that were introspected, in files that their owner alone may read.
package struct GraphQLStore: Sendable {
    private let folder: String
    private let fileSystem: any FileSystem

    /// The maximum number of files that all services share, so that they stay bounded without a clean-up.
    private static let maximumFiles: UInt64 = 256

    package init(folder: String, fileSystem: any FileSystem = PosixFileSystem()) {
        self.folder = folder
        self.fileSystem = fileSystem
    }

    /// The files of the user, in `$XDG_STATE_HOME/ombi/graphql`. Nil without a home folder.
    package static var standard: GraphQLStore? { StateFolder.path.map { GraphQLStore(folder: $0 + "/graphql") } }

    private func hash(_ place: GraphQLPlace) -> UInt64 {
        let file = (try? fileSystem.resolve(place.file)) ?? place.file
        return ContentHash.of("\(file)\n\(place.environment ?? "")\n\(place.url)".utf8)
    }

    private func path(_ hash: UInt64) -> String { "\(folder)/\(hash % Self.maximumFiles).graphql" }

    /// The first line of a file: another service may have taken its place.
    private static func head(_ hash: UInt64) -> String { "# \(String(hash, radix: 16))\n" }

    func read(_ place: GraphQLPlace) throws(GraphQLSchemaError) -> GraphQLSchema? {
        let hash = hash(place)
        guard fileSystem.size(path(hash)) > 0 else { return nil }
        let bytes = try Self.content(of: path(hash), fileSystem)
        guard bytes.starts(with: Array(Self.head(hash).utf8)) else { return nil }
        return try GraphQLSchema(reading: bytes)
    }

    /// Stores a schema, replacing the previous one.
    package func keep(_ schema: GraphQLSchema, for place: GraphQLPlace) throws(FileError) {
        let hash = hash(place)
        let content = Array((Self.head(hash) + schema.definitions).utf8)
        try fileSystem.makeFolder(folder)
        try FileReplacement.replace(path(hash), with: content, newFileMode: 0o600, fileSystem)
    }

    static func content(of path: String, _ fileSystem: some FileSystem) throws(GraphQLSchemaError) -> Bytes {
        guard fileSystem.size(path) <= GraphQLSchemaBuilder.maximumByteCount else {
            throw GraphQLSchemaError("larger than \(GraphQLSchemaBuilder.maximumByteCount >> 20) MiB")
        }
        do throws(FileError) { return try fileSystem.content(path) } catch { throw GraphQLSchemaError(error.reason) }
    }
}
