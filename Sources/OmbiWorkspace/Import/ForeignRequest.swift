/// Parts of a request that several readers of other tools make.
extension SavedRequest {
    /// Sets the name; the method and the path stand in for none.
    mutating func setName(_ name: String) {
        self.name = ForeignText.name(name, or: "\(method.rawValue) \(LogMask.url(path))")
    }

    // MARK: URLs

    /// Sets the path and the query for a URL of another tool, whose templates have the names and functions of Ombi.
    /// - Parameters:
    ///   - hasParameters: false for a tool in which `/:name` is a plain segment.
    ///   - isRaw: true for a query that is sent as it is written.
    mutating func setAddress(
        _ url: String, hasParameters: Bool, isRaw: Bool = false, _ log: inout ImportLog, at offset: Int
    ) {
        let (written, rawQuery, hasFragment) = ForeignText.split(url)
        if hasFragment { log.remark(offset, "#", "the fragment of a URL is not sent") }
        // A scheme alone is what is left of an address that was never written.
        let isEmpty = ["", "http://", "https://"].contains(written)
        if isEmpty { log.loss(offset, "url", "the URL is empty") }
        let base = isEmpty ? "/" : RequestTarget.imported(written)
        if let problem = RequestTarget(base).problem { log.loss(offset, "url", problem) }
        let start = base.firstRange(of: "://")?.upperBound ?? base.startIndex
        let rest = String(base[start...])
        path = TemplateText.escaped(
            foreign: String(base[..<start]) + (hasParameters ? rest : rest.replacing("/:", with: "/%3A")))
        guard let rawQuery, !rawQuery.isEmpty else { return }
        if let rows = isRaw ? Field.rawRows(ofQuery: rawQuery) : Field.rows(ofQuery: rawQuery) {
            query = rows.map(\.escapedForeign)
        } else {
            path += "?" + TemplateText.escaped(foreign: rawQuery)
        }
    }

    /// Fills in the parameters of the path, and notes those without a value.
    mutating func setPathParameters(
        _ log: inout ImportLog, at offset: Int, _ value: (_ name: String) -> Field?
    ) {
        pathParameters = pathParameterNames.map { name in
            let known = value(name)
            return Field(name, known?.value ?? "").described(known?.description ?? "")
        }
        for field in pathParameters where field.value.isEmpty {
            log.loss(offset, "/:\(field.name)".excerpted, "a path parameter without a value; give it one")
        }
    }

    /// Makes a WebSocket of the request, which offers the subprotocols that a header names.
    mutating func setWebSocket(_ messages: [(name: String, text: String)]) {
        var socket = SavedWebSocket()
        for (name, text) in messages {
            let number = socket.messages.count + 1
            socket.messages.append(SavedMessage(name: ForeignText.name(name, or: "message \(number)"), text: text))
        }
        method = .get
        let offers = headers.filter { $0.enabled && $0.name.lowercased() == "sec-websocket-protocol" }
        socket.subprotocols = offers.flatMap { $0.value.split(separator: ",").map(\.trimmed) }
        if socket.problem == nil {
            headers.removeAll { offers.contains($0) }
        } else {
            socket.subprotocols = []
        }
        webSocket = socket
    }

    // MARK: Headers

    var sentContentType: String? { headers.last { $0.enabled && $0.name.lowercased() == "content-type" }?.value }

    /// Removes a header that says what the body says itself.
    mutating func dropContentType(_ type: String) {
        headers.removeAll { header in
            guard header.enabled, header.name.lowercased() == "content-type" else { return false }
            let value = header.value.lowercased()
            return value == type.lowercased() || type == "multipart/form-data" && value.hasPrefix(type)
        }
    }

    /// Removes the header that the body says itself.
    mutating func dropContentType() {
        switch body {
        case .json?, .graphql?: dropContentType(JSONContent.note)
        case .form?: dropContentType(FormContent.note)
        case .multipart?: dropContentType("multipart/form-data")
        case .text(let content)?: if let type = content.contentType { dropContentType(type) }
        case .file(let content)?: if let type = content.contentType { dropContentType(type) }
        case nil: break
        }
    }

