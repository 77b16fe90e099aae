import OmbiDocument

/// Reads documents of OpenAPI 2.0 (Swagger), 3.0 and 3.1, in JSON or YAML.
enum OpenAPIImport {
    /// Returns true for a document of any version, which may be one that is refused.
    static func recognizes(_ file: ForeignFile) -> Bool {
        guard let root = file.root, root.kind == .object else { return false }
        return root["openapi"].map(isVersion) ?? false || root["swagger"].map(isVersion) ?? false
    }

    private static func isVersion(_ value: ForeignValue) -> Bool { value.kind == .string || value.kind == .number }

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        guard let root = file.root else { throw file.unknown }
        var document = try reader(of: file, root)
        return document.imported(name: file.name)
    }

    /// Throws for a version that is not read.
    static func reader(of file: ForeignFile, _ root: ForeignValue) throws(ImportError) -> OpenAPIReader {
        var log = ImportLog(file.bytes)
        let written = root["openapi"] ?? root["swagger"]
        let text = written?.text ?? ""
        guard let version = OpenAPIVersion(text) else {
            throw log.error(
                written?.offset ?? root.offset, "version \(text.excerpted) of OpenAPI is not read; 2.0, 3.0 and 3.1 are"
            )
        }
        if version == .threeOne, !text.hasPrefix("3.1") {
            log.remark(written?.offset ?? 0, text.excerpted, "read as OpenAPI 3.1")
        }
        let content = try OpenAPIBundle.read(file, root, &log)
        var reader = OpenAPIReader(content.root, version, log)
        reader.notedReferences = content.noted
        reader.files = content.files
        reader.isOpened = file.isOpened
        return reader
    }
}
