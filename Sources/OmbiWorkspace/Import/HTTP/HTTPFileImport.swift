/// Reads `.http` and `.rest` files, as VS Code, JetBrains, Visual Studio, httpyac and kulala take them.
enum HTTPFileImport {
    /// Returns true for a text in which a request is the first line that is neither a comment, a variable nor a script.
    static func recognizes(_ file: ForeignFile) -> Bool {
        if MarkdownCommands.requests(of: file) != nil { return true }
        guard file.document == nil else { return false }
        var end: String?
        for line in TextLine.lines(of: file.bytes) {
            if let mark = end {
                // A script may have such braces in its texts.
                if mark == "}}" ? line.text.trimmed.hasSuffix(mark) : line.text.contains(mark) { end = nil }
            } else if line.text.hasPrefix("<") {
                if line.text.contains("{%"), !line.text.contains("%}") { end = "%}" }
            } else if line.text.hasPrefix("/*") {
                if !line.text.contains("*/") { end = "*/" }
            } else if line.isScript {
                end = "}}"
            } else if !line.isBlank, !line.isSeparator, line.comment == nil, !line.text.hasPrefix("@"),
                !["import ", "run "].contains(where: { line.text.hasPrefix($0) })
            {
                return HTTPRequestLine(line.text) != nil || line.isCommand || line.isPlaceholder
            }
        }
        return false
    }

    /// Returns true for a text with commands of curl in which lines of `###` part them from other requests.
    static func hasRequests(_ file: ForeignFile) -> Bool {
        guard file.document == nil else { return false }
        let lines = TextLine.lines(of: file.bytes)
        return lines.contains(where: \.isSeparator)
            && lines.contains { $0.text.first?.isUppercase == true && HTTPRequestLine($0.text) != nil }
    }

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        guard let text = MarkdownCommands.requests(of: file) else { return try requests(in: file) }
        var blocks = try ForeignFile(Array(text.utf8), path: file.path)
        (blocks.folder, blocks.isAlone) = (file.folder, file.isAlone)
        return try requests(in: blocks)
    }

    private static func requests(in file: ForeignFile) throws(ImportError) -> Imported {
        var reader = HTTPFileReader(log: ImportLog(file.bytes))
        reader.envNames = envNames(nextTo: file)
        var environments = HTTPEnvironments.read(nextTo: file, &reader)
        reader.tokens = environments.authentications(of: reader.configurations, &reader.log)
        reader.environmentNames = Set(environments.all.flatMap { $0.variables.map(\.name) + $0.secrets.map(\.name) })
        reader.read(TextLine.lines(of: file.bytes))
        guard !reader.requests.isEmpty else { throw reader.log.error(0, "there is no request in this file") }
        reader.finish()
        reader.noteEnvFile(environments.all)
        var collection = Collection(name: ForeignText.name("", or: file.name))
        collection.variables = reader.variables
        collection.environments = environments.all
        (collection.headers, collection.authentication) = (reader.shared.headers, reader.shared.authentication)
        collection.items = reader.requests.map { CollectionItem.request($0.saved) }.withUniqueNames
        // The tools keep cookies between requests.
        if collection.sendsCookies { collection.connection = SavedConnection { $0.cookies = true } }
        var imported = Imported(collection)
        imported.secretNames = environments.secretNames
        (imported.files, imported.companions) = (environments.paths, environments.contents)
        imported.completesEnvironments = true
        if reader.usesEnvFile { imported.envFile = envFile }
        let prompts = reader.prompts.map { Secret($0.key, .prompt($0.value)) }
        let ofProcess = reader.processSecrets.map { Secret($0.key, .environment($0.value)) }
        imported.processSecrets = (prompts + ofProcess).sorted { $0.name < $1.name }
        return imported.noted(reader.log)
    }

    private static let envFile = ".env"

    /// The names in the `.env` file of the folder, whose values are read when a request is sent.
    private static func envNames(nextTo file: ForeignFile) -> Set<String> {
        guard let content = try? file.folder?.content(envFile), let env = try? EnvFile(content) else { return [] }
        return Set(env.entries.map(\.name))
    }
}

