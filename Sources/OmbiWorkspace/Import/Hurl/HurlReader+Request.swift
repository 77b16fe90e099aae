/// The parts of an entry.
extension HurlReader {
    /// Adds a line of a section, or a header.
    mutating func add(
        _ line: TextLine, in section: String, isResponse: Bool, to request: inout SavedRequest
    ) {
        if section == "Asserts" { return assert(line, of: &request) }
        let isQuery = section == "Captures"
        guard let pair = HurlLine.pair(line.text, isExpression: isQuery || section == "Options") else {
            return log.loss(line.offset, line.text.excerpt(30), "left out: this line is not known")
        }
        if isQuery { return capture(pair.name, pair.value, of: &request, at: line.offset) }
        let (name, value) = (template(pair.name, at: line.offset), template(pair.value, at: line.offset))
        switch section {
        case "Query": request.query.append(Field(name, value))
        case "Form": addField(Field(name, value), to: &request)
        case "Multipart": addPart(name, pair, to: &request, at: line.offset)
        case "Cookies": request.cookies.append(Field(name, value))
        case "BasicAuth":
            request.authentication = .basic(BasicAuthentication(username: name, password: value))
        case "Options": option(pair.name, pair.value, of: &request, at: line.offset)
        default: addHeader(name, value, isResponse: isResponse, to: &request, at: line.offset)
        }
    }

    mutating func addHeader(
        _ name: String, _ value: String, isResponse: Bool, to request: inout SavedRequest, at offset: Int
    ) {
        guard log.isHeader(name, at: offset) else { return }
        let value = ForeignText.line(value)
        guard isResponse else {
            request.headers.append(Field(name, value))
            return
        }
        guard !value.isEmpty else { return }
        guard !value.contains("{{") else {
            return log.loss(offset, name.excerpted, "left out: no variable is filled in what is expected")
        }
        request.expect = request.expect ?? Expectation()
        request.expect?.headers.append(HeaderExpectation(name, [.equals(.string(value))]))
    }

    private func addField(_ field: Field, to request: inout SavedRequest) {
        let known: [Field] = if case .form(let form)? = request.body { form.fields } else { [] }
        request.body = .form(FormContent(known + [field]))
    }

    /// `file,path; type`, or a text.
    private mutating func addPart(
        _ name: String, _ pair: (name: String, value: String, written: Substring), to request: inout SavedRequest,
        at offset: Int
    ) {
        var part = MultipartPart(name, .text(template(pair.value, at: offset)))
        if let (path, type) = HurlLine.file(pair.written) {
            if !path.isEmpty { part.content = .file(template(path, at: offset)) }
            if !type.isEmpty { part.contentType = template(type, at: offset) }
            log.notePath(at: offset)
        }
        let known: [MultipartPart] = if case .multipart(let form)? = request.body { form.parts } else { [] }
        request.body = .multipart(MultipartContent(known + [part]))
    }

    // MARK: Bodies

    mutating func setBody(_ lines: [TextLine], of request: inout SavedRequest) {
        defer { request.dropContentType() }
        var lines = lines
        while let last = lines.last, last.isBlank || last.text.hasPrefix("#") { lines.removeLast() }
        guard let first = lines.first else { return }
        let text = first.text.trimmed
        let type = request.headers.last { $0.name.lowercased() == "content-type" }?.value
        if let (path, _) = HurlLine.file(text) {
            log.notePath(at: first.offset)
            if !path.isEmpty {
                request.body = .file(FileContent(template(path, at: first.offset), contentType: type))
            }
        } else if text.hasPrefix("base64,") || text.hasPrefix("hex,") {
            setBytes(lines.map { String($0.text.trimmed) }.joined(), at: first.offset, type, of: &request)
        } else if text.hasPrefix("```") {
            request.body = fenced(lines, type)
        } else if text.hasPrefix("`") {
            let content = HurlLine.quoted(text.dropFirst())
            request.body = ForeignBody().body(renamed(content, at: first.offset), type)
        } else if text.hasPrefix("<") {
            // Hurl fills in nothing in XML.
            let content = lines.map(\.text).joined(separator: "\n")
            request.body = ForeignBody(isLiteral: true).body(content, type ?? "application/xml")
        } else {
            let content = renamed(lines.map(\.text).joined(separator: "\n"), at: first.offset)
            request.body = ForeignBody().body(content, type ?? JSONContent.note)
        }
        log.noteType(of: request, from: "Hurl", at: first.offset)
    }

