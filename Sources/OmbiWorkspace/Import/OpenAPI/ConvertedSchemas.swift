import OmbiCore
import OmbiDocument

/// The schemas of an OpenAPI document as JSON Schema, for all its responses.
final class ConvertedSchemas: DocumentedSchemas {
    let digest: Int
    private let schemas: Lock<OpenAPISchemas>

    /// - Parameter content: that of the document and its files.
    init(_ schemas: OpenAPISchemas, content: [UInt8]) {
        self.schemas = Lock(schemas)
        var hasher = Hasher()
        content.withUnsafeBytes { hasher.combine(bytes: $0) }
        digest = hasher.finalize()
    }

    func converted(_ schema: JSONValue) -> JSONValue? { schemas.withLock { $0.converted(schema) } }
}