/// Reads the requests of a file, line by line.
struct HTTPFileReader {
    var log: ImportLog
    /// With the names that others know them by.
    private(set) var requests: [(saved: SavedRequest, name: String)] = []
    var variables: [Variable] = []
    /// The configurations of the environments, by which tokens are obtained.
    var configurations: [HTTPConfiguration] = []
    /// The names of values for all environments of which one has another value; `{{$shared name}}` is that for all.
    var overridden: Set<String> = []
    /// The names that the environments have values for.
    var environmentNames: Set<String> = []
    /// The authentications that these make, by their identifiers.
    var tokens: [String: SavedAuthentication] = [:]
    /// The questions for secrets that no file has, by the names of these.
    var prompts: [String: String] = [:]
    /// The variables of the process environment, by the names of the secrets.
    var processSecrets: [String: String] = [:]
    /// The names in the `.env` file, and those that the file mentions as variables, not as `$dotenv NAME`.
    var envNames: Set<String> = []
    var mentioned: Set<String> = []
    /// True for a file that takes a value from the `.env` file.
    var usesEnvFile = false
    /// The parts of responses that other requests name, by the names of the requests.
    var captures: [String: [Capture]] = [:]
    /// The offsets of those parts.
    var captureOffsets: [String: Int] = [:]

    /// The names that comments give to requests.
    private(set) var names: Set<String> = []
    /// The names that scripts of httpyac give to values for all requests.
    private(set) var globals: Set<String> = []

    private var lines: ArraySlice<TextLine> = []
    /// The index up to which no line has the braces alone that end a script.
    private var unclosedEnd = 0
    /// The name behind the last `###`.
    private var title = ""
    /// `@name value` above the next request.
    private var settings: [Setting] = []
    /// The variables that a script gives to the next request.
    private var constants: [Variable] = []
    /// The headers and the credentials that a block gives to all requests.
    private(set) var shared = SharedSettings()
    /// The settings of that block.
    private var sharedSettings: [Setting] = []

    /// A comment that says something of the request.
    struct Setting {
        var name: String
        var value: String
        var offset: Int
    }

    init(log: ImportLog) { self.log = log }

    mutating func read(_ all: [TextLine]) {
        lines = all[...]
        for line in all {
            if let setting = Self.setting(line), setting.name == "name" { names.insert(setting.value) }
            if let name = line.assignedGlobal { globals.insert(name) }
        }
        while let line = lines.first {
            if line.isBlank {
                lines.removeFirst()
            } else if line.isSeparator {
                let text = line.text.drop { $0 == "#" }.reversed().drop { $0 == "#" }
                (title, settings, constants) = (ForeignText.heading(String(text.reversed()).trimmed), [], [])
                // A name that was written above the line instead of below it.
                if lines.startIndex > 0, let above = Self.setting(all[lines.startIndex - 1]), above.name == "name" {
                    settings.append(above)
                }
                lines.removeFirst()
            } else if let first = HTTPRequestLine(line.text) {
                request(first, line)
            } else if line.isCommand {
                command(line)
            } else if line.isPlaceholder {
                takeShared(line)
            } else if line.isStatusLine {
                log.loss(line.offset, line.text.excerpt(30), "a saved response is left out")
                _ = takeBlock()
            } else if !take(line) {
                log.loss(line.offset, line.text.excerpt(30), "left out: this line is no request")
                lines.removeFirst()
            }
        }
    }

    /// Takes a line that may stand between requests, with those that belong to it. Returns false for another.
    private mutating func take(_ line: TextLine) -> Bool {
        if let variable = line.variable {
            lines.removeFirst()
            define(variable.name, variable.value, at: line.offset)
        } else if line.comment != nil {
            lines.removeFirst()
            takeSetting(line)
        } else if line.text.hasPrefix("/*") {
            _ = takeLines(until: "*/")
        } else if line.text.hasPrefix("<") {
            takeConstants(takeLines(until: line.text.contains("{%") ? "%}" : ""), at: line.offset)
        } else if line.isScript {
            let count = takeScript().count
            log.loss(line.offset, "{{", "\(count) lines are left out: scripts are not run")
        } else if let word = ["import", "run"].first(where: { line.text.hasPrefix($0 + " ") }) {
            lines.removeFirst()
            let reason = word == "run" ? "requests are not run by others" : "other files are not read"
            log.loss(line.offset, word, "left out: \(reason)")
        } else {
            return false
        }
        return true
    }