    /// Takes the text between two marks of three backticks. The first may have a language and attributes behind it.
    private mutating func fenced(_ lines: [TextLine], _ type: String?) -> SavedBody? {
        let (mark, offset) = ("```", lines[0].offset)
        let head = lines[0].text.trimmed.dropFirst(mark.count)
        let words = head.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
        var content = ""
        if let end = head.firstRange(of: mark) {
            content = String(head[..<end.lowerBound])
            guard !content.isEmpty else { return nil }
        } else if words[0] == "graphql" {
            return .graphql(graphQL(lines.dropFirst().prefix { !$0.text.trimmed.hasPrefix(mark) }, at: offset))
        } else {
            content = Self.fencedText(lines.dropFirst())
        }
        if words.dropFirst().contains("escape") { content = HurlLine.unescaped(content) }
        let types = ["json": "application/json", "xml": "application/xml"]
        let isLiteral = words.dropFirst().contains("novariable")
        return ForeignBody(isLiteral: isLiteral).body(
            isLiteral ? content : renamed(content, at: offset), type ?? types[words[0]])
    }

    /// The text of the lines up to the mark that ends it.
    static func fencedText(_ lines: ArraySlice<TextLine>) -> String {
        var content = ""
        for line in lines {
            let end = line.text.firstRange(of: "```")?.lowerBound
            content += end.map { String(line.text[..<$0]) } ?? line.text + "\n"
            if end != nil { break }
        }
        return content
    }

    /// Takes a query, and the variables that may follow it: `variables {"id": 7}`.
    private mutating func graphQL(_ lines: ArraySlice<TextLine>, at offset: Int) -> GraphQLContent {
        let word = "variables"
        let found = lines.firstIndex { line in
            guard line.text.hasPrefix(word) else { return false }
            let rest = line.text.dropFirst(word.count).trimmed
            return rest.isEmpty || rest.hasPrefix("{")
        }
        var rest = lines[..<(found ?? lines.endIndex)]
        while rest.last?.isBlank ?? false { rest.removeLast() }
        var content = GraphQLContent(template(rest.map(\.text).joined(separator: "\n"), at: offset))
        guard let start = found else { return content }
        let place = lines[start].offset
        let text = lines[start...].map { $0.text + "\n" }.joined().dropFirst(word.count)
        let variables = renamed(String(text), at: place)
        content.variables = log.graphQLVariables(variables, at: place)
        return content
    }

    /// Takes bytes that are a text: `base64,VGV4dA==;`, `hex,54657874;`.
    private mutating func setBytes(
        _ text: String, at offset: Int, _ type: String?, of request: inout SavedRequest
    ) {
        let digits = text.drop { $0 != "," }.dropFirst().prefix { $0 != ";" }
        let bytes = text.hasPrefix("hex") ? Self.bytes(ofHex: digits) : Data(base64Encoded: String(digits))
        guard let bytes, let content = String(validating: bytes, as: UTF8.self) else {
            return log.loss(offset, "body", "left out: a body of bytes; choose a file for it")
        }
        request.body = ForeignBody(isLiteral: true).body(content, type)
    }

    private static func bytes(ofHex digits: Substring) -> Data? {
        let values = digits.compactMap(\.hexDigitValue)
        guard values.count == digits.count, values.count.isMultiple(of: 2) else { return nil }
        return Data(stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) })
    }
}

/// The options of an entry.
extension HurlReader {
    mutating func option(_ name: String, _ value: String, of request: inout SavedRequest, at offset: Int) {
        switch (name, value) {
        case ("variable", _) where value.contains("="):
            let (written, rest) = value.cut(at: UInt8(ascii: "="))
            let name = log.variableName(written.trimmed, at: offset)
            let text = (rest ?? "").trimmed
            let unquoted = text.hasPrefix("\"") ? Self.words(text).first?.text ?? "" : text
            request.variables.append(Field(name, template(unquoted, at: offset)))
        case ("skip", "true"): request.isDisabled = true
        case ("skip", "false"): request.isDisabled = false
        case ("user", _) where value.contains(":"):
            let (written, secret) = value.cut(at: UInt8(ascii: ":"))
            let (user, password) = (template(written, at: offset), template(secret ?? "", at: offset))
            request.authentication = .basic(BasicAuthentication(username: user, password: password))
        case ("header", _) where HurlLine.pair(value) != nil:
            guard let pair = HurlLine.pair(value) else { return }
            let (name, text) = (template(pair.name, at: offset), template(pair.value, at: offset))
            addHeader(name, text, isResponse: false, to: &request, at: offset)
        case ("verbose", _), ("very-verbose", _), ("compressed", _): break
        case (_, "false") where Self.namesOfCurl.contains(name) || Self.others.contains(name): break
        default:
            if setPolicy(name, value, of: &request, at: offset) { return }
            if setConnection(name, value, of: &request, at: offset) { return }
            if takeCurlOption(name, value, at: offset) { return }
            log.loss(offset, name.excerpted, "this option has no counterpart")
        }
    }

    /// Follows redirects only where the entry says so, however many it allows.
    mutating func applyRedirects(to request: inout SavedRequest) {
        if let followsRedirects {
            request.connection = request.connection ?? SavedConnection()
            request.connection?.maximumRedirects = followsRedirects ? maximumRedirects : 0
        }
        (followsRedirects, maximumRedirects) = (nil, 50)
    }

    // MARK: Options of curl

