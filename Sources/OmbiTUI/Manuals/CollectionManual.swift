import OmbiDocument

/// The manual page of the file format, from its JSON Schema: a section for the file and for each definition.
enum CollectionManual {
    /// - Parameter schema: the text of `collections/ombi.schema.json`.
    static func page(schema text: String) throws(JSONSyntaxError) -> ManualPage {
        let schema = try JSONValue.parse(text)
        let others = [["ombi"], ["ombi", "check"], ["ombi", "run"]].map(ManualPage.Name.command)
        let definitions = schema["$defs"] ?? .object([])
        let sections = [JSONValue.Member("collection", schema)] + definitions.members
        return ManualPage(
            .collection, abstract: "file format of Ombi's collections", seeAlso: others + [.keys],
            introduction + sections.flatMap { section($0.key, $0.value, definitions) })
    }

    private static let introduction: [ManualBlock] = [
        .section("DESCRIPTION"),
        .text(
            """
            A collection is a JSON file in UTF-8. Each section below describes a type of value: the collection, which \
            is the whole file, and the types that its keys refer to. A key in another object is named after it, as in \
            keyring.service; [] stands for each element of an array, and * for any key.
            """),
    ]

    private static func section(_ title: String, _ schema: JSONValue, _ definitions: JSONValue) -> [ManualBlock] {
        let type = SchemaType.alternatives(SchemaType.names(of: schema))
        let keys = SchemaKey.all(of: schema, in: definitions).map { key in
            ManualBlock.Item(term: [.name(key.path), .note(key.type)], text: key.text)
        }
        var blocks: [ManualBlock] = [.subsection(title, name: nil)]
        if let text = schema["description"]?.stringValue { blocks.append(.text(text)) }
        if type != "object", !type.isEmpty { blocks.append(.text("The type: \(type).")) }
        return keys.isEmpty ? blocks : blocks + [.list(keys)]
    }
}
