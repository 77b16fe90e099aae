/// Finds what a collection file can hold and no run can use: errors in templates, and variables and requests that need
/// each other. A file with such errors is loaded all the same, so that it can be repaired on the screen.
package enum CollectionCheck {
    /// Returns the problems beyond those of loading the file, in the order of the file.
    /// - Parameters:
    ///   - loaded: the same collection, with what lies beside it.
    ///   - isWhole: false where what lies beside it cannot be read, and may have further variables.
    package static func problems(
        in bytes: [UInt8], file: String, beside loaded: Collection? = nil, isWhole: Bool = true
    ) -> [Problem] {
        guard let document = try? JSONDocument(checking: Bytes(bytes)),
            var collection = CollectionFile.read(document, file: file).collection
        else { return [] }
        collection.takeOverlay(from: loaded)
        let log = ProblemLog(file: file, document: document)
        let texts = TemplatePlaces(in: document)
        let known = KnownVariables(collection)
        for place in texts.places { check(place, known, document, log, isWhole: isWhole) }
        for place in texts.expected { checkExpected(place, known, document, log) }
        checkHosts(texts.hosts, log)
        checkEndpoints(texts.endpoints, log)
        checkHeaders(texts.headers, log)
        checkCookies(texts.cookies, log)
        checkTypes(texts.contentTypes, log)
        checkMethods(of: collection, texts, log)
        checkPaths(of: collection, texts, log)
        checkParameters(of: collection, texts, log)
        checkEncodings(of: collection, texts, log)
        checkForms(of: collection, texts, log)
        checkNames(of: collection, texts, log)
        checkDependencies(of: collection, texts, log)
        return log.problems
    }

    // MARK: Templates

    /// Returns the names of the variables that texts of a collection have and that nothing gives a value, in the order
    /// of the file.
    package static func unknownVariables(in collection: Collection) -> [String] {
        guard let document = try? JSONDocument(checking: Bytes(collection.text.utf8)) else { return [] }
        let known = KnownVariables(collection)
        var (names, found): ([String], Set<String>) = ([], [])
        for part in TemplatePlaces(in: document).places.flatMap({ (try? Template($0.text))?.parts ?? [] }) {
            guard case .template(let expression) = part else { continue }
            do throws(TemplateError.Reason) { try known.check(expression.value, in: nil) } catch {
                if case .unknownVariable(let name, _) = error, found.insert(name).inserted { names.append(name) }
            }
        }
        return names
    }

    private static func check(
        _ place: TemplatePlaces.Place, _ known: KnownVariables, _ document: JSONDocument, _ log: ProblemLog,
        isWhole: Bool
    ) {
        let template: Template
        do throws(TemplateError) { template = try Template(place.text) } catch {
            return log.error(at: document.offset(of: place, at: error.offset), error.description)
        }
        // A variable that grows too large is one where it is sent.
        if place.variable == nil {
            do throws(TemplateError) { try known.checkSize(of: template, place.text) } catch {
                log.error(at: document.offset(of: place, at: error.offset), error.description)
            }
        }
        var left = maximumProblems
        for part in template.parts {
            guard left > 0, case .template(let expression) = part else { continue }
            do throws(TemplateError.Reason) {
                try known.check(expression.value, in: place.variable)
            } catch {
                left -= 1
                let error = TemplateError(error, at: expression.offset, in: place.text)
                let offset = document.offset(of: place, at: error.offset)
                // Another source may give it a value: --set, or what an environment does not say.
                if case .unknownVariable = error.kind {
                    guard isWhole else { continue }
                    log.warning(at: offset, error.description + "; no environment has it, and no request captures it")
                } else {
                    log.error(at: offset, error.description)
                }
            }
        }
    }

    /// The maximum number of problems of one text: each place is counted from its start.
    private static let maximumProblems = 100

    /// Warns of a variable where none is filled in. Other braces are what is expected.
    private static func checkExpected(
        _ place: TemplatePlaces.Place, _ known: KnownVariables, _ document: JSONDocument, _ log: ProblemLog
    ) {
        var left = maximumProblems
        for case .template(let expression) in (try? Template(place.text))?.parts ?? [] where left > 0 {
            do throws(TemplateError.Reason) { try known.check(expression.value, in: nil) } catch { continue }
            left -= 1
            log.warning(
                at: document.offset(of: place, at: expression.offset),
                "\(expression) is not filled in: an expectation is compared as it is written")
        }
    }

    // MARK: Addresses

    /// Returns the problems with the hosts of a local file. Empty hosts are inherited.
    package static func hostProblems(inLocal bytes: [UInt8], file: String) -> [Problem] {
        guard let document = try? JSONDocument(checking: Bytes(bytes)) else { return [] }
        let log = ProblemLog(file: file, document: document)
        checkHosts(TemplatePlaces(in: document).hosts.filter { !$0.text.isEmpty }, log)
        return log.problems
    }

    private static func checkHosts(_ hosts: [TemplatePlaces.Place], _ log: ProblemLog) {
        for host in hosts {
            do throws(FieldError) { try HostText.check(RequestTarget.host(host.text)) } catch {
                log.error(at: host.range.lowerBound, "\"host\": \(error.message)")
            }
        }
    }

    private static func checkEndpoints(_ endpoints: [(key: String, place: TemplatePlaces.Place)], _ log: ProblemLog) {
        for (key, place) in endpoints {
            guard let problem = RequestTarget(place.text).problem else { continue }
            log.error(at: place.range.lowerBound, "\"\(key)\": \(problem)")
        }
    }

    private static func checkPaths(of collection: Collection, _ texts: TemplatePlaces, _ log: ProblemLog) {
        for (request, offset) in zip(collection.requests, texts.paths) {
            if let problem = request.target.problem { log.error(at: offset, "\"path\": \(problem)") }
        }
    }

    private static func checkParameters(of collection: Collection, _ texts: TemplatePlaces, _ log: ProblemLog) {
        for (request, offset) in zip(collection.requests, texts.paths) {
            let known = request.pathParameters.filter(\.enabled)
            for name in request.pathParameterNames where !known.contains(where: { $0.name == name }) {
                log.error(at: offset, "\"path\": \(Resolution.noParameter(name, in: known))")
            }
            for field in known
            where [".", ".."].contains(field.value) && request.pathParameterNames.contains(field.name) {
                log.error(at: offset, "\"path\": :\(field.name): \(Resolution.dotReason)")
            }
        }
    }

    // MARK: Headers

    /// Warns of a header that calls a body compressed, which no body but that of a file can be.
    private static func checkEncodings(of collection: Collection, _ texts: TemplatePlaces, _ log: ProblemLog) {
        for (request, offset) in zip(collection.requests, texts.requests) {
            let header = request.headers.last { $0.enabled && $0.name.lowercased() == "content-encoding" }
            if let header, let compression = request.compression, header.value != compression.rawValue {
                log.warning(at: offset, ContentCoding.warning(of: header.value, under: compression))
            }
            guard let coding = header?.value, let body = request.body, request.compression == nil,
                !coding.contains("{{"),
                let warning = ContentCoding.warning(of: coding, isFile: body.kind == .file)
            else { continue }
            log.warning(at: offset, warning)
        }
    }

    /// Warns of a header that gives a form the type of something else, without a boundary.
    private static func checkForms(of collection: Collection, _ texts: TemplatePlaces, _ log: ProblemLog) {
        for (request, offset) in zip(collection.requests, texts.requests) where request.body?.kind == .multipart {
            let header = request.headers.last { $0.enabled && $0.name.lowercased() == "content-type" }
            guard let type = header?.value, !type.contains("{{"), !type.lowercased().hasPrefix("multipart/") else {
                continue
            }
            log.warning(
                at: offset,
                "\"Content-Type\" is \(JSONValue.quoted(type.excerpt(40))), with which no server finds the parts of the "
                    + "form; remove the header")
        }
    }

    // MARK: Names

    /// Warns of requests that no command line and no history can tell apart.
    private static func checkNames(of collection: Collection, _ texts: TemplatePlaces, _ log: ProblemLog) {
        var names: [Name] = []
        collection.forEachRequest { names.append(Name(folder: $1.last?.id, text: $0.name)) }
        var seen: Set<Name> = []
        for (name, offset) in zip(names, texts.requests) where !seen.insert(name).inserted {
            log.warning(
                at: offset,
                "another request beside this one is named \(JSONValue.quoted(name.text)): `ombi run` sends both, and they "
                    + "have one history")
        }
    }

    private struct Name: Hashable {
        var folder: ItemID?
        var text: String
    }

    // MARK: Requests that need each other

    private static func checkDependencies(
        of collection: Collection, _ texts: TemplatePlaces, _ log: ProblemLog
    ) {
        let index = CaptureIndex(collection)
        guard !index.requests.isEmpty else { return }
        var seen: Set<String> = []
        let requests = collection.requests
        // Looked up once: a search for each of thousands of requests goes through all of them.
        var folders: [ItemID: [Folder]] = [:]
        collection.forEachRequest { folders[$0.id] = $1 }
        for environment in collection.choosableEnvironments.map(Optional.some)
            + (collection.environments.isEmpty ? [nil] : [])
        {
            var resolver = Resolver.preview(collection, environment, Overrides())
            var reported: Set<ItemID> = []
            for (number, request) in zip(texts.requests, requests) where !reported.contains(request.id) {
                var plan = CapturePlan(request, index, index.scope(for: [request]))
                plan.unneeded = reported
                do throws(ResolveError) {
                    try plan.make { (request, scope) throws(ResolveError) in
                        // Exchanged, as a copy of a long one for each request takes long.
                        swap(&resolver.captured, &scope)
                        defer { swap(&resolver.captured, &scope) }
                        let levels = Inheritance(
                            collection, folders: folders[request.id], environment: environment)
                        _ = try resolver.resolve(request, levels)
                    }
                    // It stopped at one that was reported, for which all of these wait.
                    reported.formUnion(plan.path.map(\.id))
                } catch {
                    guard error.reason.hasPrefix(CaptureIndex.mutualReason) else { continue }
                    reported.formUnion(plan.path.dropLast(plan.reportedEach).map(\.id))
                    guard seen.insert(error.reason).inserted else { continue }
                    log.error(at: number, "\(error.field): \(error.reason)")
                }
            }
        }
    }
}

