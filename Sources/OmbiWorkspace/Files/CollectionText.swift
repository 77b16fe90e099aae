import OmbiDocument

/// The text of a collection over that of its file.
enum CollectionText {
    /// Returns the text of the file with only the edited parts changed; the canonical text if there is no file, or its
    /// text cannot be kept.
    static func edited(_ collection: Collection, over source: Bytes?) -> [UInt8] {
        let value = collection.json
        let canonical = Array(value.text.utf8)
        guard let source, let document = try? JSONDocument(checking: source),
            let old = CollectionFile.read(document, file: "").collection
        else { return canonical }
        let text = JSONPatch.text(
            document, from: old.json, to: value, identifyingKeys: ["request", "folder", "name"])
        // Never write a text that reads back as another collection.
        return CollectionFile.read(text, file: "").collection?.json == value ? text : canonical
    }
}
