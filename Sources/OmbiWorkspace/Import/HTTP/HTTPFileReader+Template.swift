/// The templates of `.http` files: `{{name}}`, `{{$guid}}`, `{{login.response.body.$.token}}`.
extension HTTPFileReader: TemplateReader {
    mutating func template(_ text: String, at offset: Int) -> String {
        let filled = text.contains("{{") ? TemplateText.escaped(foreign: renamed(text, at: offset)) : text
        return unescaped(filled, at: offset)
    }

    /// Returns a template in which the braces that httpyac has behind backslashes are braces.
    mutating func unescaped(_ template: String, at offset: Int) -> String {
        guard template.contains("\\{\\{") else { return template }
        log.remark(offset, "\\{\\{", "two braces, as httpyac sends them")
        return template.replacing("\\{\\{", with: "\\{{").replacing("\\}\\}", with: "}}")
    }

    mutating func reference(_ inner: Substring, at offset: Int) -> String? {
        var name = inner.trimmed
        if name.hasPrefix("%") {
            name = name.dropFirst().trimmed
            log.loss(offset, "{{%\(name)}}".excerpted, "inserted as it is, without percent encoding")
        }
        if name.hasPrefix("$global."), globals.contains(String(name.dropFirst(8))) {
            name = String(name.dropFirst(8))
        }
        if name.hasPrefix("$") { return function(name, at: offset) }
        if let capture = response(name, at: offset) { return capture }
        if let text = own(name, at: offset) { return text }
        if let capture = member(name, at: offset) { return capture }
        let isExpression = name.isEmpty || name.contains { !($0.isLetter || $0.isNumber || "_-.".contains($0)) }
        guard isExpression else {
            if envNames.contains(name) { mentioned.insert(name) }
            return "{{\(log.variableName(name, at: offset))}}"
        }
        // A call has texts in quotes, as JSON has.
        let called = name.prefix { $0 != "(" }
        let isCall =
            called.count < name.count && !called.isEmpty && !name.contains(where: \.isNewline)
            && called.allSatisfy { $0.isLetter || $0.isNumber || "_.$".contains($0) }
        // So have operations, as in `name ?? "World"`.
        let operand = name.prefix { $0.isLetter || $0.isNumber || "_.$".contains($0) }
        let sign = name[operand.endIndex...].first { !$0.isWhitespace }
        let isComputed =
            !operand.isEmpty && sign.map { "?|&+=!<>[".contains($0) } ?? false
            && !name.contains { $0.isNewline || $0 == "{" }
        let isText = name.contains { $0.isNewline || "{\":".contains($0) }
        if name.isEmpty || !isCall && !isComputed && isText { return nil }
        return log.sample(of: name, "{{\(name)}}", among: &variables, at: offset)
    }

    /// Takes values of the `.env` file that nothing else has, as httpyac and kulala do, and notes those that count in
    /// place of others.
    mutating func noteEnvFile(_ environments: [Environment]) {
        let own = requests.flatMap { $0.saved.variables.map(\.name) + $0.saved.captures.map(\.name) }
        let known = environmentNames.union(variables.map(\.name)).union(own).union(prompts.keys)
        if !mentioned.subtracting(known).isEmpty { usesEnvFile = true }
        guard usesEnvFile else { return }
        let ofEnvironments = environments.flatMap { $0.variables.map(\.name) }
        for name in envNames.intersection(variables.map(\.name) + ofEnvironments).sorted() {
            log.loss(0, name.excerpted, "the value in the .env file counts, also where a variable is meant")
        }
    }

    // MARK: Responses

    private static let responseParts = [
        (".response.body.", "body"), (".response.headers.", "header"), (".response.cookies.", "cookie"),
    ]

