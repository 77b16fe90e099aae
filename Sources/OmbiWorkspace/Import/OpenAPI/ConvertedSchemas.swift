/// The schemas of an OpenAPI document as JSON Schema, for all its responses or all its requests.
final class ConvertedSchemas: DocumentedSchemas {
    let digest: Int
    private let schemas: Lock<OpenAPISchemas>

    init(_ schemas: OpenAPISchemas, digest: Int) {
        self.schemas = Lock(schemas)
        self.digest = digest
    }

    static func digest(of content: [UInt8]) -> Int {
        var hasher = Hasher()
        content.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    func converted(_ schema: JSONValue) -> ConvertedSchema { schemas.withLock { $0.converted(schema) } }

    func sample(_ schema: JSONValue) -> JSONValue? { schemas.withLock { $0.responseSample(schema).value } }
}