    /// Takes the variables that a script sets for the next request, and notes its other statements.
    private mutating func takeConstants(_ script: [TextLine], at offset: Int) {
        let found = Self.constants(in: script.map(\.text).joined(separator: "\n"))
        constants += found.variables.map { Field(log.variableName($0.name, at: offset), $0.value) }
        guard found.others > 0 else { return }
        let count = found.variables.count + found.others
        let lines = script.count > 1 ? "\(script.count) lines are left out" : "left out"
        let text = found.variables.isEmpty ? lines : "\(found.others) of \(count) statements are left out"
        log.loss(offset, "<", "\(text): scripts are not run")
    }

    /// Takes lines up to the one that has the mark; at least one.
    private mutating func takeLines(until mark: String) -> [TextLine] {
        var taken: [TextLine] = []
        while let line = lines.popFirst() {
            taken.append(line)
            if mark.isEmpty || line.text.contains(mark) { break }
        }
        return taken
    }

    /// Takes a script up to the line with its braces alone: others may be in its texts.
    private mutating func takeScript() -> [TextLine] {
        let mayEnd = lines.startIndex >= unclosedEnd && lines.first?.text.contains("}}") == false
        guard mayEnd else { return takeLines(until: "}}") }
        let end = lines.firstIndex { $0.isSeparator || $0.text.trimmed == "}}" } ?? lines.endIndex
        guard end < lines.endIndex, !lines[end].isSeparator else {
            unclosedEnd = end
            return takeLines(until: "}}")
        }
        defer { lines = lines[(end + 1)...] }
        return Array(lines[...end])
    }

    /// Takes the lines up to the next `###`.
    private mutating func takeBlock() -> [TextLine] {
        let block = Array(lines.prefix { !$0.isSeparator })
        lines.removeFirst(block.count)
        return block
    }

    private mutating func takeSetting(_ line: TextLine) {
        if let setting = Self.setting(line) { settings.append(setting) }
    }

    /// `@name value`; nil for another line.
    private static func setting(_ line: TextLine) -> Setting? {
        guard let comment = line.comment, comment.hasPrefix("@") else { return nil }
        let parts = comment.dropFirst().split(maxSplits: 1) { $0.isWhitespace || $0 == "=" }
        guard let name = parts.first else { return nil }
        let value = parts.count > 1 ? parts[1].drop { $0 == "=" || $0 == " " }.trimmed : ""
        return Setting(name: String(name), value: value, offset: line.offset)
    }

    private mutating func define(_ name: String, _ value: String, at offset: Int) {
        let field = Field(log.variableName(name, at: offset), template(value, at: offset))
        if ["\\n", "\\r", "\\t"].contains(where: { value.contains($0) }) {
            log.remark(
                offset, "@\(name)".excerpted, "its backslashes stay; VS Code sends a character for \\n, \\r and \\t")
        }
        // A name for what has the same name outside.
        guard field.value != "{{\(field.name)}}" else { return }
        if let index = variables.firstIndex(where: { $0.name == field.name }) {
            if variables[index].value != field.value {
                log.loss(offset, "@\(name)".excerpted, "defined again: the last value counts in the whole collection")
            }
            variables[index] = field
        } else {
            variables.append(field)
        }
    }

    // MARK: Requests

    private mutating func request(_ first: HTTPRequestLine, _ start: TextLine) {
        lines.removeFirst()
        let offset = start.offset
        let rest = takeRestOfURL()
        let first = rest.isEmpty ? first : HTTPRequestLine(start.text.trimmed + rest) ?? first
        let headers = takeHeaders()
        let body = lines.first?.beginsRequest ?? false ? [] : takeBody()
        let word = first.method.uppercased()
        guard !HTTPRequestLine.others.contains(word) else {
            log.loss(offset, word, "left out: only requests over HTTP are imported")
            return end()
        }
        var saved = SavedRequest(name: "", path: "")
        saved.method = RequestMethod.imported(
            HTTPRequestLine.synonyms[word] ?? first.method, &log, at: offset)
        switch first.version {
        case "2", "2.0": saved.connection = SavedConnection { $0.httpVersion = .http2 }
        case HTTPRequestLine.priorKnowledge:
            saved.connection = SavedConnection { $0.httpVersion = .http2PriorKnowledge }
        case "3", "3.0": saved.connection = SavedConnection { $0.httpVersion = .http3 }
        default: break
        }
        for header in headers { add(header, to: &saved) }
        if ["shared", "shared each"].contains(title.lowercased()), requests.isEmpty {
            sharedSettings = settings
            log.loss(offset, title.excerpted, "one of the requests, which kulala sends before the others")
        }
        let isRaw = settings.contains { ["no-auto-encoding", "noAutoEncoding"].contains($0.name) }
        setAddress(first.url, isRaw: isRaw, of: &saved, at: offset)
        setCredentials(of: &saved, at: offset)
        if ["WEBSOCKET", "WS"].contains(word) || ["ws://", "wss://"].contains(where: { first.url.hasPrefix($0) }) {
            (saved.method, saved.webSocket) = (.get, webSocket(body))
        } else {
            let isQuery = ["GRAPHQL", "GQL"].contains(word) || settings.contains { $0.name == "graphql" }
            setBody(body, isGraphQL: isQuery, of: &saved)
        }
        add(saved)
    }

