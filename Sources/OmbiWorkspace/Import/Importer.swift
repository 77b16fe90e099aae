/// A format of another tool that Ombi reads. A further format is one more entry in `all`.
public struct Importer: Sendable {
    /// The word for it on the command line.
    public let name: String
    /// "a Postman collection", for messages.
    public let title: String
    /// Returns true for a file that has the form of the format, whatever its name is.
    let recognizes: @Sendable (ForeignFile) -> Bool
    let read: @Sendable (ForeignFile) throws(ImportError) -> Imported

    /// The first that recognizes a file reads it.
    public static let all: [Importer] = [
        openAPI, postman, postmanEnvironment, insomnia, har, httpEnvironment, curl, hurl, http,
    ]

    /// The ends of the names of files that requests are selected in.
    public static let fileEndings = [".json", ".yaml", ".yml", ".har", ".http", ".rest", ".hurl"]

    private static let openAPI = Importer(
        name: "openapi", title: "an OpenAPI document", recognizes: { OpenAPIImport.recognizes($0) },
        read: { file throws(ImportError) in try OpenAPIImport.read(file) })

    private static let postman = Importer(
        name: "postman", title: "a Postman collection", recognizes: { PostmanImport.recognizes($0) },
        read: { file throws(ImportError) in try PostmanImport.read(file) })

    private static let postmanEnvironment = Importer(
        name: "postman-environment", title: "a Postman environment",
        recognizes: { PostmanEnvironment.recognizes($0) },
        read: { file throws(ImportError) in try PostmanEnvironment.read(file) })

    private static let insomnia = Importer(
        name: "insomnia", title: "an Insomnia export", recognizes: { InsomniaImport.recognizes($0) },
        read: { file throws(ImportError) in try InsomniaImport.read(file) })

    private static let har = Importer(
        name: "har", title: "a HAR recording", recognizes: { HARImport.recognizes($0) },
        read: { file throws(ImportError) in try HARImport.read(file) })

    private static let hurl = Importer(
        name: "hurl", title: "a file of Hurl", recognizes: { HurlImport.recognizes($0) },
        read: { file throws(ImportError) in try HurlImport.read(file) })

    private static let http = Importer(
        name: "http", title: "a .http file", recognizes: { HTTPFileImport.recognizes($0) },
        read: { file throws(ImportError) in try HTTPFileImport.read(file) })

    private static let httpEnvironment = Importer(
        name: "http-environment", title: "environments of .http files", recognizes: { HTTPEnvironments.recognizes($0) },
        read: { file throws(ImportError) in try HTTPEnvironments.read(file) })

    private static let curl = Importer(
        name: "curl", title: "a file of curl commands", recognizes: { CurlImport.recognizes($0.text) },
        read: { file throws(ImportError) in
            let imported = try CurlImport.read(file.text)
            var collection = Collection(name: file.name)
            collection.put(imported.requests.map(CollectionItem.request), .root)
            return Imported(collection, notes: imported.notes)
        })

    public static func named(_ name: String) -> Importer? { all.first { $0.name == name } }

    /// Returns the content of a file, complete and without a credential.
    /// - Parameters:
    ///   - path: the name for messages and for what has none.
    ///   - format: that of the file; nil to recognize it.
    public static func read(
        _ content: [UInt8], from path: String, as format: Importer? = nil
    ) throws(ImportError) -> Imported {
        let file = try ForeignFile(content, path: path)
        guard let importer = format ?? all.first(where: { $0.recognizes(file) }) else { throw file.unknown }
        return try importer.read(file)
    }
}
