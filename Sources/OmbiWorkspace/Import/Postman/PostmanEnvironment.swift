/// Reads the environments and the globals that Postman exports.
enum PostmanEnvironment {
    static func recognizes(_ file: ForeignFile) -> Bool {
        guard let root = file.root, root.kind == .object, !root.has("item"), !root.has("info") else { return false }
        if root["_postman_variable_scope"] != nil { return true }
        guard let values = root["values"], values.kind == .array else { return false }
        return values.elements.allSatisfy { $0["key"] != nil }
    }

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        guard let root = file.root, root.kind == .object else { throw file.unknown }
        var reader = PostmanReader(log: ImportLog(file.bytes))
        let name = PostmanReader.name(root["name"]?.text ?? "", or: file.name)
        var imported = Imported(Collection(name: name))
        let variables = reader.takingPrompts(from: reader.variables(root["values"])) + reader.samples
        imported.secretNames = reader.secretNames
        if root["_postman_variable_scope"]?.string == "globals" {
            imported.globals = variables
            imported.prompts = reader.prompts.sorted()
            return imported.noted(reader.log)
        }
        var environment = Environment(name: name, host: "", variables: variables)
        environment.secrets = reader.prompts.sorted().map { Secret($0, .prompt("")) }
        imported.collection.environments = [environment]
        return imported.noted(reader.log)
    }
}