    /// Makes a capture of `login.response.body.$.token`, and returns the template for it; nil for another name.
    private mutating func response(_ written: String, at offset: Int) -> String? {
        // The body as a whole has a star in VS Code, and none in other tools.
        var name = written.hasSuffix(".response.body") ? written + ".*" : written
        // kulala has a name in brackets, too.
        for part in [".headers", ".cookies"] where written.contains(".response" + part + "[") {
            name = name.replacing(part + "[", with: part + ".")
            for bracket in ["\"", "'", "]"] { name = name.replacing(bracket, with: "") }
        }
        for (word, kind) in Self.responseParts {
            guard let mark = name.firstRange(of: word), mark.lowerBound > name.startIndex else { continue }
            let (request, part) = (String(name[..<mark.lowerBound]), String(name[mark.upperBound...]))
            guard !request.contains(where: { !($0.isLetter || $0.isNumber || "_-".contains($0)) }), !part.isEmpty,
                part != "*" || kind == "body"
            else { return nil }
            let source: Capture.Source
            switch kind {
            case "body" where part == "*":
                log.remark(offset, "{{\(written)}}".excerpted, "the body has to be JSON")
                source = .path("$")
            case "body": source = .path(part.hasPrefix("$") ? part : "$." + part)
            case "header": source = .header(part)
            default: source = .cookie(part.hasSuffix(".value") ? String(part.dropLast(6)) : part)
            }
            do throws(FieldError) { try source.check() } catch { return nil }
            return capture(source, named: request + "_" + (part == "*" ? kind : part), in: request, at: offset)
        }
        return nil
    }

    /// Makes a capture of `login.token`, in which httpyac has the body of the response; nil for another name.
    private mutating func member(_ name: String, at offset: Int) -> String? {
        let request = String(name.prefix { $0 != "." && $0 != "[" })
        guard names.contains(request), request.count < name.count,
            !Self.responseParts.contains(where: { name.contains($0.0) })
        else { return nil }
        let source = Capture.Source.path("$" + name.dropFirst(request.count))
        do throws(FieldError) { try source.check() } catch { return nil }
        return capture(source, named: name, in: request, at: offset)
    }

    /// The text that an earlier request has in a place such as `login.request.headers.X` or
    /// `login.request.body.$.user`; a fixed value for another place, and nil for another name.
    private mutating func own(_ name: String, at offset: Int) -> String? {
        guard let mark = name.firstRange(of: ".request."), mark.lowerBound > name.startIndex else { return nil }
        let request = requests.last { $0.name == name[..<mark.lowerBound] }?.saved
        let keys = name[mark.upperBound...].split(separator: ".").map(String.init)
        if keys.first == "headers", keys.count == 2,
            let header = request?.headers.first(where: { $0.name.lowercased() == keys[1].lowercased() })
        {
            return header.value
        }
        if keys.first == "body", keys.count > 1, case .json(let content)? = request?.body {
            var value: JSONValue? = content.value
            for key in keys.dropFirst() where key != "$" { value = value?[key] }
            if let text = value?.stringValue { return text }
        }
        return log.sample(of: name, "{{\(name)}}", among: &variables, at: offset)
    }

    private mutating func capture(
        _ source: Capture.Source, named name: String, in request: String, at offset: Int
    ) -> String {
        if captureOffsets[request] == nil { captureOffsets[request] = offset }
        if let known = captures.template(for: source, of: request) { return known }
        let unique = captures.unusedName(name)
        let isSecret = ForeignText.namesSecret(name)
        captures[request, default: []].append(Capture(unique, source, isSecret: isSecret))
        return "{{\(unique)}}"
    }

    // MARK: Functions

    private static let functions = [
        "$guid": "$uuid", "$uuid": "$uuid", "$random.uuid": "$uuid", "$randomUUID": "$uuid",
        "$timestamp": "$timestamp", "$randomInt": "$randomInt(0, 1000)",
        "$date": "$now('%Y-%m-%d')", "$datetime rfc1123": "$now('%a, %d %b %Y %H:%M:%S GMT')",
    ]

