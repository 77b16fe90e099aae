import OmbiCore

extension Inheritance {
    /// The connection that applies where the request sets nothing.
    public func connection(isForeign: Bool = false) -> SavedConnection {
        connections(isForeign: isForeign).merged
    }

    /// Returns a part of the connection of a request that a level gives, as a text; nil where the request or none sets it.
    public func connection(_ field: FieldDescriptor<SavedConnection>, of request: SavedRequest) -> Inherited<String>? {
        let levels = connections(of: request, isForeign: isForeign(request))
        return levels.setting(field).flatMap { $0.source == .request ? nil : $0 }
    }

    /// The connections of a request and its levels, the nearest first.
    func connections(of request: SavedRequest, isForeign: Bool) -> [Inherited<SavedConnection>] {
        let own = request.connection.map { Inherited(value: $0, source: Provenance.request) }
        return [own].compactMap { $0 } + connections(isForeign: isForeign)
    }

    private func connections(isForeign: Bool) -> [Inherited<SavedConnection>] {
        levels.compactMap { level in
            level.settings.connection.map {
                Inherited(value: isForeign && level.staysAtHost ? $0.foreign : $0, source: level.source)
            }
        }
    }
}

extension [Inherited<SavedConnection>] {
    var merged: SavedConnection { reversed().reduce(SavedConnection()) { $1.value.merging(over: $0) } }

    /// Returns a part of the merged connection with its level. What a farther level sets counts only where the merged
    /// connection has it: the key of a certificate comes from the level of the certificate.
    func setting(_ field: FieldDescriptor<SavedConnection>) -> Inherited<String>? {
        guard let text = SavedConnection.text(of: field, in: merged),
            let level = first(where: { SavedConnection.text(of: field, in: $0.value) != nil })
        else { return nil }
        return Inherited(value: text, source: level.source)
    }
}
