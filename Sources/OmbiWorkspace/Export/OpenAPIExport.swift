/// Writes requests as a document of OpenAPI 3.1: an operation for each method and path, environments as servers, folders
/// as tags. No secret is in it.
struct OpenAPIExport {
    private static let methods = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"]

    /// A path of the document, with the operations of its methods.
    private struct Path {
        /// `/users/{id}`
        let text: String
        /// The names of its parameters, in order.
        let names: [String]
        var operations: [(method: String, operation: OpenAPIOperation)] = []
    }

    private let allEnvironments: Bool
    private var paths: [Path] = []
    /// The indices of the paths by their shapes.
    private var known: [String: Int] = [:]
    private var tags: [JSONValue] = []
    private var security = OpenAPISecurity()
    private var schemas: [JSONValue.Member] = []
    private var schemaNames = UniqueNames(separator: "_")
    private var losses: [String] = []

    /// - Parameter allEnvironments: false for the server of the chosen environment alone.
    static func text(of orders: [RunOrder], allEnvironments: Bool) -> ExportedText {
        var export = OpenAPIExport(allEnvironments: allEnvironments)
        for order in orders { export.add(order, in: orders[0].file) }
        let text = export.document(orders.first).text
        return ExportedText(text: String(ExportQuotes.json(text).dropLast()), losses: export.losses)
    }

    private init(allEnvironments: Bool) { self.allEnvironments = allEnvironments }

    // MARK: Requests

    /// - Parameter file: The collection that provides the servers of the document.
    private mutating func add(_ order: RunOrder, in file: String) {
        let (name, method) = (order.request.name, order.request.method.rawValue)
        guard !order.request.isWebSocket else { return losses.append("\(name) is a WebSocket, which is left out") }
        guard Self.methods.contains(method) else {
            return losses.append("\(name) is left out: OpenAPI 3.1 has no method \(method)")
        }
        var writer = OpenAPIOperationWriter(order)
        let index = known[writer.shape] ?? paths.count
        if index == paths.count {
            known[writer.shape] = index
            let names = writer.operation.parameters.filter { $0.place == .path }.map(\.name)
            paths.append(Path(text: writer.path, names: names))
        } else {
            writer.rename(paths[index].names)
        }
        var operation = writer.operation
        setServers(of: &operation, writer, isOfDocument: order.file == file)
        security.add(to: &operation, order, writer)
        relocateSchemas(of: &operation)
        losses += operation.losses.map { "\(name): \($0)" }
        addTag(operation.tag, of: order.folders?.last)
        guard let position = paths[index].operations.firstIndex(where: { $0.method == method }) else {
            paths[index].operations.append((method, operation))
            return
        }
        let first = paths[index].operations[position].operation.name
        losses.append(
            "\(name): \(method) \(paths[index].text) is \(first) already, which gets its parameters and examples")
        paths[index].operations[position].operation.join(operation)
    }

    private mutating func addTag(_ name: String, of folder: Folder?) {
        guard !name.isEmpty, !tags.contains(where: { $0["name"]?.stringValue == name }) else { return }
        tags.append(["name": .string(name), "description": JSONValue.optional(folder?.settings.description ?? "")])
    }

    /// Returns a text as a name of letters, digits, `_`, `-` and `.`.
    static func name(_ text: String, or other: String) -> String {
        let isPlain = { (character: Character) in
            character.isASCII && (character.isLetter || character.isNumber || "_-.".contains(character))
        }
        return text.isEmpty ? other : String(text.map { isPlain($0) ? $0 : "_" })
    }

    // MARK: Schemas

    /// Puts schemas that refer to their own parts where these references lead to them.
    private mutating func relocateSchemas(of operation: inout OpenAPIOperation) {
        for response in operation.responses.indices {
            for media in operation.responses[response].content.indices {
                guard let schema = operation.responses[response].content[media].schema else { continue }
                var references: [String] = []
                Self.visit(schema) { references.append($0) }
                if references.isEmpty { continue }
                guard references.allSatisfy({ $0 == "#" || $0.hasPrefix("#/") }) else {
                    operation.losses.append("the schema is left out, as it refers to others")
                    operation.responses[response].content[media].schema = nil
                    continue
                }
                let name = schemaNames.take(Self.name(operation.name, or: "schema"))
                let place = "#/components/schemas/" + name
                schemas.append(JSONValue.Member(name, Self.relocated(schema, to: place)))
                operation.responses[response].content[media].schema = ["$ref": .string(place)]
            }
        }
    }

    /// Visits the references of a schema, and the names that they may lead to elsewhere.
    private static func visit(_ schema: JSONValue, _ reference: (String) -> Void) {
        switch schema {
        case .array(let elements): for element in elements { visit(element, reference) }
        case .object(let members):
            for member in members {
                let isName = ["$ref", "$id", "$anchor", "$dynamicRef", "$dynamicAnchor"].contains(member.key)
                if isName, let text = member.value.stringValue {
                    reference(text)
                } else {
                    visit(member.value, reference)
                }
            }
        case .null, .bool, .number, .string: break
        }
    }