    private mutating func function(_ name: String, at offset: Int) -> String? {
        if let function = Self.functions[name] { return "{{\(function)}}" }
        if ["$isoTimestamp", "$datetime iso8601"].contains(name) {
            return log.isoTimestamp("{{\(name)}}", at: offset)
        }
        let words = name.split { $0.isWhitespace || "(),".contains($0) }.map(String.init)
        guard let first = words.first else { return nil }
        switch (first, words.count) {
        case ("$shared", 2):
            let variable = log.variableName(words[1], at: offset)
            return overridden.contains(variable) ? "{{shared_\(variable)}}" : "{{\(variable)}}"
        case ("$dotenv", 2) where envNames.contains(words[1]):
            usesEnvFile = true
            return "{{\(words[1])}}"
        case ("$processEnv", 2), ("$dotenv", 2):
            guard words[1].hasPrefix("%") else { return process(words[1], at: offset) }
            log.loss(offset, words[1].excerpted, "the variable that it names is not known; this one is read itself")
            return process(String(words[1].dropFirst()), at: offset)
        case ("$randomInt", 3), ("$random.integer", 3):
            // The end is excluded.
            guard let least = Int(words[1]), let end = Int(words[2]), least < end else { break }
            return "{{$randomInt(\(least), \(end - 1))}}"
        case ("$random.integer", 1): return "{{$randomInt(0, 1000)}}"
        case ("$random.integer", 2):
            guard let end = Int(words[1]), end > 0 else { break }
            return "{{$randomInt(0, \(end - 1))}}"
        case ("$random.alphanumeric", 2):
            guard let count = Int(words[1]), (1...10_000).contains(count) else { break }
            return "{{$randomString(\(count))}}"
        case ("$timestamp", 3), ("$datetime", 4...):
            guard let text = time(name, words) else { break }
            return "{{\(text)}}"
        case ("$datetime", _):
            guard let format = Self.format(name) else { break }
            return "{{$now('\(format)')}}"
        default:
            if let template = asked(name, at: offset) { return template }
            if first.hasPrefix("$env."), words.count == 1 { return process(String(first.dropFirst(5)), at: offset) }
        }
        let isNumber = ["$random.float", "$random.integer", "$randomInt", "$timestamp"].contains(first)
        let isTime = ["$datetime", "$localDatetime"].contains(first)
        return log.sample(
            of: String(first.dropFirst()), "{{\(name)}}", value: isNumber ? "1" : isTime ? Self.sampleTime : "sample",
            among: &variables, at: offset)
    }

    /// A value that httpyac asks for: `$input text $value: x`, `$password text`, `$pick text $value: a,b`.
    /// - Returns: nil for another function.
    private mutating func asked(_ name: String, at offset: Int) -> String? {
        let kinds = ["$input", "$password", "$pick"]
        let word = String(name.prefix { !$0.isWhitespace })
        guard let kind = kinds.first(where: { word == $0 || word == $0 + "-askonce" }) else { return nil }
        let mark = name.firstRange(of: "$value:")
        let text = ForeignText.word(name[..<(mark?.lowerBound ?? name.endIndex)].dropFirst(word.count).trimmed)
        let variable = text.isEmpty ? String(kind.dropFirst()) : text
        let value = mark.map { name[$0.upperBound...].trimmed } ?? ""
        if kind == "$password" || value.isEmpty {
            prompts[variable] = prompts[variable] ?? ""
        } else {
            let first = kind == "$pick" ? value.prefix { $0 != "," }.trimmed : value
            if !variables.contains(where: { $0.name == variable }) { variables.append(Field(variable, first)) }
            log.loss(offset, kind, "\(first) is the value of the variable \(variable), not asked for".excerpted)
        }
        return "{{\(variable)}}"
    }

    /// A secret that the process environment has.
    private mutating func process(_ variable: String, at offset: Int) -> String {
        let name = log.variableName(variable, at: offset)
        processSecrets[name] = variable
        return "{{\(name)}}"
    }

    // MARK: Times

    /// The fixed value in place of a time.
    private static let sampleTime = "2025-01-31T12:00:00Z"

    /// `$timestamp -1 d`, `$datetime "YYYY-MM-DD" 3 h`; nil for a unit that has no fixed length.
    private func time(_ name: String, _ words: [String]) -> String? {
        let units = ["ms": "ms", "s": "s", "m": "m", "h": "h", "d": "d", "w": "w"]
        guard let unit = units[words[words.count - 1]], let count = Int(words[words.count - 2]) else { return nil }
        let offset = "\(count < 0 ? "-" : "+")\(count.magnitude)\(unit)"
        guard words[0] == "$datetime" else { return "$now('%s', '\(offset)')" }
        return Self.format(name).map { "$now('\($0)', '\(offset)')" }
    }

    /// The format of strftime for the tokens of Day.js; nil for others.
    private static func format(_ name: String) -> String? {
        if name.contains("iso8601") { return "%Y-%m-%dT%H:%M:%SZ" }
        if name.contains("rfc1123") { return "%a, %d %b %Y %H:%M:%S GMT" }
        guard let quote = name.first(where: { "\"'".contains($0) }), let start = name.firstIndex(of: quote),
            let end = name.lastIndex(of: quote), start < end
        else { return nil }
        return ForeignText.format(ofTokens: name[name.index(after: start)..<end])
    }
}