    /// The rest of a URL, which goes on in indented lines and in those that begin with ? or &. Comments may stand
    /// between.
    private mutating func takeRestOfURL() -> String {
        var rest = ""
        while let end = lines.firstIndex(where: { $0.comment == nil || $0.isSeparator }), lines[end].isPartOfURL {
            for line in lines[..<end] { takeSetting(line) }
            let part = lines[end].text.trimmed
            rest += part.hasPrefix("HTTP/") ? " " + part : part
            lines = lines[(end + 1)...]
        }
        return rest
    }

    /// Takes the headers and the settings that a block of kulala without a request gives to all requests.
    private mutating func takeShared(_ line: TextLine) {
        lines.removeFirst()
        var request = SavedRequest(name: "", path: "")
        for header in takeHeaders() { add(header, to: &request) }
        setCredentials(of: &request, at: line.offset)
        if let host = request.headers.firstIndex(where: { $0.name.lowercased() == "host" }) {
            define("host", request.headers.remove(at: host).value, at: line.offset)
        }
        (shared.headers, shared.authentication) = (request.headers, request.authentication)
        sharedSettings = settings
        end()
        let rest = takeBlock().filter { !$0.isBlank && $0.comment == nil }
        for line in rest { if let variable = line.variable { define(variable.name, variable.value, at: line.offset) } }
        if let first = rest.first(where: { $0.variable == nil }) {
            log.loss(first.offset, first.text.excerpt(30), "left out: what runs around other requests is not run")
        }
    }

    /// Adds a request with the settings above it and the handlers below it.
    private mutating func add(_ request: SavedRequest) {
        var saved = request
        let common = sharedSettings.filter { !["name", "title", "description"].contains($0.name) }
        let name = apply(common + settings, to: &saved)
        let shown = [name.title, name.reference, title].first { !$0.isEmpty } ?? ""
        saved.name = ForeignText.name(shown, or: Self.name(of: saved))
        let reference = name.reference.isEmpty ? title : name.reference
        saved.variables += constants
        end()
        takeHandlers(of: &saved)
        requests.append((saved, reference))
    }

    /// Adds the requests of a command of curl.
    private mutating func command(_ line: TextLine) {
        let text = takeBlock().filter { $0.comment == nil }.map(\.text).joined(separator: "\n")
        do throws(ImportError) {
            let imported = try CurlImport.read(renamed(text, at: line.offset))
            // Braces are templates in all of the file.
            for note in imported.notes where !note.subject.hasPrefix("{{") { log.add(note, at: line.offset) }
            for request in imported.requests { add(request) }
        } catch {
            log.loss(line.offset, "curl", "left out: \(error.message)")
            end()
        }
    }

    /// `GET /users`
    private static func name(of request: SavedRequest) -> String {
        let path = CurlAddress(request.path).path
        return "\(request.method.rawValue) \(path.isEmpty ? "/" : path)"
    }

    private mutating func end() { (title, settings, constants) = ("", [], []) }

    private mutating func takeHeaders() -> [TextLine] {
        var headers: [TextLine] = []
        while let line = lines.first, !line.isBlank, !line.isSeparator, !line.isHandler, !line.beginsBody,
            !line.beginsRequest
        {
            lines.removeFirst()
            if line.comment != nil { takeSetting(line) } else { headers.append(line) }
        }
        return headers
    }

