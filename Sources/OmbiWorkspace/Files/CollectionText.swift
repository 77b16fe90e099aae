import OmbiDocument

/// The text of a collection over that of its file.
enum CollectionText {
    /// Returns the text of the file with only the edited parts changed, and with the earlier text of what came back; the
    /// canonical text if neither text is known, or none can be kept.
    static func edited(_ collection: Collection, over fingerprint: Fingerprint) -> [UInt8] {
        let value = collection.json
        let canonical = Array(value.text.utf8)
        let earlier = fingerprint.earlier.flatMap(source)
        guard let source = fingerprint.content.flatMap(source) ?? earlier else { return canonical }
        let text = JSONPatch.text(
            source.document, from: source.value, to: value, identifyingKeys: ["request", "folder", "name"],
            recalling: earlier)
        // Never write a text that reads back as another collection.
        return CollectionFile.read(text, file: "").collection?.json == value ? text : canonical
    }

    private static func source(_ text: Bytes) -> (document: JSONDocument, value: JSONValue)? {
        guard let document = try? JSONDocument(checking: text),
            let collection = CollectionFile.read(document, file: "").collection
        else { return nil }
        return (document, collection.json)
    }
}