    /// Switches off a header that the credentials send themselves.
    mutating func silenceHeader(of credentials: SavedAuthentication, _ log: inout ImportLog, at offset: Int) {
        guard let name = credentials.headerKey?.name.lowercased() else { return }
        for index in headers.indices where headers[index].enabled && headers[index].name.lowercased() == name {
            headers[index].enabled = false
            log.remark(offset, headers[index].name, "disabled, as the authentication sends this header")
        }
    }
}

extension Collection {
    /// True for one with a request that has a header of cookies.
    var sendsCookies: Bool { requests.contains { $0.headers.contains { $0.name.lowercased() == "cookie" } } }
}

extension RequestMethod {
    /// Returns the method for a word; GET, with a note, for a word that is none.
    static func imported(_ text: String, _ log: inout ImportLog, at offset: Int) -> RequestMethod {
        guard !text.isEmpty else { return .get }
        if text.uppercased() == RequestMethod.connect.rawValue {
            log.loss(offset, text.excerpted, "asks a proxy for a tunnel; no such request is sent")
        }
        do throws(FieldError) { return try RequestMethod(text: text) } catch {
            if let method = try? RequestMethod(text: text.uppercased()) {
                log.remark(offset, text.excerpted, "written in capital letters, as all methods are")
                return method
            }
            log.loss(offset, text.excerpted, "no method; GET stands in for it")
            return .get
        }
    }
}

extension RequestTarget {
    /// Returns the path for a URL of another tool, which needs no scheme.
    static func imported(_ url: String) -> String {
        if url.hasPrefix("//") { return "http:" + url }
        if url.isEmpty || url.hasPrefix("/") || url.hasPrefix("{{") || url.contains("://") { return url }
        let target = RequestTarget(url)
        return target.isURL || target.problem != nil ? target.text : "http://" + url
    }
}

/// The names that the parameters of a path get: letters, digits and underscores.
struct ForeignParameters {
    private var newNames: [String: String] = [:]
    private var oldNames: [String: String] = [:]

    /// Returns a path whose parameters have names of letters, digits and underscores.
    /// - Parameters:
    ///   - end: a character that ends a name within a segment.
    ///   - value: returns the text that takes the place of a parameter; nil for one that stays.
    mutating func renamed(
        in base: String, end: Character? = nil, _ log: inout ImportLog, at offset: Int,
        value: (_ name: String) -> String? = { _ in nil }
    ) -> String {
        guard base.contains("/:") else { return base }
        let start = base.firstRange(of: "://")?.upperBound ?? base.startIndex
        var segments = base[start...].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        for index in segments.indices.dropFirst() where segments[index].hasPrefix(":") {
            let old = String(segments[index].dropFirst().prefix { $0 != end })
            guard !old.isEmpty, !old.contains("{{") else { continue }
            let rest = segments[index].dropFirst(old.count + 1)
            segments[index] = (value(old) ?? ":" + name(for: old, &log, at: offset)) + rest
        }
        return String(base[..<start]) + segments.joined(separator: "/")
    }

    func contains(_ old: String) -> Bool { newNames[old] != nil }

    /// Returns the name in the file for one that was given.
    func written(_ new: String) -> String { oldNames[new] ?? new }

    /// Gives a name, the same one each time.
    mutating func name(for old: String, _ log: inout ImportLog, at offset: Int) -> String {
        if let known = newNames[old] { return known }
        var new = String(old.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
        while oldNames[new] != nil { new += "_" }
        if new != old { log.remark(offset, ":\(old)".excerpted, "named :\(new), as a path can name it") }
        (newNames[old], oldNames[new]) = (new, old)
        return new
    }
}

/// The variables of a level; of several with one name the last that is enabled.
struct ForeignVariables {
    private(set) var all: [Variable] = []
    private var indices: [String: Int] = [:]

