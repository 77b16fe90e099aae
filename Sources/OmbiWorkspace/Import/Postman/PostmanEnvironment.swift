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
        let variables = reader.variables(root["values"])
        if root["_postman_variable_scope"]?.string == "globals" {
            imported.globals = variables + reader.samples
            return imported.noted(reader.log)
        }
        var environment = Environment(name: name, host: "")
        let secrets = secretNames(in: root["values"], &reader)
        for variable in variables {
            if secrets.contains(variable.name), variable.enabled, !variable.value.contains("{{") {
                // The sources that are in no file are replaced when the collection is complete.
                let source: Secret.Source = variable.value.isEmpty ? .prompt("") : .value(variable.value)
                environment.secrets.append(Secret(variable.name, source))
            } else {
                environment.variables.append(variable)
            }
        }
        environment.variables += reader.samples
        environment.secrets += reader.prompts.sorted().map { Secret($0, .prompt("")) }
        imported.collection.environments = [environment]
        return imported.noted(reader.log)
    }

    /// The names of the rows that say that they are secret.
    private static func secretNames(in values: ForeignValue?, _ reader: inout PostmanReader) -> Set<String> {
        var names: Set<String> = []
        for row in values?.elements ?? [] where row["type"]?.string == "secret" || row["secret"]?.bool == true {
            names.insert(reader.variableName(row["key"]?.text ?? "", at: row.offset))
        }
        return names
    }
}
