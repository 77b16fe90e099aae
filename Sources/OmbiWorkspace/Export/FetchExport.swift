/// Writes requests as an ES module for the `fetch` of Node.js. Its variables are environment variables.
enum FetchExport {
    private static let abilities: ExportAbilities = [.timeout, .unverifiedTLS, .redirects, .escaping]

    static func text(of exported: ExportedRequests) -> ExportedText {
        let writer = Writer(names: ExportNames(exported.requests))
        var result = exported.written(comment: "//") { (writer.block($0), writer.losses(of: $0)) }
        let start = writer.start(result.text)
        if !start.isEmpty { result.text = start + "\n\n" + result.text }
        return result
    }

    private struct Writer {
        let names: ExportNames

        func start(_ code: String) -> String {
            var lines: [String] = []
            if code.contains("readFile(") { lines.append("import { readFile } from \"node:fs/promises\";") }
            if code.contains("latin1(") {
                lines.append("const latin1 = (text) => Buffer.from(text).toString(\"latin1\");")
            }
            // Values that are left out are not asked for.
            let used = names.all.filter { code.contains($0) }
            if !used.isEmpty {
                let quoted = used.map { "\"\($0)\"" }.joined(separator: ", ")
                lines.append("for (const name of [\(quoted)]) {")
                lines.append("  if (process.env[name] === undefined) throw new Error(name + \" is not set\");")
                lines.append("}")
                lines.append("const { \(used.joined(separator: ", ")) } = process.env;")
            }
            return lines.joined(separator: "\n")
        }

        func losses(of request: ExportedRequest) -> [String] {
            var losses = request.losses(besides: abilities)
            if request.body != nil, !sendsBody(request) {
                losses.append("fetch sends no body with GET: it is left out")
            }
            if ["CONNECT", "TRACE", "TRACK"].contains(request.method.rawValue.uppercased()) {
                losses.append("fetch refuses the method \(request.method.rawValue)")
            }
            for row in request.allHeaders where !Self.sends(row) {
                losses.append("fetch does not send the header \(row.name.templates): it is left out")
            }
            guard case .multipart(let parts)? = request.body else { return losses }
            for part in parts {
                let name = part.name.templates
                if part.contentType == nil, part.file != nil || part.fileName != nil {
                    losses.append("fetch gives the part \(name) the type application/octet-stream")
                }
                if part.fileName == nil, part.file != nil || part.contentType != nil {
                    losses.append("fetch gives the part \(name) a file name")
                } else if part.fileName == nil, part.text?.literal.utf8.contains(UInt8(ascii: "\n")) ?? false {
                    losses.append("fetch sends line breaks of the part \(name) as CR LF")
                }
            }
            return losses
        }

        /// False for a header that fetch writes itself, or with which it fails.
        private static func sends(_ row: ExportedRequest.Row) -> Bool {
            let own = [
                "host", "keep-alive", "upgrade", "expect", "transfer-encoding", "content-length", "sec-fetch-mode",
            ]
            if row.isNamed("connection") { return row.value.plain?.lowercased() == "close" }
            return !own.contains(where: row.isNamed)
        }

        private func sendsBody(_ request: ExportedRequest) -> Bool { request.method != .get && request.method != .head }

        func block(_ request: ExportedRequest) -> String {
            var lines: [String] = ["// " + ShellQuotes.comment(request.name), "{"]
            if !request.verifiesTLS {
                lines.append("  process.env.NODE_TLS_REJECT_UNAUTHORIZED = \"0\"; // of the whole script")
            }
            if case .multipart(let parts)? = request.body, sendsBody(request) {
                lines.append("  const body = new FormData();")
                lines += parts.map { "  body.append(\(part($0)));" }
            }
            let address = request.address.splitUser?.url ?? request.address
            lines.append("  const response = await fetch(\(expression(address)), {")
            lines.append("    method: \(ExportQuotes.javaScript(request.method.rawValue)),")
            let headers = request.allHeaders.filter(Self.sends).map(header) + authorization(of: request)
            if !headers.isEmpty { lines += ["    headers: ["] + headers.map { "      \($0)," } + ["    ],"] }
            if sendsBody(request) { lines += body(of: request).map { "    \($0)," } }
            if !request.followsRedirects { lines.append("    redirect: \"manual\",") }
            if let timeout = request.timeout {
                lines.append("    signal: AbortSignal.timeout(\(max(1, Int(timeout / .milliseconds(1))))),")
            }
            lines += ["  });", "  console.log(response.status, response.statusText);"]
            lines += ["  console.log(await response.text());", "}"]
            return lines.joined(separator: "\n")
        }

        private func body(of request: ExportedRequest) -> [String] {
            switch request.body {
            case .text, .form: ["body: " + expression(request.text ?? ExportText())]
            case .file(let path): ["body: await readFile(\(expression(path)))"]
            case .multipart: ["body"]
            case nil: []
            }
        }

        private func header(_ row: ExportedRequest.Row) -> String {
            let value = expression(row.value)
            let isASCII = row.value.literal.utf8.allSatisfy { $0 < 0x80 } && row.value.values.isEmpty
            return "[\(expression(row.name)), \(isASCII ? value : "latin1(\(value))")]"
        }

        private func authorization(of request: ExportedRequest) -> [String] {
            let basic = { (user: String) in
                ["[\"Authorization\", \"Basic \" + Buffer.from(\(user)).toString(\"base64\")]"]
            }
            if case .basic(let name, let password)? = request.credentials {
                return basic(expression(name + ":" + password))
            }
            // fetch takes no URL with a user.
            guard let user = request.address.splitUser?.user,
                !request.allHeaders.contains(where: { $0.isNamed("authorization") })
            else { return [] }
            let isNameAlone = user.plain.map { !$0.contains(":") } ?? false
            let plain = { (text: String) in ExportQuotes.javaScript(PercentEncoding.unescape(text)) }
            return basic(
                (isNameAlone ? user + ":" : user).sum(literal: plain) { value in
                    let isWritten = if case .secret(let text) = value.source { !text.isEmpty } else { false }
                    return isWritten ? "decodeURIComponent(\(expression(value)))" : expression(value)
                })
        }

        private func part(_ part: ExportedRequest.Part) -> String {
            let name = expression(part.name)
            let content = part.file.map { "await readFile(\(expression($0)))" } ?? expression(part.text ?? ExportText())
            if part.file == nil, part.contentType == nil, part.fileName == nil { return "\(name), \(content)" }
            let type = part.contentType.map { ", { type: \(expression($0)) }" } ?? ""
            let fileName = part.fileName.map { ", " + expression($0) } ?? ""
            return "\(name), new Blob([\(content)]\(type))\(fileName)"
        }

        private func expression(_ text: ExportText) -> String {
            text.sum(literal: ExportQuotes.javaScript) { expression($0) }
        }

        private func expression(_ value: ExportValue) -> String {
            ExportCode.javaScript(names.name(of: value), value.encoding)
        }
    }
}