    /// The lines up to the end of the request, or to what follows the body.
    private mutating func takeBody() -> [TextLine] {
        var body: [TextLine] = []
        var content = HTTPBodyContent()
        while let line = lines.first, !line.isSeparator, !line.isHandler || line.isQuotation(in: body),
            line.text.trimmed != "{{", !line.text.hasPrefix("{{@"), !isEnd(of: body, content, at: line)
        {
            content.add(line)
            body.append(line)
            lines.removeFirst()
        }
        if let start = body.firstIndex(where: \.isStatusLine) {
            log.loss(body[start].offset, body[start].text.excerpt(30), "a saved response is left out")
            body.removeSubrange(start...)
        }
        while body.first?.isBlank ?? false { body.removeFirst() }
        while body.last?.isBlank ?? false { body.removeLast() }
        guard !body.contains(where: \.isContent) else { return body }
        for line in body {
            if let variable = line.variable { define(variable.name, variable.value, at: line.offset) }
        }
        return []
    }

    /// Returns true where the next request begins, which no line of `###` parts from a body that is over.
    private mutating func isEnd(of body: [TextLine], _ content: HTTPBodyContent, at line: TextLine) -> Bool {
        // The first of several comments looks for the request below them.
        let isFirst = line.comment != nil && body.last { !$0.isBlank }?.comment == nil
        guard line.isWholeRequest || isFirst else { return false }
        let next = lines.first { !$0.isBlank && ($0.comment == nil || $0.isSeparator) }
        guard let next, next.isWholeRequest else { return false }
        guard content.isEmpty || content.isJSON && (isFirst || body.last?.isBlank == true) else { return false }
        log.remark(next.offset, next.text.excerpt(30), "a request of its own; VS Code needs a line of ### above it")
        return true
    }

    /// Scripts, expectations and files behind the body, up to the next request.
    private mutating func takeHandlers(of request: inout SavedRequest) {
        while let line = lines.first, !line.isSeparator {
            if line.isBlank {
                lines.removeFirst()
            } else if line.text.hasPrefix(">"), line.text.contains("{%") {
                let script = takeLines(until: "%}").map(\.text).joined(separator: "\n")
                let start = script.firstRange(of: "{%")?.upperBound ?? script.startIndex
                let end = script.firstRange(of: "%}")?.lowerBound ?? script.endIndex
                take(PostmanScript(start <= end ? String(script[start..<end]) : ""), of: &request, at: line.offset)
            } else if line.isScript, !line.text.hasPrefix("{{+") {
                takeScript(of: &request, at: line.offset)
            } else if line.isHandler {
                lines.removeFirst()
                let mark = String(line.text.prefix { $0 != " " })
                guard mark == "??" else {
                    let reasons = [">": "scripts are not run", "<>": "no saved response is compared"]
                    log.loss(line.offset, mark, "left out: \(reasons[mark] ?? "responses are not written to files")")
                    continue
                }
                let isKnown = HTTPAssertion(line.text).map { request.expects($0.assertion, of: $0.value) }
                if isKnown != true { log.loss(line.offset, line.text.excerpted, "this assertion has no counterpart") }
            } else if HTTPRequestLine(line.text) != nil || !take(line) {
                return
            }
        }
    }

    /// Takes what a script of httpyac behind a request keeps of the response and expects of it.
    private mutating func takeScript(of request: inout SavedRequest, at offset: Int) {
        let lines = takeScript()
        let script = lines.dropFirst().dropLast().map(\.text).joined(separator: "\n")
        let reader = PostmanScript(HTTPAssertion.named(script))
        guard reader.left.count < reader.statements else {
            return log.loss(offset, "{{", "\(lines.count) lines are left out: scripts are not run")
        }
        take(reader, of: &request, at: offset)
    }

    private mutating func take(_ script: PostmanScript, of request: inout SavedRequest, at offset: Int) {
        guard script.statements > 0 else { return }
        request.take(script, &log, at: offset)
        guard let left = script.remainder else { return }
        log.loss(offset, "> of \(request.name)".excerpted, "\(left) of the script")
    }

    /// Gives the requests the captures that others name.
    mutating func finish() {
        for (name, list) in captures.sorted(by: { $0.key < $1.key }) {
            guard let index = requests.firstIndex(where: { $0.name == name }) else {
                log.loss(captureOffsets[name] ?? 0, name.excerpted, "no request of this file has the name")
                continue
            }
            requests[index].saved.captures += list
        }
    }
}
