import OmbiDocument

/// The lines of a collection file on which its requests begin, for reports from which editors and CI jump there.
package enum RequestLines {
    /// Reads them for a collection that was read from the file; none of a file that cannot be read any more.
    package static func read(
        _ path: String, of collection: Collection, fileSystem: some FileSystem = PosixFileSystem()
    ) -> [ItemID: Int] {
        guard let content = try? fileSystem.content(path), let document = try? JSONDocument(checking: content)
        else { return [:] }
        var locator = TextLocator(document.bytes)
        var lines: [ItemID: Int] = [:]
        for (id, range) in LoadedCollection.requests(of: collection, in: document, file: path) {
            lines[id] = locator.position(of: range.lowerBound).line
        }
        return lines
    }
}
