import OmbiCore

/// The connection of a request.
extension Resolution {
    mutating func connection(_ saved: SavedConnection) throws(ResolveError) -> Connection {
        guard saved != SavedConnection() else { return Connection() }
        var filling = self
        // Also after an error, which may quote a secret.
        defer { self = filling }
        let connection = try saved.resolved(
            { text, field throws(ResolveError) in try filling.fill(text, field) }, request: request.name,
            folder: folder)
        filling.encodedCredentials += connection.passwords
        filling.sources.way.formUnion(filling.scope.takeSources())
        return connection
    }

    /// Returns the host of ssh that a connection goes through; nil for none.
    mutating func via(_ saved: SavedConnection) throws(ResolveError) -> SSHHost? {
        guard saved.via != nil else { return nil }
        var filling = self
        defer { self = filling }
        let host = try saved.resolvedVia(
            { text, field throws(ResolveError) in try filling.fill(text, field) }, request: request.name)
        guard let host else { return nil }
        guard redactor.redact(host.description) == host.description else {
            throw error("connection via", "a secret in it would show in the list of processes; use a variable")
        }
        _ = filling.scope.takeSources()
        return host
    }

    /// Returns the parts of connections as texts to show.
    mutating func settings(of levels: [Inherited<SavedConnection>]) -> [PreparedRequest.ConnectionSetting] {
        SavedConnection.fields.filter { !$0.isSecret }.compactMap { field in
            guard let setting = levels.setting(field) else { return nil }
            let text = SavedConnection.shown(field, setting.value)
            let filled = (try? fill(text, field.label)) ?? text
            return PreparedRequest.ConnectionSetting(
                name: field.label, value: redactor.redact(filled), source: setting.source)
        }
    }
}

extension ResolvedRequest {
    mutating func take(_ filled: Connection, _ saved: SavedConnection) {
        connection = filled
        connection.tls.verifiesServer = verifyTLS
        keepsCookies = saved.cookies
    }
}
