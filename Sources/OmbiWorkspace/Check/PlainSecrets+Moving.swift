import OmbiDocument

extension PlainSecrets {
    /// Finds the secrets in a collection as it is edited, which its file may not have yet.
    public init?(of collection: Collection, file: String) {
        self.init(Bytes(collection.text.utf8), file: file, collection: collection)
    }

    /// Returns the secrets in a collection that it had not in an earlier state.
    public static func new(in collection: Collection, since saved: Collection?, file: String) -> [PlainSecret] {
        new(PlainSecrets(of: collection, file: file)?.found ?? [], since: saved, file: file)
    }

    static func new(_ found: [PlainSecret], since saved: Collection?, file: String) -> [PlainSecret] {
        guard !found.isEmpty, let saved else { return found }
        let known = Set(PlainSecrets(of: saved, file: file)?.found.map(\.value) ?? [])
        return found.filter { !known.contains($0.value) }
    }

    /// Returns the collection with templates in the places of secrets that were found in it; nil where that makes none.
    public func collection(without secrets: [PlainSecret], of collection: Collection) -> Collection? {
        let known = found.filter(secrets.contains)
        return CollectionFile.read(text(without: known), file: file).collection?.withIdentities(of: collection)
    }

    /// The name of the local file that secrets are moved into; nil for a file that has none.
    public static func localFile(of file: String) -> String? {
        OverlayFile.path(for: file).map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    }

    /// Writes secrets into the local file beside a collection, for each of its environments.
    public static func keep(
        _ secrets: [PlainSecret], beside file: String, fileSystem: some FileSystem = PosixFileSystem()
    ) throws(FileError) {
        guard let local = OverlayFile.path(for: file) else { return }
        try OverlayFile.add(values(of: secrets), to: local, fileSystem)
    }

    /// The members of the local file, each once.
    static func values(of secrets: [PlainSecret]) -> [(name: String, value: String)] {
        var names = Set<String>()
        return secrets.filter { names.insert($0.name).inserted }.map { ($0.name, $0.value) }
    }
}