extension LoadedCollection {
    /// The problems of the file and of those beside it, and a warning for each file that it names and that cannot be read,
    /// for each setting and scheme that the libcurl of this system lacks, and for `.netrc` files that others can read. Looks
    /// at the disk.
    package var problemsWithNamedFiles: [Problem] {
        guard let content = fingerprint.content, let document = try? JSONDocument(checking: content) else {
            return problems
        }
        let folder = RelativePath.folder(of: path)
        let checks = FileChecks(
            reads: { named in
                let place = RelativePath.resolve(named, folder: folder)
                if Workspace.isPipe(place) { return nil }
                do {
                    _ = try BodyStream(fileURL: URL(filePath: Workspace.real(place) ?? place))
                    return nil
                } catch { return (error as? UnreadableFile)?.reason ?? "\(error)" }
            }, refuses: { CurlTransport.refusal(of: $0)?.message },
            judges: { named in
                do throws(JSONSchemaError) {
                    _ = try LoadedSchema(.file(named), folder: folder, files: .system(folder: folder))
                    return nil
                } catch { return "\(error)" }
            }, lacks: { SavedAuthentication.lack(of: $0) },
            exposes: { SavedAuthentication.exposure(ofNetrc: $0, folder: folder) })
        let found = CollectionFile.read(document, file: path, checks: checks).problems
        return found + problems.filter { $0.file != path }
    }