    mutating func add(_ variable: Variable) {
        if let index = indices[variable.name] {
            if variable.enabled || !all[index].enabled { all[index] = variable }
        } else {
            indices[variable.name] = all.count
            all.append(variable)
        }
    }
}

extension SavedAuthentication {
    /// The credentials with a user or a token, by the words that most tools have for their kinds; nil for another word.
    init?(foreign kind: String, _ text: (_ part: String) -> String) {
        switch kind {
        case "basic": self = .basic(BasicAuthentication(username: text("username"), password: text("password")))
        case "digest": self = .digest(DigestAuthentication(username: text("username"), password: text("password")))
        case "ntlm":
            let (username, password) = (text("username"), text("password"))
            self = .ntlm(NTLMAuthentication(username: username, password: password, domain: text("domain")))
        case "bearer": self = .bearer(BearerAuthentication(token: text("token")))
        default: return nil
        }
    }
}

/// Notes that several readers of other tools make.
extension ImportLog {
    /// The maximum number of folders in each other; it bounds the stack.
    static let maximumDepth = 100

    func checkDepth(_ depth: Int, at offset: Int) throws(ImportError) {
        guard depth < Self.maximumDepth else {
            throw error(offset, "more than \(Self.maximumDepth) folders are in each other")
        }
    }

    /// Returns false, with a loss, for a text that is no name of a header.
    mutating func isHeader(_ name: String, at offset: Int) -> Bool {
        guard !name.isEmpty else {
            loss(offset, "header", "left out: it has no name")
            return false
        }
        return passes(name, Field.checkHeaderName, name.excerpted, at: offset)
    }

    /// Returns true for a text that passes a check; any other is left out, with the reason.
    mutating func passes(
        _ text: String, _ check: (String) throws(FieldError) -> Void, _ subject: String, at offset: Int
    ) -> Bool {
        do throws(FieldError) {
            try check(text)
            return true
        } catch {
            loss(offset, subject, "left out: \(error.message)")
            return false
        }
    }

    /// Notes that a query has characters that its tool sends as they are, though no URL may have them.
    mutating func noteEscapes(inQuery query: String, at offset: Int) {
        let plain = TemplateText.plainParts(of: query).joined()
        guard let character = plain.first(where: { "[]{}|\\^`".contains($0) }) else { return }
        let escaped = PercentEncoding.escapeParameter(String(character))
        remark(offset, "url", "characters that no URL may have are percent-encoded: \(character) is sent as \(escaped)")
    }

    /// Notes the members of an object that are not known.
    /// - Parameter withNull: true for those without a value, too.
    mutating func loseMembers(of value: ForeignValue, besides known: Set<String>, withNull: Bool = false) {
        for (key, member) in value.members where !known.contains(key) && (withNull || member.kind != .null) {
            loss(member.offset, key.excerpted, "left out: it has no counterpart")
        }
    }

    /// Notes a setting by which no certificate is checked.
    mutating func noteUnchecked(_ setting: String, at offset: Int) {
        loss(offset, setting, "certificates are checked; \"verifyTLS\": false of an environment stops that")
    }

    // MARK: Credentials

    mutating func unknownAuthentication(_ type: String, at offset: Int) -> SavedAuthentication {
        loss(offset, type.excerpted, "this authentication is not known; the request is sent without any")
        return .noAuthentication
    }

    /// Notes credentials without the parts that a server knows a client by: files that are shared leave them out.
    /// - Parameter type: the word of the file for the credentials.
    mutating func noteEmptyParts(of credentials: SavedAuthentication?, _ type: String, at offset: Int) {
        var parts = credentials?.credentials?.emptyParts ?? []
        if case .oauth2(let oauth2)? = credentials, oauth2.grant == .clientCredentials, oauth2.clientSecret.isEmpty {
            parts.append("client secret")
        }
        guard !parts.isEmpty else { return }
        loss(offset, type.excerpted, "the file does not have its \(parts.joined(separator: " and its ")); give it one")
    }

    mutating func apiKey(_ name: String, _ value: String, isInQuery: Bool, at offset: Int) -> SavedAuthentication {
        if name.isEmpty { loss(offset, "apikey", "the key has no name; X-API-Key stands in for it") }
        return .apiKey(
            APIKeyAuthentication(
                name: name.isEmpty ? "X-API-Key" : name, value: value, location: isInQuery ? .query : .header))
    }

    // MARK: Bodies

