extension RunOrder {
    /// The requests that may be sent before this one, for variables that they capture: as if nothing had been captured so
    /// far. Reads no secrets.
    public var sentFirst: [SavedRequest] {
        let index = CaptureIndex(collection)
        guard !index.requests.isEmpty else { return [] }
        var resolver = Resolver.preview(collection, chosenEnvironment, Overrides())
        resolver.folder = folder
        do throws(ResolveError) {
            return try index.plan(request, index.scope(for: [request])) { (request, scope) throws(ResolveError) in
                resolver.captured = scope
                _ = try resolver.resolve(request)
            }.map(\.request)
        } catch {
            // It cannot be told from a request with an error which others it needs.
            return index.requests.values.flatMap { $0 }
        }
    }
}
