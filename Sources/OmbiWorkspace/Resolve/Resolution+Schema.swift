import OmbiDocument

extension Resolution {
    /// Returns what is expected of the run, with the schema of the body read.
    func expectation() throws(ResolveError) -> Expectation? {
        guard var expectation = request.expect, let schema = expectation.schema else { return request.expect }
        do throws(JSONSchemaError) {
            expectation.loadedSchema = try LoadedSchema(schema, folder: folder, files: scope.files)
        } catch {
            throw self.error("expect schema", "\(error)")
        }
        return expectation
    }
}

extension LoadedSchema {
    init(_ schema: SavedSchema, folder: String, files: TemplateFiles) throws(JSONSchemaError) {
        try self.init(schema, folder: folder) { path throws(JSONSchemaError) in
            do throws(TemplateFileError) { return try files.readOwn(path) } catch { throw JSONSchemaError("\(error)") }
        }
    }
}