    /// Notes a text or a file that Ombi sends with a type, though its tool sends none.
    mutating func noteType(of request: SavedRequest, from tool: String, at offset: Int) {
        guard request.sentContentType == nil else { return }
        switch request.body {
        case .text(let content)? where content.contentType == nil:
            remark(offset, "body", "sent as text/plain; \(tool) sends no Content-Type")
        case .file(let content)? where content.contentType == nil:
            remark(offset, "body", "sent with the type that its name says; \(tool) sends no Content-Type")
        default: break
        }
    }

    /// Returns JSON without its comments, which a remark names.
    mutating func withoutComments(_ json: String, at offset: Int) -> String {
        let text = ForeignBody.withoutComments(json)
        if text != json { remark(offset, "body", "comments in it are dropped") }
        return text
    }

    /// Returns the variables of a query of GraphQL; nil, with a loss, for a text that is no JSON object.
    mutating func graphQLVariables(_ text: String, at offset: Int) -> JSONValue? {
        if case .json(let json) = JSONContent.parse(text).body, case .object = json.value {
            return TemplateText.escaped(foreign: json.value)
        }
        if !text.allSatisfy(\.isWhitespace) { loss(offset, "variables", "left out: they are no JSON object") }
        return nil
    }

    /// Returns the parts for a row of a form: one for each of its files.
    /// - Parameters:
    ///   - part: the one for a row of text; without a text for one of files.
    ///   - files: nil for a row of text.
    mutating func parts(_ part: MultipartPart, files: [String]?, at offset: Int) -> [MultipartPart] {
        guard let files else { return [part] }
        guard !files.isEmpty else {
            noteMissingFile(part.name.excerpted, at: offset)
            return [part]
        }
        var part = part
        return files.map { file in
            part.content = .file(file)
            return part
        }
    }

    /// - Parameter tool: the name of a tool that has a folder of its own for files.
    mutating func notePath(of tool: String? = nil, at offset: Int) {
        let other = tool.map { ", not from \($0)'s" } ?? ""
        remark(offset, "file", "its path is read from the folder of the collection" + other)
    }

    mutating func noteMissingFile(_ subject: String = "body", at offset: Int) {
        loss(offset, subject, "no file is chosen; choose one")
    }
}

extension SavedExample {
    /// The reason for the loss of a response that is none of these.
    static let lost = "saved responses without a status, and those longer than 256 KiB, are left out"

    /// In bytes of a body.
    private static let maximumBody = 256 << 10

    /// The saved response of another tool; nil for one without a status, and for one that is too long.
    init?(_ value: ForeignValue) {
        let response = value["response"] ?? value
        let codes = ["code", "statusCode", "status"].compactMap { key in response[key].flatMap { Int($0.text) } }
        let content = response["body"]
        let headers = response["headers"] ?? response["header"]
        let rows = (headers?.elements ?? []).map { row in
            Field((row["key"] ?? row["name"])?.text.trimmed ?? "", row["value"]?.text ?? "")
        }
        self.init(
            foreign: value["name"]?.text ?? "", status: codes.first(where: Self.isStatus),
            headers: rows + (headers?.members ?? []).map { Field($0.key, $0.value.text) },
            body: content?.string ?? (content?["content"] ?? content?["data"])?.text ?? "")
    }

    /// Leaves out the headers that are credentials, and masks the members of the body that are named as some: a
    /// response is read, and never sent.
    init?(foreign name: String, status: Int?, headers: [Field], body: String) {
        guard let status, Self.isStatus(status), body.utf8.count <= Self.maximumBody else { return nil }
        let kept = headers.compactMap { header -> Field? in
            guard HeaderCheck.isToken(header.name), header.secretName == nil else { return nil }
            return Field(header.name, ForeignText.line(header.value))
        }
        let first = body.first { !$0.isWhitespace }
        let isJSON = first == "{" || first == "["
        self.init(
            ForeignText.name(name, or: "\(status)"), status: status, headers: kept,
            body: isJSON ? LogMask.json(body) : body)
    }

    private static func isStatus(_ code: Int) -> Bool { (100...599).contains(code) }
}