    /// The problems with the hosts of the local file next to this one, to which nothing can be sent.
    package var problemsWithLocalHosts: [Problem] {
        guard let local = OverlayFile.path(for: path), let bytes = try? PosixFileSystem().read(local) else { return [] }
        return CollectionCheck.hostProblems(inLocal: bytes, file: local)
    }
}

/// Problems of a request that no server takes: a run would refuse it.
extension CollectionCheck {
    static func checkHeaders(_ headers: [TemplatePlaces.Header], _ log: ProblemLog) {
        // A broken template is an error already.
        for header in headers where (try? Template(header.name.text)) != nil {
            do throws(FieldError) { try Field.checkHeaderName(header.name.text) } catch {
                log.error(
                    at: header.name.range.lowerBound,
                    "the header \(JSONValue.quoted(header.name.text.excerpt(40))): \(error.message)")
            }
            if !texts(of: header.value.text).allSatisfy({ HeaderCheck.isValue($0) }) {
                log.error(
                    at: header.value.range.lowerBound,
                    "the header \(JSONValue.quoted(header.name.text.excerpt(40))): \(HeaderCheck.valueReason)")
            }
        }
    }

    static func checkCookies(_ cookies: [TemplatePlaces.Header], _ log: ProblemLog) {
        for cookie in cookies {
            let what = "the cookie \(JSONValue.quoted(cookie.name.text.excerpt(40)))"
            for (place, isName) in [(cookie.name, true), (cookie.value, false)] {
                for text in texts(of: place.text) {
                    do throws(FieldError) { try Field.checkCookie(text, isName: isName) } catch {
                        log.warning(at: place.range.lowerBound, "\(what): \(error.message)")
                    }
                    if !HeaderCheck.isValue(text) {
                        log.error(at: place.range.lowerBound, "\(what): \(HeaderCheck.valueReason)")
                    }
                }
            }
        }
    }

