import OmbiTerminal
import OmbiWorkspace

/// A schema of GraphQL, and the place that it was read from.
struct KnownSchema: Equatable, Sendable {
    var place: GraphQLPlace
    var schema: GraphQLSchema
}

/// The schema of the query: it completes and checks what is typed, and has the operations to begin with.
extension RequestPane {
    /// The place of the schema of the selected request; nil for a request without a body of GraphQL.
    static func schemaPlace(_ workbench: Workbench) -> GraphQLPlace? { workbench.order(0)?.graphQLPlace }

    /// The schema of the selected request, if it was read already.
    func knownSchema(of workbench: Workbench) -> GraphQLSchema? {
        guard let schema, schema.place == Self.schemaPlace(workbench) else { return nil }
        return schema.schema
    }

    /// Takes in a schema that was read.
    mutating func receive(
        _ new: GraphQLSchema?, at place: GraphQLPlace, for use: SchemaUse, _ workbench: Workbench
    ) -> [Outcome] {
        guard place == Self.schemaPlace(workbench) else { return [] }
        let known = knownSchema(of: workbench)
        schema = new.map { KnownSchema(place: place, schema: $0) }
        // The same schema again leaves what is being completed alone.
        if isWriting, new != known {
            withBody { $0.use(new) }
            beginCompletion(new.map(CompletionKind.graphQL) ?? .none, of: workbench)
        }
        guard use == .operations else { return [] }
        guard let new else {
            return .notify(
                .info, "No schema yet; in the palette (:) \"Ask the service for its GraphQL schema\"")
        }
        return Self.operations(of: new)
    }

    mutating func performOnSchema(_ action: RequestAction, in workbench: inout Workbench) -> [Outcome] {
        guard let order = workbench.order(0), let place = order.graphQLPlace else {
            return .notify(.info, "Select a request with a body of GraphQL first")
        }
        switch action {
        case .introspect:
            if let named = place.named { return .notify(.info, "The schema of this query is in the file \(named)") }
            return .notify(.info, "Asking the service for its schema") + [.effect(.introspect(order))]
        case .addOperation(let operation): return add(operation, to: &workbench)
        default:
            return knownSchema(of: workbench).map(Self.operations) ?? [.effect(.readSchema(place, for: .operations))]
        }
    }

    private static func operations(of schema: GraphQLSchema) -> [Outcome] {
        let items = schema.operations.map { operation in
            PickerOverlay.Item(
                name: operation.name, note: operation.kind + " " + operation.signature,
                action: .request(.addOperation(operation)))
        }
        guard !items.isEmpty else { return .notify(.info, "The schema has neither queries nor mutations") }
        return [.open(.picker(PickerOverlay(title: "Add a request for a query or a mutation", items: items)))]
    }

    /// Adds a request for an operation behind the selected one, to the same URL and with the same headers, cookies and credentials.
    private mutating func add(_ operation: GraphQLOperation, to workbench: inout Workbench) -> [Outcome] {
        guard let request = workbench.request, case .graphql(let content)? = request.body,
            let draft = knownSchema(of: workbench)?.draft(of: operation), let file = workbench.file
        else { return [] }
        // A copy of what the document gave would need no grant.
        if let operation = request.operation, operation.source != nil {
            let file = operation.specification
            return .notify(.info, "The URL of this request is in \(file); select a request with a URL of its own")
        }
        let siblings = file.collection?.siblings(in: workbench.folders?.last?.id) ?? []
        let body = GraphQLContent(draft.query, variables: draft.variables, schema: content.schema)
        var new = SavedRequest(
            name: Collection.freeName(for: draft.name, among: siblings), method: request.method, path: request.path,
            pathParameters: request.pathParameters, query: request.query, headers: request.headers,
            authentication: request.authentication, body: .graphql(body), policy: request.policy,
            connection: request.connection)
        (new.variables, new.cookies, new.isRecorded) = (request.variables, request.cookies, request.isRecorded)
        if file.isScratch {
            workbench.addScratch([.request(new)], isNew: true)
        } else {
            workbench.insert([.request(new)], at: .request(request.id))
        }
        tab = .body
        return [.perform(.tree(.select(.request(new.id)))), .focus(.request)]
    }
}
