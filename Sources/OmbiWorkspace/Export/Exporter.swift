/// A format in which requests are exported. A new one is one more entry in `all`.
package struct Exporter: Sendable {
    /// The word of the command line.
    package let name: String
    package let title: String
    /// One line for a list.
    package let note: String
    /// False for a format in which variables always stay variables.
    package let fillsIn: Bool
    /// True if the text contains only characters that a terminal shows.
    package let isEscaped: Bool
    let writer: Writer

    enum Writer: Sendable {
        /// A separate text for each request.
        case each(
            saved: @Sendable (RunOrder) -> String,
            filled: @Sendable (Session, RunOrder, Bool) throws(ResolveError) -> String)
        case all(@Sendable (ExportedRequests) -> ExportedText)
        /// One document about all; true for the servers of every environment.
        case document(@Sendable ([RunOrder], Bool) -> ExportedText)
        case load(LoadEngine)
    }

    private init(
        _ name: String, _ title: String, _ note: String, isEscaped: Bool = true, _ writer: Writer
    ) {
        (self.name, self.title, self.note) = (name, title, note)
        (self.isEscaped, self.writer) = (isEscaped, writer)
        switch writer {
        case .document: fillsIn = false
        case .each, .all, .load: fillsIn = true
        }
    }

    /// True for a script that captures values itself, and in which secrets are always variables.
    package var isLoad: Bool { if case .load = writer { true } else { false } }

    package static let all: [Exporter] = [
        Exporter(
            "curl", "curl", "a command for bash and zsh",
            .each(
                saved: { $0.shownCurl },
                filled: { session, order, revealsSecrets throws(ResolveError) in
                    try session.curlCommand(for: order, revealsSecrets: revealsSecrets)
                })),
        Exporter("httpie", "HTTPie", "a command for bash and zsh", .all { HTTPieExport.text(of: $0) }),
        Exporter("python", "Python", "requests", .all { PythonExport.text(of: $0) }),
        Exporter("fetch", "JavaScript", "fetch of Node.js 18", .all { FetchExport.text(of: $0) }),
        Exporter(
            "swift", "Swift", "a request of OmbiCore", isEscaped: false,
            .document { orders, _ in SwiftExport.text(of: orders) }),
        Exporter(
            "http", ".http", "VS Code and JetBrains", isEscaped: false, .all { HTTPFileExport.text(of: $0) }),
        Exporter("hurl", "Hurl", "a file for hurl", .all { HurlExport.text(of: $0) }),
        Exporter("postman", "Postman", "a collection of version 2.1", .all { PostmanExport.text(of: $0) }),
        Exporter("har", "HAR", "an HTTP archive, requests alone", .all { ArchiveExport.text(of: $0) }),
        Exporter(
            "openapi", "OpenAPI", "a description of version 3.1",
            .document { OpenAPIExport.text(of: $0, allEnvironments: $1) }),
        Exporter(
            "markdown", "Markdown", "a page about the requests", isEscaped: false,
            .all { MarkdownExport.text(of: $0) }),
        Exporter("k6", "k6", "a script for load tests", .load(.k6)),
        Exporter("locust", "Locust", "a script for load tests", .load(.locust)),
    ]

    package static func named(_ name: String) -> Exporter? { all.first { $0.name == name } }
}

/// The text that an exporter writes, and a sentence for each part that the other tool cannot express.
package struct ExportedText: Sendable, Equatable {
    package var text: String
    package var losses: [String] = []
}

extension ExportedText {
    fileprivate init(_ script: LoadScript) { self.init(text: script.text, losses: script.losses) }

    /// Puts the texts of requests after each other. The comments of the shell in front of a text are its losses.
    fileprivate init(_ texts: [(name: String, text: String)]) {
        self.init(text: texts.map(\.text).joined(separator: "\n\n"))
        for (name, text) in texts {
            let comments = text.split(separator: "\n").prefix { $0.hasPrefix("# ") }
            losses += comments.map { "\(name): \($0.dropFirst(2))" }
        }
    }
}