    /// Those with the name and the value that they have in curl.
    private static let namesOfCurl: Set<String> = [
        "cacert", "cert", "insecure", "ipv4", "ipv6", "key", "limit-rate", "netrc", "pinnedpubkey", "resolve",
        "unix-socket",
    ]

    /// The others that are off where nothing is said.
    private static let others: Set<String> = [
        "http1.0", "http1.1", "http2", "http3", "location-trusted", "netrc-optional", "path-as-is",
    ]

    /// Returns false for an option that is none of curl's, or that curl does not read.
    private mutating func takeCurlOption(_ name: String, _ value: String, at offset: Int) -> Bool {
        if name == "aws-sigv4" {
            let parts = template(value, at: offset).split(separator: ":").map(String.init)
            guard parts.count == 4 else { return false }
            signature = (region: parts[2], service: parts[3], offset: offset)
            return true
        }
        let words = ["--" + name] + (value == "true" ? [] : [renamed(value, at: offset)])
        var trial = ImportLog([])
        guard Self.namesOfCurl.contains(name), trial.request(withOptions: words, at: 0) != nil else { return false }
        curlOptions.append((words: words, offset: offset))
        return true
    }

    /// Applies the options that curl reads together, such as a certificate and its key.
    mutating func applyCurlOptions(to request: inout SavedRequest) {
        defer { (curlOptions, signature) = ([], nil) }
        if let signature, case .basic(let user)? = request.authentication {
            request.authentication = .aws(
                AWSAuthentication(
                    accessKeyID: user.username, secretAccessKey: user.password, region: signature.region,
                    service: signature.service))
        } else if let signature {
            log.loss(signature.offset, "aws-sigv4", "left out: the entry has no user, whose keys sign")
        }
        guard let offset = curlOptions.first?.offset,
            let found = log.request(withOptions: curlOptions.flatMap { $0.words }, at: offset)
        else { return }
        if let connection = found.connection { request.connection = connection.merging(over: request.connection) }
        if let authentication = found.authentication { request.authentication = authentication }
        if SavedConnection.isOn(request.connection?.unixSocket), SavedConnection.isOn(request.connection?.proxy) {
            request.connection?.proxy = nil
            log.loss(offset, "proxy", "left out: a Unix socket goes by no proxy")
        }
    }

    /// Returns false for an option that is none of the policy's.
    private mutating func setPolicy(
        _ name: String, _ value: String, of request: inout SavedRequest, at offset: Int
    ) -> Bool {
        var policy = request.policy ?? RequestPolicy()
        switch name {
        case "retry":
            // Without an end.
            guard let count = value == "-1" ? 1000 : Int(value), (0...1000).contains(count) else { return false }
            policy.retries = count
            // The wait that Hurl has without a word on it.
            policy.backoff = policy.backoff ?? Backoff(first: .seconds(1), factor: 1)
            log.remark(offset, name, "Hurl repeats what an assertion refuses, too")
        case "retry-interval":
            guard let wait = Self.duration(value, unit: 1) else { return false }
            policy.backoff = Backoff(first: wait, factor: 1)
        case "max-time":
            guard let limit = Self.duration(value, unit: 1000) else { return false }
            policy.timeout = limit
        default: return false
        }
        request.policy = policy
        return true
    }

    /// Returns false for an option that is none of the connection's.
    private mutating func setConnection(
        _ name: String, _ value: String, of request: inout SavedRequest, at offset: Int
    ) -> Bool {
        var connection = request.connection ?? SavedConnection()
        switch (name, value) {
        case ("location", "true"): followsRedirects = true
        case ("location", "false"): followsRedirects = false
        case ("location-trusted", "true"):
            followsRedirects = true
            log.loss(offset, name, "redirects are followed; credentials are sent to no other host")
        // Without an end.
        case ("max-redirs", "-1"): maximumRedirects = 1000
        case ("max-redirs", _) where (0...1000).contains(Int(value) ?? -1): maximumRedirects = Int(value) ?? 50
        case ("http1.1", "true"): connection.httpVersion = .http1
        case ("http2", "true"): connection.httpVersion = .http2
        case ("http3", "true"): connection.httpVersion = .http3
        case ("connect-timeout", _):
            guard let limit = Self.duration(value, unit: 1000) else { return false }
            connection.connectTimeout = limit
        case ("proxy", _):
            let proxy = template(value.contains("://") ? value : "http://" + value, at: offset)
            guard (try? ConnectionText.checkProxy(proxy)) != nil else { return false }
            connection.proxy = proxy
        default: return false
        }
        if connection != SavedConnection() { request.connection = connection }
        return true
    }

    /// Returns the duration for `2s`, or for a number of the unit.
    /// - Parameter unit: in milliseconds.
    private static func duration(_ text: String, unit: Int) -> Duration? {
        let units = ["": unit, "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000]
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), let factor = units[String(text[digits.endIndex...])],
            (1...86_400_000 / factor).contains(count)
        else { return nil }
        return .milliseconds(count * factor)
    }
}