/// An assertion of httpyac, which is one of Bruno in other words: `?? body user.id > 1`, `?? header X-Id exists`.
struct HTTPAssertion {
    let value: ScriptValue
    let assertion: BrunoAssertion

    /// Nil for what has no counterpart.
    init?(_ line: String) {
        let words = line.dropFirst(2).split(whereSeparator: \.isWhitespace).map(String.init)
        let path = { (name: String) in name.hasPrefix("[") ? "$" + name : "$." + name }
        guard let kind = words.first, let index = words.firstIndex(where: { Self.operators[$0] != nil }), index > 0,
            let comparison = Self.operators[words[index]]
        else { return nil }
        let name = words[1..<index].joined(separator: " ")
        let operand = words[(index + 1)...].joined(separator: " ")
        switch kind {
        case "status" where name.isEmpty: value = .status
        case "duration" where name.isEmpty: value = .time
        case "header" where !name.isEmpty: value = .header(name)
        case "body" where name == "length": value = .count("$")
        case "body" where name.hasSuffix(".length"): value = .count(path(String(name.dropLast(7))))
        case "body": value = .body(name.isEmpty ? "$" : path(name))
        case "jsonpath" where !name.isEmpty: value = .body(name.hasPrefix("$") ? name : path(name))
        case "js":
            let script = Self.named(name)
            var cursor = ScriptCursor(ScriptToken.tokens(of: script)[...], [:])
            guard script != name, let found = cursor.value(), cursor.isAtEnd else { return nil }
            value = found
        default: return nil
        }
        assertion = BrunoAssertion("\(comparison) \(operand)")
    }

    /// The response of httpyac has other names than that of Bruno for some of its parts.
    static func named(_ script: String) -> String {
        script.replacing("response.parsedBody", with: "res.body").replacing("response.statusCode", with: "res.status")
            .replacing("response.headers", with: "res.headers")
    }

    private static let operators = [
        "==": "eq", "!=": "neq", ">": "gt", ">=": "gte", "<": "lt", "<=": "lte", "includes": "contains",
        "contains": "contains", "startsWith": "startsWith", "endsWith": "endsWith", "matches": "matches",
        "exists": "isDefined", "isNumber": "isNumber", "isString": "isString", "isBoolean": "isBoolean",
        "isArray": "isArray",
    ]
}

/// The tokens that httpyac obtains by OAuth 2.
extension HTTPFileReader {
    /// Returns the authentication for words such as `client_credentials local`: a grant, and the beginning of the names
    /// of the variables that it is made of.
    mutating func token(_ words: [String], at offset: Int) -> SavedAuthentication {
        let known = environmentNames.union(variables.map(\.name))
        let prefixes = [words.dropFirst().first, "oauth2"].compactMap { $0 }
        let value = { (name: String) -> String in
            prefixes.map { "\($0)_\(name)" }.first { known.contains($0) }.map { "{{\($0)}}" } ?? ""
        }
        guard let grant = Self.grants[words.first ?? "client_credentials"],
            ["tokenEndpoint", grant.needed].allSatisfy({ !value($0).isEmpty })
        else { return log.unknownAuthentication("oauth2", at: offset) }
        var oauth2 = OAuth2Authentication(
            grant: grant, tokenURL: value("tokenEndpoint"), clientID: value("clientId"),
            clientSecret: value("clientSecret"), scope: value("scope"))
        switch grant {
        case .clientCredentials: break
        case .password: (oauth2.username, oauth2.password) = (value("username"), value("password"))
        case .deviceCode: oauth2.deviceURL = value(grant.needed)
        case .authorizationCode:
            (oauth2.authorizationURL, oauth2.redirectURI) = (value(grant.needed), value("redirectUri"))
        }
        oauth2.parameters = ["audience", "resource"].filter { !value($0).isEmpty }.map { Field($0, value($0)) }
        return .oauth2(oauth2)
    }

    private static let grants: [String: OAuth2Authentication.Grant] = [
        "client_credentials": .clientCredentials, "client": .clientCredentials, "password": .password,
        "authorization_code": .authorizationCode, "code": .authorizationCode, "device_code": .deviceCode,
    ]
}

extension OAuth2Authentication.Grant {
    /// The end of the name of a variable of httpyac that no request for a token goes without.
    fileprivate var needed: String {
        switch self {
        case .clientCredentials: "clientId"
        case .password: "username"
        case .deviceCode: "deviceCodeEndpoint"
        case .authorizationCode: "authorizationEndpoint"
        }
    }
}
