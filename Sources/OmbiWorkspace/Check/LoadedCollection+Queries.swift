import OmbiDocument

extension LoadedCollection {
    /// The problems of GraphQL queries: of the operations that they run, and with the schema in a file, or with the one that
    /// was introspected last. That may have changed since, so those are warnings. Looks at the disk.
    public func problemsOfQueries(_ store: GraphQLStore? = GraphQLStore.standard) -> [Problem] {
        guard let collection, !collection.overlay.isForeign else { return [] }
        let requests = collection.requests.filter { if case .graphql? = $0.body { true } else { false } }
        guard !requests.isEmpty, let content = fingerprint.content,
            let document = try? JSONDocument(checking: content)
        else { return [] }
        let places = Self.requests(of: collection, in: document, file: path)
        let offsets = Dictionary(places.map { ($0.0, $0.1.lowerBound) }, uniquingKeysWith: { first, _ in first })
        let log = ProblemLog(file: path, document: document)
        var schemas = KnownSchemas(store: store)
        for request in requests {
            guard case .graphql(let query)? = request.body, let offset = offsets[request.id] else { continue }
            for problem in query.operationProblems { log.warning(at: offset, "\"graphql\": \(problem)") }
            switch schemas.schema(of: request, in: collection, file: path) {
            case .failure(let error): log.error(at: offset, "\"schema\": \(error)")
            case .success(nil): break
            case .success(let schema?):
                for problem in schema.problems(in: query) {
                    log.add(query.schema == nil ? .warning : .error, offset, "\"graphql\": \(problem)")
                }
            }
        }
        return log.problems
    }
}

/// Schemas that were looked for, each once.
private struct KnownSchemas {
    let store: GraphQLStore?
    private var read: [GraphQLPlace: Result<GraphQLSchema?, GraphQLSchemaError>] = [:]

    init(store: GraphQLStore?) { self.store = store }

    /// Returns the schema in the file that a request names, or the first that was introspected for one of the environments.
    mutating func schema(
        of request: SavedRequest, in collection: Collection, file: String
    ) -> Result<GraphQLSchema?, GraphQLSchemaError> {
        for environment in collection.environments.map({ Optional($0.name) }) + [nil] {
            guard var place = GraphQLPlace(request, file: file, environment: environment) else { break }
            // The file is the same for all.
            if place.named != nil { (place.environment, place.url) = (nil, "") }
            let found = schema(at: place)
            if place.named != nil { return found }
            if case .success(.some) = found { return found }
        }
        return .success(nil)
    }

    private mutating func schema(at place: GraphQLPlace) -> Result<GraphQLSchema?, GraphQLSchemaError> {
        if let known = read[place] { return known }
        let found = Result { () throws(GraphQLSchemaError) in try place.read(store) }
        read[place] = found
        return found
    }
}