/// The requests of one export.
struct ExportedRequests: Sendable, Equatable {
    /// The name of their collection.
    var name: String
    var requests: [ExportedRequest]
    /// The variables of the collection and the environment that are no secrets.
    var variables: [Variable] = []
    /// A sentence for each request that is left out.
    var omissions: [String] = []

    /// Leaves out the requests whose methods a tool has not.
    mutating func leaveOut(from tool: String, unless hasMethod: (String) -> Bool) {
        for request in requests where !hasMethod(request.method.rawValue) {
            omissions.append("\(request.name) is left out: \(tool) has no method \(request.method.rawValue)")
        }
        requests.removeAll { !hasMethod($0.method.rawValue) }
    }

    /// The omissions, and what each request loses under its name.
    func losses(_ own: (ExportedRequest) -> [String]) -> [String] {
        omissions + requests.flatMap { request in own(request).map { "\(request.name): \($0)" } }
    }

    /// Writes the requests one after the other, each with its losses after its first line, which names it.
    /// - Parameters:
    ///   - comment: The start of a line of comment.
    ///   - start: The text before all requests.
    ///   - write: Returns a request and its losses.
    func written(
        comment: String, start: String = "", _ write: (ExportedRequest) -> (text: String, losses: [String])
    ) -> ExportedText {
        var losses = omissions
        var blocks = omissions.isEmpty ? [] : [Self.comments(omissions, comment)]
        if !start.isEmpty { blocks.append(start) }
        for request in requests {
            let (text, own) = write(request)
            let name = text.prefix { $0 != "\n" }
            let comments = own.isEmpty ? "" : "\n" + Self.comments(own, comment)
            blocks.append("\(name)\(comments)\(text[name.endIndex...])")
            losses += own.map { "\(request.name): \($0)" }
        }
        return ExportedText(text: blocks.joined(separator: "\n\n"), losses: losses)
    }

    private static func comments(_ texts: [String], _ comment: String) -> String {
        texts.map { "\(comment) \(ShellQuotes.comment($0))" }.joined(separator: "\n")
    }
}

extension Session {
    /// Exports requests as they are saved, with their templates.
    /// - Parameters:
    ///   - examples: the responses that a page shows.
    ///   - allEnvironments: false for a document that names the servers of the chosen environment alone.
    /// - Returns: a text without secrets, but for those in the responses.
    package static func exported(
        _ orders: [RunOrder], as exporter: Exporter, examples: [RunOrder.ID: TransportResponse] = [:],
        allEnvironments: Bool = true
    ) -> ExportedText {
        switch exporter.writer {
        case .each(let saved, _): return ExportedText(orders.map { ($0.request.name, saved($0)) })
        case .all(let write): return write(ExportedRequests(orders, examples) { ExportedRequest($0) })
        case .document(let write): return write(orders, allEnvironments)
        case .load(let engine): return ExportedText(LoadScript(saved: orders, for: engine))
        }
    }

    /// Exports requests with their variables filled in. Reads the secrets that they use.
    /// - Parameters:
    ///   - revealsSecrets: false keeps them as variables, or masks them; the script of a load has variables.
    ///   - examples: the responses that a page shows.
    package func filledExport(
        of orders: [RunOrder], as exporter: Exporter, revealsSecrets: Bool = false,
        examples: [RunOrder.ID: TransportResponse] = [:]
    ) throws(ResolveError) -> ExportedText {
        switch exporter.writer {
        case .each(_, let filled):
            var texts: [(name: String, text: String)] = []
            for order in orders { texts.append((order.request.name, try filled(self, order, revealsSecrets))) }
            return ExportedText(texts)
        case .document: return Self.exported(orders, as: exporter)
        case .load(let engine): return ExportedText(try loadScript(orders, row: nil, .exported, for: engine))
        case .all(let write):
            return write(
                try ExportedRequests(orders, examples) { order throws(ResolveError) in
                    try filled(order, revealsSecrets: revealsSecrets)
                })
        }
    }

