/// Schemas of GraphQL, which are read from files or asked of services.
extension EffectRunner {
    func runOnSchemas(_ effect: Effect) {
        switch effect {
        case .readSchema(let place, let use): readSchema(place, for: use)
        case .introspect(let order): introspect(order)
        default: break
        }
    }

    private func readSchema(_ place: GraphQLPlace, for use: SchemaUse) {
        let emit = emitter
        DispatchQueue.global(qos: .userInitiated).async {
            do throws(GraphQLSchemaError) {
                let schema = try place.read()
                emit(.schema(place, schema, for: use))
            } catch {
                emit(.schema(place, nil, for: .editor))
                emit(.notice(Notice(.failure, "The schema of the query cannot be read: \(error)")))
            }
        }
    }

    private func introspect(_ order: RunOrder) {
        guard let place = order.graphQLPlace else { return }
        let (session, emit) = (session, emitter)
        Task.detached {
            if let first = session.firstUnsafe(before: order)?.request {
                let what = "\(first.name) is a \(first.method.rawValue) to a protected environment"
                emit(.notice(Notice(.warning, "\(what), and would be sent first; send it, then ask again")))
                return
            }
            do throws(IntrospectionError) {
                let schema = try await session.introspect(order, waitsForSignIn: false)
                emit(.schema(place, schema, for: .editor))
                emit(.notice(Self.notice(of: schema, at: place)))
            } catch {
                emit(.notice(Notice(.failure, "No schema: \(error)")))
            }
        }
    }

    /// Keeps a schema, and says what it has.
    nonisolated private static func notice(of schema: GraphQLSchema, at place: GraphQLPlace) -> Notice {
        let operations = Count.of(schema.operations.count, "operation")
        do throws(FileError) { try GraphQLStore.standard?.keep(schema, for: place) } catch {
            return Notice(.warning, "The schema has \(operations); it is not kept: \(error)")
        }
        return Notice(.success, "The schema has \(operations); it completes and checks the query")
    }
}

extension Session {
    /// The first of what is sent before an introspection, which only reads, that may change something in a protected
    /// environment; nil for none.
    func firstUnsafe(before order: RunOrder) -> Dependency? {
        let order = order.introspection
        let isProtected = order.environment.flatMap(order.collection.environment(named:))?.protected ?? false
        guard isProtected else { return nil }
        // Without a grant or a secret it cannot be told what is there already.
        let planned = (try? plan(order)) ?? order.sentFirst.map { Dependency($0, variable: "") }
        return planned.first { !$0.request.isSafe }
    }
}
