/// Writes requests as a script of Python for `requests`. Its variables are environment variables.
enum PythonExport {
    private static let abilities: ExportAbilities = [
        .digest, .proxy, .timeout, .unverifiedTLS, .redirects, .redirectLimit, .escaping,
    ]

    static func text(of exported: ExportedRequests) -> ExportedText {
        let writer = Writer(names: ExportNames(exported.requests))
        var result = exported.written(comment: "#") { request in
            (writer.block(request), writer.losses(of: request))
        }
        result.text = writer.start(result.text) + "\n\n" + result.text
        return result
    }

    private struct Writer {
        let names: ExportNames

        /// The imports that the code needs, and its variables.
        func start(_ code: String) -> String {
            var lines: [String] = []
            if code.contains("json.dumps(") { lines.append("import json") }
            if !names.all.isEmpty { lines.append("import os") }
            if code.contains("re.sub(") { lines.append("import re") }
            let functions = ["quote", "quote_plus"].filter { code.contains("\($0)(") }
            if !functions.isEmpty { lines.append("from urllib.parse import " + functions.joined(separator: ", ")) }
            if !lines.isEmpty { lines.append("") }
            lines.append("import requests")
            if code.contains("HTTPDigestAuth(") { lines.append("from requests.auth import HTTPDigestAuth") }
            let variables = names.all.map { "\($0) = os.environ[\"\($0)\"]" }
            if !variables.isEmpty { lines += [""] + variables }
            return lines.joined(separator: "\n")
        }

        func losses(of request: ExportedRequest) -> [String] {
            var losses = request.losses(besides: abilities) + request.unchunkedLosses
            if request.redirectLimit != nil {
                losses.append("its maximum of redirects is left out: requests follows 30")
            }
            if case .multipart(let parts)? = request.body, parts.isEmpty {
                losses.append("requests sends no empty form")
            }
            return losses
        }

        func block(_ request: ExportedRequest) -> String {
            var arguments = [ExportQuotes.python(request.method.rawValue), code.expression(request.address)]
            let headers = request.mergedHeaders
            if !headers.isEmpty { arguments.append("headers={" + Self.lines(headers.map(header)) + "}") }
            switch request.body {
            case .text, .form: arguments.append("data=" + code.bytes(request.text ?? ExportText()))
            case .file(let path): arguments.append("data=" + code.file(path))
            case .multipart(let parts): arguments.append("files=[" + Self.lines(parts.map(code.part)) + "]")
            case nil: break
            }
            arguments += code.credentials(request.credentials) + settings(request) + code.proxies(request.proxy)
            let call = arguments.map { "    \($0),\n" }.joined()
            return """
                # \(ShellQuotes.comment(request.name))
                response = requests.request(
                \(call))
                print(response.status_code, response.reason)
                print(response.text)
                """
        }

        private func settings(_ request: ExportedRequest) -> [String] {
            var arguments: [String] = []
            if let timeout = request.timeout { arguments.append("timeout=" + CurlLine.seconds(timeout)) }
            if !request.verifiesTLS { arguments.append("verify=False") }
            // By default, requests does not follow redirects of HEAD.
            let follows = request.followsRedirects
            if !follows || request.method == .head {
                arguments.append("allow_redirects=" + (follows ? "True" : "False"))
            }
            return arguments
        }

        /// A text is sent in Latin-1, bytes as they are.
        private func header(_ row: ExportedRequest.Row) -> String {
            let value = row.value.withoutIndent
            let isASCII = value.literal.utf8.allSatisfy { $0 < 0x80 } && value.values.isEmpty
            return code.expression(row.name) + ": " + (isASCII ? code.expression(value) : code.bytes(value))
        }

        private static func lines(_ items: [String]) -> String {
            items.isEmpty ? "" : "\n" + items.map { "        \($0),\n" }.joined() + "    "
        }

        private var code: PythonCode { PythonCode { names.name(of: $0) } }
    }
}

/// Arguments for `requests`, and for the client of Locust, which takes the same.
struct PythonCode {
    /// Called on each file that is opened.
    var reading = ""
    let variable: (ExportValue) -> String

    func expression(_ text: ExportText) -> String {
        text.sum(literal: ExportQuotes.python) { ExportCode.python(variable($0), $0.encoding) }
    }

    func bytes(_ text: ExportText) -> String {
        let code = expression(text)
        return text.pieces.count > 1 ? "(\(code)).encode()" : code + ".encode()"
    }

    func file(_ path: ExportText) -> String { "open(\(expression(path)), \"rb\")" + reading }

    func part(_ part: ExportedRequest.Part) -> String {
        var items = [part.fileName.map(expression) ?? "None"]
        items.append(part.file.map(file) ?? bytes(part.text ?? ExportText()))
        if let type = part.contentType { items.append(expression(type)) }
        return "(\(expression(part.name)), (\(items.joined(separator: ", "))))"
    }

    func credentials(_ credentials: ExportedRequest.Credentials?) -> [String] {
        switch credentials {
        case .basic(let name, let password): ["auth=(\(bytes(name)), \(bytes(password)))"]
        case .digest(let name, let password): ["auth=HTTPDigestAuth(\(expression(name)), \(expression(password)))"]
        case .bearer, .key, nil: []
        }
    }

    func proxies(_ proxy: ExportedRequest.Proxy) -> [String] {
        switch proxy {
        case .environment: []
        case .none: ["proxies={\"no_proxy\": \"*\"}"]
        case .url(let url): ["proxies={\"http\": \(expression(url)), \"https\": \(expression(url))}"]
        }
    }
}