    private static func relocated(_ schema: JSONValue, to place: String) -> JSONValue {
        switch schema {
        case .array(let elements): return .array(elements.map { relocated($0, to: place) })
        case .object(let members):
            return .object(
                members.map { member in
                    guard member.key == "$ref", let text = member.value.stringValue else {
                        return JSONValue.Member(member.key, relocated(member.value, to: place))
                    }
                    return JSONValue.Member(member.key, .string(place + text.dropFirst()))
                })
        case .null, .bool, .number, .string: return schema
        }
    }

    // MARK: Servers

    /// Sets the servers of an operation, unless they are the document's.
    private func setServers(
        of operation: inout OpenAPIOperation, _ writer: OpenAPIOperationWriter, isOfDocument: Bool
    ) {
        if let server = writer.server {
            let value = OpenAPIServer.json(server, "", writer.values)
            operation.servers = [value].compactMap { $0 }
            if value == nil { operation.losses.append("its server is left out: a secret is in the URL") }
        } else if !isOfDocument {
            operation.servers = OpenAPIServer.all(of: writer.order, allEnvironments)
        }
    }

    // MARK: The document

    private func document(_ order: RunOrder?) -> JSONValue {
        var ids = UniqueNames()
        let members = paths.map { path in
            let operations = path.operations.map { method, operation in
                let id = ids.take(Self.id(operation.name, method, path.text))
                return JSONValue.Member(method.lowercased(), operation.json(id: id))
            }
            return JSONValue.Member(path.text, .object(operations))
        }
        let (title, description) = (order?.collection.name ?? "", order?.collection.description ?? "")
        let info: JSONValue = [
            "title": .string(title.isEmpty ? "API" : title), "version": "0.0.0",
            "description": JSONValue.optional(description),
        ]
        let servers = order.map { OpenAPIServer.all(of: $0, allEnvironments) } ?? []
        let components: JSONValue = [
            "schemas": schemas.isEmpty ? nil : JSONValue.object(schemas),
            "securitySchemes": security.schemes.isEmpty ? nil : JSONValue.object(security.schemes),
        ]
        return [
            "openapi": "3.1.0", "info": info, "servers": servers.isEmpty ? nil : JSONValue.array(servers),
            "tags": tags.isEmpty ? nil : JSONValue.array(tags), "paths": .object(members),
            "components": components == [:] ? nil : components,
        ]
    }

    /// `getUserById`, without characters that are in no name of code.
    private static func id(_ name: String, _ method: String, _ path: String) -> String {
        for text in [name, method.lowercased() + " " + path] {
            let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
            guard let first = words.first else { continue }
            let others = words.dropFirst().map { "\($0.prefix(1).uppercased())\($0.dropFirst())" }
            return "\(first.prefix(1).lowercased())\(first.dropFirst())\(others.joined())"
        }
        return "operation"
    }
}

/// The servers of environments.
enum OpenAPIServer {
    /// The servers, starting with the chosen environment's.
    static func all(of order: RunOrder, _ allEnvironments: Bool) -> [JSONValue] {
        let chosen = order.chosenEnvironment
        let names = order.collection.environments.filter { !$0.isAbstract && !$0.isLocal }.map(\.name)
        let others = names.filter { $0 != chosen?.name }.compactMap { order.collection.environment(named: $0) }
        var servers: [JSONValue] = []
        for environment in [chosen].compactMap({ $0 }) + (allEnvironments ? others : []) {
            var host = RequestTarget.host(environment.host)
            while host.hasSuffix("/") { host.removeLast() }
            let values = OpenAPIValues(order.collection, environment)
            guard let server = json(ExportText(host), environment.name, values),
                !servers.contains(where: { $0["url"] == server["url"] && $0["variables"] == server["variables"] })
            else { continue }
            servers.append(server)
        }
        return servers
    }

    /// Returns a server with variables for values; nil for none, and for a URL with a secret.
    static func json(_ text: ExportText, _ name: String, _ values: OpenAPIValues) -> JSONValue? {
        guard !text.isEmpty, SecretDetector.find(in: text.templates, named: "url").isEmpty else { return nil }
        var names = UniqueNames(separator: "_")
        var variables: [JSONValue.Member] = []
        let url = text.text { value in
            let known = values.text(value)
            // A whole URL is no part of one.
            if let known, known.contains("://") { return known }
            let variable = names.take(OpenAPIExport.name(value.name, or: "value"))
            variables.append(JSONValue.Member(variable, ["default": .string(known ?? "")]))
            return "{\(variable)}"
        } plain: {
            $0.replacing("{", with: "%7B").replacing("}", with: "%7D")
        }
        guard SecretDetector.find(in: url, named: "url").isEmpty else { return nil }
        return [
            "url": .string(url), "description": JSONValue.optional(name),
            "variables": variables.isEmpty ? nil : JSONValue.object(variables),
        ]
    }
}
