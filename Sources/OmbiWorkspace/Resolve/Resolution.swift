/// Fills in the fields of one request, and collects the secrets that it uses.
struct Resolution {
    struct Address {
        var host: String
        var hostSource: Provenance
        var path: String
        /// The query of the path alone.
        var query: ResolvedQuery
        /// True for another host than the environment's.
        var isForeign: Bool
        /// True for an address with the scheme of WebSockets, in the form of its handshake.
        var isWebSocket = false
    }

    let request: SavedRequest
    let environment: Environment?
    /// The folder of the collection file, at which relative paths start.
    let folder: String
    var scope: VariableScope
    /// Credentials that were encoded from user name and password.
    var encodedCredentials: [String] = []
    /// Credentials that the collection has in clear.
    var literals = LiteralSecrets()
    /// The parts of secrets that are the host of a URL.
    var partsInHost: Set<String> = []
    /// The host that the request goes to, as a URL; empty until its address is filled in.
    var host = ""
    var hasOpenedFiles = false
    /// The sources of the parts that are filled in so far.
    var sources = PartSources()
    /// The document outside the workspace that the request is based on; nil for none.
    private(set) var document: Source?
    /// True if nothing was read that may differ next time.
    var isRepeatable: Bool { scope.isRepeatable && !hasOpenedFiles && request.expect?.schema == nil }

    /// Masks secrets, and the values of variables of the file that are named like credentials. A capture declares
    /// whether it is secret.
    var redactor: Redactor {
        var literals = literals
        for variable in scope.used.values {
            switch variable.source {
            case .request, .folder, .collection, .environment: literals.add(variable.value, named: variable.name)
            case .row, .commandLine, .captured, .ombi: break
            }
        }
        return Redactor(scope.revealed.union(partsInHost).union(literals.values).sorted() + encodedCredentials)
    }

    /// The texts to mask in the name of a host: secrets and their parts. A secret that is a whole address is shown,
    /// because the destination of a request must be visible.
    func secrets(inHost host: String) -> [String] {
        let name = Origin(host).map { _ in URL(string: host)?.host()?.lowercased() ?? "" } ?? ""
        let hidden = scope.revealed.filter { secret in
            let text = secret.lowercased()
            return !Origin.isAbsolute(secret) && text != name && !text.hasPrefix(name + ":")
        }
        return (hidden + hidden.flatMap { SecretForms.parts(of: $0, inHostOf: host) }).sorted()
    }

    func error(_ field: String, _ reason: String) -> ResolveError {
        ResolveError(request: request.name, field: field, reason: reason)
    }

    /// - Parameters:
    ///   - start: the number of characters in front of the text in its field, for errors.
    ///   - plain: applied to the text between the templates.
    ///   - value: applied to what each template gives.
    mutating func fill(
        _ text: String, _ field: String, after start: Int = 0, plain: (String) -> String = { $0 },
        value: (String) -> String = { $0 }
    ) throws(ResolveError) -> String {
        do throws(TemplateError) { return try scope.fill(text, plain: plain, value: value) } catch {
            var error = error
            error.column += start
            var failure = self.error(field, error.description + error.remedy)
            failure.missingCapture = error.missingCapture
            let missing = error.missingSecret
            if missing?.isUnset ?? false { failure.unset = missing } else { failure.missingSecret = missing }
            throw failure
        }
    }

    /// Adds the rows of the query, which hold plain text unless they are raw; a row with neither name nor value is none.
    mutating func addRows(to query: inout ResolvedQuery) throws(ResolveError) {
        for row in request.query where row.enabled && !(row.name.isEmpty && row.value.isEmpty) {
            literals.add(row.value, named: row.name)
            let place = "query \"\(row.name)\""
            if row.isRaw {
                literals.add(query: row.rawText)
                query.append(encoded: try filledQuery(row.rawText, place))
            } else {
                query.append(try fill(row.name, place), try fill(row.value, place))
            }
        }
        sources.url.formUnion(scope.takeSources())
    }

