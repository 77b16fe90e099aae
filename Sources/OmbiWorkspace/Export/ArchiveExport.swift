/// Writes requests as an HTTP archive (HAR 1.2) that has no responses.
enum ArchiveExport {
    static func text(of exported: ExportedRequests) -> ExportedText {
        let omissions = exported.omissions.joined(separator: "; ")
        let log: JSONValue = [
            "version": "1.2", "creator": ["name": "Ombi", "version": "0.1.0"],
            "comment": omissions.isEmpty ? nil : JSONValue.string(omissions),
            "entries": .array(exported.requests.map(entry)),
        ]
        let text = JSONValue.object([.init("log", log)]).text
        return ExportedText(text: String(ExportQuotes.json(text).dropLast()), losses: exported.losses(losses))
    }

    private static func losses(of request: ExportedRequest) -> [String] {
        let files: [ExportText] =
            switch request.body {
            case .file(let path): [path]
            case .multipart(let parts): parts.compactMap(\.file)
            case .text, .form, nil: []
            }
        return request.losses(besides: [.redirects, .redirectLimit, .unverifiedTLS, .fields])
            + files.map { "the bytes of the file \($0.templates) are left out" }
    }

    private static func entry(_ request: ExportedRequest) -> JSONValue {
        let comment = [(request.folders + [request.name]).joined(separator: "/")] + losses(of: request)
        let response: JSONValue = [
            "status": 0, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
            "content": ["size": 0, "mimeType": "x-unknown"], "redirectURL": "", "headersSize": .number(-1),
            "bodySize": .number(-1),
        ]
        return [
            "startedDateTime": "1970-01-01T00:00:00.000Z", "time": 0, "request": value(request),
            "response": response, "cache": [:], "timings": ["send": 0, "wait": 0, "receive": 0],
            "comment": .string(comment.joined(separator: "; ")), "_name": .string(request.name),
        ]
    }

    private static func value(_ request: ExportedRequest) -> JSONValue {
        let url = request.address.templates
        let headers = request.allHeaders.map { JSONValue.pair($0.name.templates, $0.value.templates) }
        return [
            "method": .string(request.method.rawValue), "url": .string(url), "httpVersion": "HTTP/1.1", "cookies": [],
            "headers": .array(headers + authorization(request.credentials)), "queryString": .array(query(url)),
            "headersSize": .number(-1), "bodySize": .number(-1), "postData": content(request),
        ]
    }

    private static func authorization(_ credentials: ExportedRequest.Credentials?) -> [JSONValue] {
        guard case .basic(let name, let password)? = credentials else { return [] }
        let user = name + ":" + password
        let text = user.plain.map { Data($0.utf8).base64EncodedString() } ?? "{{\(user.values.first?.name ?? "user")}}"
        return [.pair("Authorization", "Basic " + text)]
    }

    private static func query(_ url: String) -> [JSONValue] {
        guard let mark = url.firstIndex(of: "?") else { return [] }
        let parameters = RequestParameters(encoded: String(url[url.index(after: mark)...]))
        return parameters.allParameters.map { .pair($0.name, $0.value.text) }
    }

    private static func content(_ request: ExportedRequest) -> JSONValue? {
        let type = JSONValue.string(request.contentType ?? "")
        switch request.body {
        case .text(let text): return ["mimeType": type, "text": .string(text.templates)]
        case .form(let rows):
            return ["mimeType": type, "params": .array(rows.map { .pair($0.name.templates, $0.value.templates) })]
        case .file(let path):
            return ["mimeType": type, "comment": .string("the bytes of the file \(path.templates)")]
        case .multipart(let parts): return ["mimeType": "multipart/form-data", "params": .array(parts.map(part))]
        case nil: return nil
        }
    }

    private static func part(_ part: ExportedRequest.Part) -> JSONValue {
        let string = { (text: ExportText) in JSONValue.string(text.templates) }
        return [
            "name": string(part.name), "value": part.text.map(string), "fileName": part.fileName.map(string),
            "contentType": part.contentType.map(string),
            "comment": part.file.map { JSONValue.string("the bytes of the file \($0.templates)") },
        ]
    }
}