    /// Returns what is written between the templates of a text.
    private static func texts(of text: String) -> [String] {
        let parts = (try? Template(text))?.parts ?? []
        return parts.compactMap { if case .text(let text) = $0 { text } else { nil } }
    }

    static func checkTypes(_ types: [TemplatePlaces.Place], _ log: ProblemLog) {
        for type in types {
            do throws(FieldError) { try Field.checkContentType(type.text) } catch {
                log.warning(
                    at: type.range.lowerBound,
                    "\"contentType\": \(JSONValue.quoted(type.text.excerpt(40))): \(error.message)")
            }
        }
    }

    static func checkMethods(of collection: Collection, _ texts: TemplatePlaces, _ log: ProblemLog) {
        for (request, offset) in zip(collection.requests, texts.webSockets) {
            if let problem = request.webSocket?.problem { log.error(at: offset, "\"webSocket\": \(problem)") }
        }
        for (request, offset) in zip(collection.requests, texts.methods) {
            if request.method == .connect {
                log.error(at: offset, "\"method\": \(Resolution.connectReason)")
            } else if request.isWebSocket, request.method != .get || request.body != nil {
                log.error(at: offset, "\"method\": \(Resolution.webSocketReason)")
            }
        }
    }
}

extension LoadedCollection {
    /// The problems of GraphQL queries: of the operations that they run, and with the schema in a file, or with the one that
    /// was introspected last. That may have changed since, so those are warnings. Looks at the disk.
    package func problemsOfQueries(_ store: GraphQLStore? = GraphQLStore.standard) -> [Problem] {
        guard let collection, !collection.overlay.isForeign else { return [] }
        let requests = collection.requests.filter { if case .graphql? = $0.body { true } else { false } }
        guard !requests.isEmpty, let content = fingerprint.content,
            let document = try? JSONDocument(checking: content)
        else { return [] }
        let places = Self.requests(of: collection, in: document, file: path)
        let offsets = Dictionary(places.map { ($0.0, $0.1.offset) }, uniquingKeysWith: { first, _ in first })
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