    /// Fills in values that are neither secret nor captured. Checks that the whole request can be resolved.
    private func filled(_ order: RunOrder, revealsSecrets: Bool) throws(ResolveError) -> ExportedRequest {
        let captured = sampleScope(of: order)
        let resolved = try resolve(order, captured, standIn: nil)
        var request = ExportedRequest(order)
        let url = resolved.host + resolved.path + resolved.query.suffix
        let isShown = revealsSecrets || !request.address.holdsSecret && resolved.redactor.redact(url) == url
        if isShown, captured.namingSamples(in: url) == url {
            request.url = ExportText(plain: url)
            if case .key(_, .query)? = request.credentials { request.credentials = nil }
        }
        var resolution = Resolution(order, by: resolver(of: order, captured))
        try request.forEachText { text throws(ResolveError) in
            try text.fill { value throws(ResolveError) in
                guard case .template(let template) = value.source else { return value.literal(revealsSecrets) }
                if template.names.contains(where: { captured.values[$0]?.isSample ?? false }) { return nil }
                let filled = try resolution.fill(template.description, "export")
                return revealsSecrets || resolution.redactor.redact(filled) == filled ? filled : nil
            }
        }
        return request
    }
}

extension ExportValue {
    /// The text of a secret in clear text; nil if it is not revealed, or issued later.
    fileprivate func literal(_ revealsSecrets: Bool) -> String? {
        guard revealsSecrets, case .secret(let text) = source, !text.isEmpty else { return nil }
        return text
    }
}

extension Variable {
    /// True for a value that an export may show.
    /// - Parameter secrets: the names of the secrets.
    func isPublic(besides secrets: Set<String>) -> Bool {
        enabled && !isLocal && !secrets.contains(name) && SecretDetector.find(in: value, named: name).isEmpty
    }
}

extension ExportedRequests {
    fileprivate init<Failure: Error>(
        _ orders: [RunOrder], _ examples: [RunOrder.ID: TransportResponse],
        _ request: (RunOrder) throws(Failure) -> ExportedRequest
    ) throws(Failure) {
        self.init(name: orders.first?.collection.name ?? "", requests: [])
        for order in orders {
            if order.request.isWebSocket {
                omissions.append("\(order.request.name) is a WebSocket, which is left out")
            } else {
                var exported = try request(order)
                exported.example = examples[order.id].map { ExportedExample($0) }
                requests.append(exported)
            }
        }
        let sent = orders.filter { !$0.request.isWebSocket }
        var names = SecretNames(requests, of: sent)
        for (index, order) in sent.enumerated() {
            requests[index].forEachText { text in
                text.replaceValues { value -> ExportText.Piece in .value(names.renamed(value, in: order)) }
            }
        }
        guard let first = orders.first else { return }
        let (collection, environment) = (first.collection, first.chosenEnvironment)
        let secrets = Set((environment?.secrets ?? []).map(\.name))
        let isPublic = { (variable: Variable) in variable.isPublic(besides: secrets) }
        variables = (collection.variables + (environment?.variables ?? [])).filter(isPublic)
        for request in orders.map(\.request) where !request.isWebSocket {
            addVariables(of: request, request.variables.filter(isPublic))
        }
    }

    /// Adds the variables of a request; of several values of one name, the first applies to all requests.
    private mutating func addVariables(of request: SavedRequest, _ own: [Variable]) {
        for variable in own {
            guard let known = variables.last(where: { $0.name == variable.name }) else {
                variables.append(variable)
                continue
            }
            guard known.value != variable.value else { continue }
            omissions.append("\(request.name) has a value of its own for the variable \(variable.name)")
        }
    }
}
