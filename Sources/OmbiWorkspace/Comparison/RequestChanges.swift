import OmbiDocument

/// The requests of a collection that are made of other parts than in an earlier state of its file: their own, those
/// that they inherit, the variables that they use, and the requests that capture these.
///
/// Names, descriptions and tags change nothing that is sent, and the layout of the file is none of its parts.
package struct RequestChanges {
    private let old: RequestSources
    private let new: RequestSources

    /// - Parameter environment: the name of the one that requests are sent to; nil for none.
    package init(from old: Collection, to new: Collection, environment: String?) {
        var earlier = old.withIdentities(of: new)
        // The part that belongs to this machine has no earlier state.
        earlier.takeOverlay(from: new)
        self.old = RequestSources(earlier, environment)
        self.new = RequestSources(new, environment)
    }

    /// Returns true for a request that is new, too.
    package func isChanged(_ request: ItemID) -> Bool { old.parts(of: request) != new.parts(of: request) }
}

/// Everything in a collection file that decides what a request sends and how it is judged.
private struct RequestParts: Equatable {
    /// A variable as a request sees it.
    struct Use: Hashable {
        var request: ItemID
        var variable: String
    }

    /// The request, and those that may be sent first.
    var requests: [ItemID: JSONValue] = [:]
    var variables: [Use: JSONValue] = [:]
}

/// A collection in an environment, in which the parts of requests are looked up.
private struct RequestSources {
    private let collection: Collection
    private let environment: Environment?
    private let captures: CaptureIndex
    private let places: [ItemID: (request: SavedRequest, folders: [Folder])]

    init(_ collection: Collection, _ environment: String?) {
        self.collection = collection
        self.environment = environment.flatMap(collection.environment(named:))
        captures = CaptureIndex(collection)
        var places: [ItemID: (request: SavedRequest, folders: [Folder])] = [:]
        collection.forEachRequest { request, folders in places[request.id] = (request, folders) }
        self.places = places
    }

    /// Nil for a request that is not in the collection.
    func parts(of request: ItemID) -> RequestParts? {
        guard places[request] != nil else { return nil }
        var parts = RequestParts()
        var left = [request]
        while let id = left.popLast() {
            guard parts.requests[id] == nil, let place = places[id] else { continue }
            let inheritance = Inheritance(collection, folders: place.folders, environment: environment)
            let own = json(of: place.request, inheritance)
            parts.requests[id] = own
            let variables = inheritance.levels.reversed().flatMap(\.settings.variables).filter(\.enabled)
            var names = VariableUses.names(anywhereIn: own)
            var seen: Set<String> = []
            while let name = names.popFirst() {
                guard seen.insert(name).inserted else { continue }
                // The nearest level comes last.
                let value = variables.last { $0.name == name }?.value
                let secrets = (environment?.secrets ?? []).filter { $0.name == name }
                parts.variables[RequestParts.Use(request: id, variable: name)] =
                    JSONValue.array([JSONValue.nullable(value)] + secrets.map(\.json))
                if let value { names.formUnion(VariableUses.names(in: [value])) }
                left += (captures.requests[name] ?? []).map(\.id)
            }
        }
        return parts
    }

    /// The request with what it inherits, before templates are filled in.
    private func json(of request: SavedRequest, _ inheritance: Inheritance) -> JSONValue {
        var own = request
        (own.name, own.description, own.tags) = ("", "", [])
        let sent = inheritance.sent(with: request)
        let isForeign = inheritance.isForeign(request)
        let connections = inheritance.connections(of: request, isForeign: isForeign)
        let headers = sent.headers.map(\.value.json)
        let authentication = sent.authentication?.value.json(UnknownMembers())
        let isTraced = inheritance.trace(of: request, isForeign: isForeign).isOn.map(JSONValue.bool)
        let isVerified = environment.map { JSONValue.bool($0.verifyTLS) }
        return [
            "request": own.wholeJSON, "headers": .array(headers), "authentication": authentication,
            "trace": isTraced, "policy": inheritance.policy.json, "connection": connections.merged.json,
            "host": .nullable(environment?.host), "verifyTLS": isVerified,
        ]
    }
}
