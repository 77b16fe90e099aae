import ArgumentParser

/// `ombi graphql`: the schema of a GraphQL service.
struct GraphQLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graphql", abstract: "Print the schema of a GraphQL service, and keep it.",
        discussion: """
            The service is asked with the URL, the headers and the credentials of the request. What is kept completes and \
            checks the queries of that URL. A file that the body names as its schema is read instead.
            Exit status: 0 success; 1 the service does not tell its schema; 2 invalid command line or file; \
            3 a file could not be read or written.
            """)

    @Argument(
        help: "A request with a body of GraphQL: COLLECTION[/FOLDER]/REQUEST.", completion: .selections)
    var selection: String

    @Option(
        name: .shortAndLong, help: "The environment; without it, the first one of the collection.",
        completion: .environments)
    var environment: String?

    @Flag(help: "Print the queries and mutations, one a line.")
    var operations = false

    @Option(
        name: .customLong("to"), help: ArgumentHelp("Write the schema to a file.", valueName: "file"),
        completion: .file())
    var target: String?

    @Flag(help: "Do not record that the service was asked.")
    var noRecord = false

    @OptionGroup var variables: VariableOptions

    @OptionGroup var gate: GateOptions

    func validate() throws {
        if operations, target != nil { throw ValidationError("--to writes the schema; leave out --operations") }
    }

    func run() throws {
        let (order, place) = try self.order()
        let schema = try place.named == nil ? introspected(order, place) : read(place)
        if let target {
            return try ExitStatus.inputOutput.onError { try FileReplacement.save(schema.definitions, to: target) }
        }
        guard operations else { return StandardOutput.print(SafeText.lines(String(schema.definitions.dropLast()))) }
        for operation in schema.operations {
            StandardOutput.print(SafeText.line("\(operation.kind) \(operation.name)\(operation.signature)"))
        }
    }

    private func order() throws -> (RunOrder, GraphQLPlace) {
        let found = try Selection.jobs([selection], environment: environment).compactMap { job in
            job.order.graphQLPlace.map { (job.order, $0) }
        }
        guard let first = found.first else {
            throw ExitStatus.misuse.reporting("\(selection) has no request with a body of GraphQL")
        }
        guard found.allSatisfy({ $0.1 == first.1 }) else {
            throw ExitStatus.misuse.reporting("\(selection) has \(found.count) requests of GraphQL; name one of them")
        }
        return first
    }

    private func read(_ place: GraphQLPlace) throws -> GraphQLSchema {
        let schema = try ExitStatus.inputOutput.onError { try place.read() }
        guard let schema else { throw ExitStatus.inputOutput.reporting("there is no schema") }
        return schema
    }

    private func introspected(_ order: RunOrder, _ place: GraphQLPlace) throws -> GraphQLSchema {
        try ThreadRoom.check()
        let order = order.introspection
        let history = noRecord ? nil : ConfigurationFile.headless().history.open()
        history?.printProblems()
        let session = Session(
            overrides: Overrides(variables: try variables.values()),
            steps: .headless(try gate.gate(), asking: gate.asking).recording(in: history))
        try Headless.prepare([order], session, gate.asking)
        if let first = session.firstUnsafe(before: order) {
            let what = "\(first.request.name) is a \(first.request.method.rawValue) to a protected environment"
            throw ExitStatus.misuse.reporting("\(what), and would be sent first; give its value with --set")
        }
        let schema = try ExitStatus.failure.onError {
            defer { history?.finish() }
            return try Task { try await session.introspect(order) }.wait()
        }
        do throws(FileError) { try GraphQLStore.standard?.keep(schema, for: place) } catch {
            StandardError.report("the schema is not kept: \(error.description)")
        }
        return schema
    }
}
