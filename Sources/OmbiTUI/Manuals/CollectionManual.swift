import OmbiDocument

/// The manual page of the file format, from its JSON Schema: a section for the file and for each definition.
enum CollectionManual {
    /// - Parameter schema: the text of `collections/ombi.schema.json`.
    static func page(schema text: String) throws(JSONSyntaxError) -> ManualPage {
        let schema = try JSONValue.parse(text)
        let others = [["ombi"], ["ombi", "check"], ["ombi", "run"]].map(ManualPage.Name.command)
        return ManualPage(
            .collection, abstract: "file format of Ombi's collections", seeAlso: others + [.keys]
        ) { mdoc in
            mdoc.macro("Sh DESCRIPTION")
            mdoc.text(
                """
                A collection is a JSON file in UTF-8. Each section below describes a type of value: the collection, \
                which is the whole file, and the types that its keys refer to. A key in another object is named after \
                it, as in keyring.service; [] stands for each element of an array, and * for any key.
                """)
            let definitions = schema["$defs"] ?? .object([])
            addSection("collection", schema, definitions, to: &mdoc)
            for definition in definitions.members {
                addSection(definition.key, definition.value, definitions, to: &mdoc)
            }
        }
    }

    private static func addSection(
        _ title: String, _ schema: JSONValue, _ definitions: JSONValue, to mdoc: inout Mdoc
    ) {
        mdoc.macro("Ss " + Mdoc.word(title))
        mdoc.text(schema["description"]?.stringValue ?? "")
        let type = SchemaType.alternatives(SchemaType.names(of: schema))
        if type != "object", !type.isEmpty { mdoc.text("The type: \(type).") }
        mdoc.list(SchemaKey.all(of: schema, in: definitions)) { mdoc, key in
            mdoc.macro("It Cm \(Mdoc.word(key.path)) Pq \(Mdoc.word(key.type))")
            mdoc.text(key.text)
        }
    }
}
