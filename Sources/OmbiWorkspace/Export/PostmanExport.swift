/// Writes requests as a collection of Postman (format 2.1), with their folders and variables. Secrets are variables
/// without values.
enum PostmanExport {
    private static let abilities: ExportAbilities = [
        .digest, .redirects, .redirectLimit, .unverifiedTLS, .functions, .fields, .queryKeys,
    ]

    static func text(of exported: ExportedRequests) -> ExportedText {
        var values = exported.variables.map { described($0) }
        var known = Set(exported.variables.map(\.name))
        for name in exported.requests.flatMap(\.texts).flatMap(\.values).filter({ $0.function == nil }).map(\.name)
        where known.insert(name).inserted {
            values.append(.variable(name, ""))
        }
        let omissions = exported.omissions.joined(separator: "\n")
        let schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
        let info: JSONValue = [
            "name": .string(exported.name), "description": omissions.isEmpty ? nil : JSONValue.string(omissions),
            "schema": .string(schema),
        ]
        let items = items(exported.requests[...], depth: 0)
        let collection: JSONValue = ["info": info, "item": .array(items), "variable": .array(values)]
        return ExportedText(
            text: String(ExportQuotes.json(collection.text).dropLast()), losses: exported.losses(losses))
    }

    private static func described(_ variable: Variable) -> JSONValue {
        .variable(variable.name, ExportText(variable.value).text(value), variable.description ?? "")
    }

    /// Requests that follow each other in one folder share it.
    private static func items(_ requests: ArraySlice<ExportedRequest>, depth: Int) -> [JSONValue] {
        var (items, rest) = ([JSONValue](), requests)
        while let first = rest.first {
            guard first.folders.count > depth else {
                items.append(item(first))
                rest = rest.dropFirst()
                continue
            }
            let name = first.folders[depth]
            let own = rest.prefix { $0.folders.count > depth && $0.folders[depth] == name }
            items.append(["name": .string(name), "item": .array(self.items(own, depth: depth + 1))])
            rest = rest.dropFirst(own.count)
        }
        return items
    }

    private static func item(_ request: ExportedRequest) -> JSONValue {
        let losses = losses(of: request)
        let description = ([request.description] + losses.map { "Ombi: \($0)" }).filter { !$0.isEmpty }
        let isPruned = request.body != nil && PostmanBehavior.methodsWithoutBody.contains(request.method.rawValue)
        let limits: [(String, JSONValue)?] = [
            isPruned ? ("disableBodyPruning", JSONValue.bool(true)) : nil,
            request.followsRedirects ? nil : ("followRedirects", JSONValue.bool(false)),
            request.redirectLimit.map { ("maxRedirects", JSONValue.number($0)) },
            request.verifiesTLS ? nil : ("strictSSL", JSONValue.bool(false)),
        ]
        let behavior = limits.compactMap { $0.map { JSONValue.Member($0.0, $0.1) } }
        let content: JSONValue = [
            "method": .string(request.method.rawValue), "header": .array(rows(request.headers)),
            "auth": auth(request.credentials), "url": url(request.url, request.parameters),
            "body": body(request.body, request.contentType),
            "description": description.isEmpty ? nil : JSONValue.string(description.joined(separator: "\n")),
        ]
        return [
            "name": .string(request.name),
            "protocolProfileBehavior": behavior.isEmpty ? nil : JSONValue.object(behavior),
            "request": content,
            "response": request.examples.isEmpty ? nil : JSONValue.array(request.examples.map(response)),
        ]
    }

    private static func response(_ example: SavedExample) -> JSONValue {
        [
            "name": .string(example.name), "status": .string(StatusCode.reason(example.status) ?? ""),
            "code": .number(example.status),
            "header": .array(example.headers.filter(\.enabled).map { .variable($0.name, $0.value) }),
            "body": example.file == nil ? JSONValue.string(example.body) : nil,
        ]
    }

    private static func rows(_ rows: [ExportedRequest.Row]) -> [JSONValue] {
        rows.map { JSONValue.variable(text($0.name), text($0.value), $0.description) }
    }

    private static func losses(of request: ExportedRequest) -> [String] {
        var losses = request.losses(besides: abilities)
        let others = request.texts.flatMap(\.values).filter { $0.function != nil && value($0) == $0.braces }
        if let first = others.first { losses.append("computed by Ombi, a variable here: \(first.template)") }
        if request.texts.contains(where: { $0.literal.contains("{{") }) {
            losses.append("braces of a text begin a variable here")
        }
        return losses
    }

