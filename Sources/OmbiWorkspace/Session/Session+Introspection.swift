extension RunOrder {
    /// The place of the schema of the request; nil for a request without a body of GraphQL.
    package var graphQLPlace: GraphQLPlace? { GraphQLPlace(request, file: file, environment: environment) }

    /// The problems of the query of the request, a sentence each: of its operation, and with the schema, if one is known.
    /// Looks at the disk.
    package var queryProblems: [String] {
        guard case .graphql(let content)? = request.body, let place = graphQLPlace else { return [] }
        let ofOperations = content.operationProblems.map { "The query: " + $0 }
        do throws(GraphQLSchemaError) {
            return ofOperations + (try place.read()?.problems(in: content).map { "The query: \($0)" } ?? [])
        } catch {
            return ofOperations + ["The schema of the query cannot be read: \(error)"]
        }
    }

    /// The order for an introspection of the request's service: with the same URL, headers and credentials, and without
    /// the parts about its response.
    package var introspection: RunOrder {
        var request = request
        request.method = .post
        request.body = .graphql(
            GraphQLContent(GraphQLIntrospection.query, operationName: GraphQLIntrospection.operationName))
        (request.expect, request.captures, request.fallback, request.pages) = (nil, [], nil, nil)
        // The operation stays: all that its document gave needs the grant of that document here, too.
        var order = self
        order.request = request
        // The runs of the request stay its own, but what was sent for it is in the history.
        if !itemPath.path.suffix(2).elementsEqual(ItemPath.introspection) {
            order.recordedPath = ItemPath(file: itemPath.file, path: itemPath.path + ItemPath.introspection)
        }
        return order
    }
}

/// The reason why a service does not provide its schema, as a sentence.
package struct IntrospectionError: Error, Sendable, Equatable, CustomStringConvertible {
    package var description: String
}

extension Session {
    /// Requests the schema of a request's service, by all the steps of a run. The history records it below the request,
    /// for audits.
    /// - Parameter waitsForSignIn: False if the page or code of a sign-in would not be shown: a necessary one is then
    ///   an error.
    package func introspect(
        _ order: RunOrder, waitsForSignIn: Bool = true
    ) async throws(IntrospectionError) -> GraphQLSchema {
        let order = order.introspection
        let run = begin(order, isWatched: false)
        let needsSignIn = Lock(false)
        let result = await withTaskCancellationHandler {
            await introspected(order, as: run) { event in
                guard !waitsForSignIn, case .signIn(_?) = event else { return }
                needsSignIn.withLock { $0 = true }
                run.cancel()
            }
        } onCancel: {
            run.cancel()
        }
        guard !needsSignIn.withLock({ $0 }) else {
            throw IntrospectionError(description: "it needs a sign-in; s sends the request and shows how")
        }
        switch result.ending {
        case .cancelled: throw IntrospectionError(description: "cancelled")
        case .failure(let reason): throw IntrospectionError(description: reason)
        case .response(let response): return try Self.schema(of: response, result.redactor)
        }
    }

    private func introspected(
        _ order: RunOrder, as run: SessionRun, _ onEvent: @escaping @Sendable (SessionEvent) -> Void
    ) async -> SessionResult {
        let queue = DispatchQueue(label: "ombi.session.introspection")
        return await withCheckedContinuation { continuation in
            run.start(
                Task {
                    let (result, isUnsent) = await self.prepareAndSend(
                        RunChain(order: order, start: clock()), run, on: queue, onEvent)
                    if !isUnsent { await steps.record?(order, result) }
                    run.release()
                    continuation.resume(returning: result)
                })
        }
    }

    /// Reads what remains of a response without the secrets that it echoes: schemas are kept, and errors shown.
    private static func schema(
        of response: TransportResponse, _ redactor: Redactor
    ) throws(IntrospectionError) -> GraphQLSchema {
        let body = redactor.redact(response.body ?? Data())
        let read = body.withUnsafeBytes { bytes -> Result<GraphQLSchema, GraphQLSchemaError> in
            // A copy of what may be large would be one too many. The bytes are read in this scope only.
            Result { () throws(GraphQLSchemaError) in try GraphQLSchema(reading: Bytes(lent: bytes)) }
        }
        do throws(GraphQLSchemaError) { return try read.get() } catch {
            let status = response.statusCode.map { $0 >= 400 ? StatusCode.words($0) + ": " : "" } ?? ""
            throw IntrospectionError(description: "\(status)the response has no schema: \(error)")
        }
    }
}

extension ItemPath {
    /// The names below a request under which an introspection of its service is recorded. No folder of a collection has
    /// an empty name.
    static let introspection = ["", "introspection"]
}
