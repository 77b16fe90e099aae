import OmbiDocument

extension OpenAPIReader {
    /// An environment for each server; its host is the URL.
    mutating func environments() -> [Environment] {
        let servers = version == .two ? formerServers() : (root["servers"]?.elements ?? []).map { environment($0) }
        guard !servers.isEmpty else { return [relative("", named: "default", at: root.offset)] }
        var names = UniqueNames(separator: " ")
        return servers.map { server in
            var server = server
            server.name = names.take(server.name)
            return server
        }
    }

    private mutating func environment(_ server: ForeignValue) -> Environment {
        let url = serverURL(server)
        let title = (server["name"] ?? server["description"])?.string ?? ""
        let name = ForeignText.name(String(title.trimmed.prefix { !$0.isNewline }.prefix(60)), or: Self.host(of: url))
        guard Self.isWhole(url) else {
            var environment = relative(url, named: name, at: server.offset)
            environment.variables += serverVariables(server).filter { $0.name != "host" }
            return environment
        }
        return Environment(name: name, host: url, variables: serverVariables(server))
    }

    /// The URL with templates for its variables, and without a slash at its end.
    func serverURL(_ server: ForeignValue) -> String {
        var url = (server["url"]?.text ?? "").trimmed
        for (name, _) in server["variables"]?.members ?? [] {
            url = url.replacing("{\(name)}", with: "{{\(Self.variableName(name))}}")
        }
        if url.hasPrefix("//") { url = "https:" + url }
        while url.last == "/" { url.removeLast() }
        return url == "." ? "" : ForeignText.line(url)
    }

    /// The variables of a URL with their defaults.
    mutating func serverVariables(_ server: ForeignValue) -> [Variable] {
        var found: [Variable] = []
        for (name, value) in server["variables"]?.members ?? [] {
            let changed = Self.variableName(name)
            guard !found.contains(where: { $0.name == changed }) else { continue }
            if changed != name { log.remark(value.offset, name.excerpted, "renamed to \(changed)") }
            if value["enum"] != nil { log.loss(value.offset, "enum", "the other values of a variable are left out") }
            let first = value["default"] ?? value["enum"]?.elements.first
            let variable = Field(changed, Self.literal(ForeignText.line(first?.text ?? "")))
            found.append(variable.described(description(of: value)))
        }
        return found
    }

    /// An environment for a path on a server that is not known.
    private mutating func relative(_ path: String, named name: String, at offset: Int) -> Environment {
        log.loss(offset, "servers", "no host: give the variable host the URL of the server")
        let separator = path.isEmpty || path.hasPrefix("/") ? "" : "/"
        let start = path.hasPrefix("./") ? String(path.dropFirst(1)) : separator + path
        return Environment(name: name, host: "{{host}}" + start, variables: [Field("host", "")])
    }

    /// The addresses of Swagger 2.0: `schemes`, `host` and `basePath`.
    private mutating func formerServers() -> [Environment] {
        var path = ForeignText.line(root["basePath"]?.text ?? "").trimmed
        while path.last == "/" { path.removeLast() }
        if !path.isEmpty, !path.hasPrefix("/") { path = "/" + path }
        let host = ForeignText.line(root["host"]?.text ?? "").trimmed
        guard !host.isEmpty else { return [relative(path, named: "default", at: root.offset)] }
        let found = (root["schemes"]?.elements ?? []).compactMap(\.string).filter { ["https", "http"].contains($0) }
        // https comes first.
        let schemes = found.isEmpty ? ["https"] : ["https", "http"].filter { found.contains($0) }
        return schemes.map { scheme in
            Environment(
                name: scheme == schemes.first ? host : "\(host) (\(scheme))",
                host: "\(scheme)://\(host)\(path)")
        }
    }

    private static func isWhole(_ url: String) -> Bool { url.contains("://") || url.hasPrefix("{{") }

    private static func host(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let host = String(rest.prefix { $0 != "/" })
        return host.isEmpty ? "default" : host
    }
}