    /// The URL in its parts, as Postman has it next to the whole.
    private static func url(_ address: ExportText, _ parameters: [ExportedRequest.Parameter]) -> JSONValue {
        let raw = text(address)
        let query = raw.firstIndex(of: "?")
        var base = raw[..<(query ?? raw.endIndex)]
        var scheme: String?
        if let range = base.firstRange(of: "://") {
            scheme = String(base[..<range.lowerBound])
            base = base[range.upperBound...]
        }
        let authority = base.prefix { $0 != "/" }
        let path = base[authority.endIndex...].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let port = authority.lastIndex(of: ":").map { authority[authority.index(after: $0)...] }
        let isPort = port.map { !$0.isEmpty && $0.allSatisfy { "0123456789".contains($0) } } ?? false
        let host = isPort ? authority.dropLast((port?.count ?? 0) + 1) : authority
        let names = host.hasPrefix("{{") ? [String(host)] : host.split(separator: ".").map(String.init)
        let number = isPort ? port.map { JSONValue.string(String($0)) } : nil
        let rows = query.map { JSONValue.array(self.rows(ofQuery: raw[raw.index(after: $0)...], parameters)) }
        let parts = authority.endIndex == base.endIndex ? nil : JSONValue.strings(path.map { String($0) })
        return [
            "raw": .string(raw), "protocol": scheme.map(JSONValue.string), "host": .strings(names), "port": number,
            "path": parts, "query": rows,
        ]
    }

    private static func rows(ofQuery query: Substring, _ parameters: [ExportedRequest.Parameter]) -> [JSONValue] {
        query.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let name = item.prefix { $0 != "=" }
            let value = item.count > name.count ? JSONValue.string(String(item.dropFirst(name.count + 1))) : .null
            let plain = PercentEncoding.unescapeForm(String(name))
            let description = parameters.first { $0.name == plain }.map { JSONValue.string($0.description) }
            return ["key": .string(String(name)), "value": value, "description": description]
        }
    }

    private static func auth(_ credentials: ExportedRequest.Credentials?) -> JSONValue? {
        guard let (kind, fields) = scheme(credentials) else { return nil }
        let values = fields.map { name, value -> JSONValue in
            ["key": .string(name), "value": .string(text(value)), "type": "string"]
        }
        return .object([.init("type", .string(kind)), .init(kind, .array(values))])
    }

    private static func scheme(
        _ credentials: ExportedRequest.Credentials?
    ) -> (kind: String, fields: [(name: String, value: ExportText)])? {
        switch credentials {
        case .basic(let name, let password): return ("basic", [("username", name), ("password", password)])
        case .digest(let name, let password): return ("digest", [("username", name), ("password", password)])
        case .bearer(let token): return ("bearer", [("token", token)])
        case .key(let key, let location):
            let place = ExportText(plain: location.rawValue)
            return ("apikey", [("key", key.name), ("value", key.value), ("in", place)])
        case nil: return nil
        }
    }

    private static func body(_ body: ExportedRequest.Body?, _ type: String?) -> JSONValue? {
        switch body {
        case .text(let content):
            let language = type?.contains("json") ?? false ? "json" : "text"
            return [
                "mode": "raw", "raw": .string(text(content)), "options": ["raw": ["language": .string(language)]],
            ]
        case .form(let rows):
            return ["mode": "urlencoded", "urlencoded": .array(self.rows(rows))]
        case .file(let path): return ["mode": "file", "file": ["src": .string(text(path))]]
        case .multipart(let parts): return ["mode": "formdata", "formdata": .array(parts.map(part))]
        case nil: return nil
        }
    }

    private static func part(_ part: ExportedRequest.Part) -> JSONValue {
        let string = { (text: ExportText) in JSONValue.string(self.text(text)) }
        return [
            "key": string(part.name), "type": part.file == nil ? "text" : "file", "src": part.file.map(string),
            "value": part.text.map(string), "contentType": part.contentType.map(string),
            "fileName": part.fileName.map(string),
            "description": part.description.isEmpty ? nil : JSONValue.string(part.description),
        ]
    }

    private static func text(_ text: ExportText) -> String { text.text(value) }

    /// Functions of Postman; others are variables.
    private static func value(_ value: ExportValue) -> String {
        guard let function = value.function else { return value.braces }
        let names = ["$uuid": "$guid", "$timestamp": "$timestamp", "$isoTimestamp": "$isoTimestamp"]
        return names[function].map { "{{\($0)}}" } ?? value.braces
    }
}

extension JSONValue {
    /// A row of a header, a form or variables.
    fileprivate static func variable(_ name: String, _ value: String, _ description: String = "") -> JSONValue {
        [
            "key": .string(name), "value": .string(value),
            "description": description.isEmpty ? nil : JSONValue.string(description),
        ]
    }
}