    mutating func body() throws(ResolveError) -> PreparedBody? {
        guard let content = request.body?.content else { return nil }
        switch request.body {
        case .form(let form)?: for row in form.fields where row.enabled { literals.add(row.value, named: row.name) }
        case .multipart(let form)?:
            for part in form.parts where part.enabled {
                guard case .text(let text) = part.content else { continue }
                literals.add(text, named: part.name)
                literals.add(body: text)
            }
        default: if let text = request.body?.text { literals.add(body: text) }
        }
        let (request, folder, reader) = (request, folder, scope.reader)
        var (opened, files) = (false, Set<Source>())
        defer { hasOpenedFiles = opened }
        var body = try content.prepare { text, field throws(ResolveError) in
            try fill(text, field)
        } _: { path, field throws(ResolveError) in
            opened = true
            let source = Workspace.sourceOfContent(path, folder: folder)
            if let source { files.insert(source) }
            return try Self.open(path, folder, reader, as: source) {
                ResolveError(request: request.name, field: field, reason: $0)
            }
        }
        try check(body.encoded.contentType, "body content type")
        if !files.isEmpty {
            let mask = redactor
            files = Set(files.map { $0.masked { mask.redact($0) } })
        }
        sources.hasFile = !files.isEmpty
        if let document { files.insert(document) }
        sources.body.formUnion(scope.takeSources().union(files))
        if let compression = request.compression { try compress(&body, compression) }
        return body
    }

    private func compress(_ body: inout PreparedBody, _ compression: RequestCompression) throws(ResolveError) {
        guard body.encoded.data != nil else { throw error("compression", SavedBody.compressionReason) }
        guard body.compress(by: compression) else {
            throw error("compression", "\(compression.rawValue) needs \(compression.library), which is not installed")
        }
    }

    private static func open(
        _ path: String, _ folder: String, _ reader: SecretReader, as source: Source?,
        _ refusal: (_ reason: String) -> ResolveError
    ) throws(ResolveError) -> BodyStream {
        guard !path.isEmpty else { throw refusal("no file is named; write its path, for example ./photo.png") }
        let place = RelativePath.resolve(path, folder: folder)
        do {
            // Each attempt sends the body again, and a pipe is read once.
            if Workspace.isPipe(place) { return BodyStream(data: Data(try reader.read(path, as: source))) }
            // The file whose source was told: a URL would take `link/..` for the folder of the link.
            return try BodyStream(fileURL: URL(filePath: Workspace.real(place) ?? place))
        } catch {
            let reason = (error as? UnreadableFile)?.reason ?? (error as? FileError)?.reason ?? "\(error)"
            // It is so for a request without a collection, too.
            let start = folder == "." ? "the working folder" : "the folder of the collection"
            throw refusal("\(path) cannot be read: \(reason); paths start at \(start)")
        }
    }

    func check(_ value: RequestHeaders.Value?, _ place: String) throws(ResolveError) {
        guard let value, !HeaderCheck.isValue(value.text) else { return }
        throw error(place, HeaderCheck.valueReason)
    }
}

extension Resolution {
    /// Throws for a request whose operation is gone. A document outside the workspace is a source of the URL, the body
    /// and its headers; before it was read, of what little the request has.
    mutating func operation() throws(ResolveError) {
        guard let operation = request.operation else { return }
        if let failure = operation.failure, !operation.isWithheld { throw error("operation", failure) }
        document = operation.source ?? SpecifiedOperations.source(of: operation.specification, in: folder)
        if let document { sources.url.insert(document) }
    }

    /// Returns the expectations of the run, with the schema of the body read, and the responses of its document.
    func expectation() throws(ResolveError) -> Expectation? {
        let documented = request.documentedResponses
        guard request.expect != nil || !documented.isEmpty else { return nil }
        var expectation = request.expect ?? Expectation()
        expectation.documented = documented
        guard let schema = expectation.schema else { return expectation }
        do throws(JSONSchemaError) {
            expectation.loadedSchema = try LoadedSchema(schema, folder: folder, files: scope.files)
        } catch {
            throw self.error("expect schema", "\(error)")
        }
        return expectation
    }
}

extension LoadedSchema {
    init(_ schema: SavedSchema, folder: String, files: TemplateFiles) throws(JSONSchemaError) {
        try self.init(schema, folder: folder) { path throws(JSONSchemaError) in
            do throws(TemplateFileError) { return try files.readOwn(path) } catch { throw JSONSchemaError("\(error)") }
        }
    }
}

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
        if let interface = connection.networkInterface, filling.redactor.redact(interface) != interface {
            throw error("connection interface", "a secret in it would be looked up as a host; use a variable")
        }
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
        guard filling.redactor.redact(host.description) == host.description else {
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
