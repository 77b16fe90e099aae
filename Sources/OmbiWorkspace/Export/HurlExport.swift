import OmbiCore

/// Writes requests as a file for Hurl. Its variables are those of `--variable` and `--secret`.
enum HurlExport {
    private static let abilities: ExportAbilities = [
        .proxy, .timeout, .unverifiedTLS, .redirects, .redirectLimit,
    ]

    static func text(of exported: ExportedRequests) -> ExportedText {
        exported.written(comment: "#") { request in
            (text(of: request), request.losses(besides: abilities) + losses(of: request))
        }
    }

    private static func text(of request: ExportedRequest) -> String {
        var lines = ["# " + ShellQuotes.comment(request.name)]
        lines.append("\(request.method.rawValue) \(oneLine(request.address))")
        lines += request.allHeaders.map(row)
        lines += ["[Options]"] + options(of: request)
        if case .basic(let name, let password)? = request.credentials {
            lines += ["[BasicAuth]", row(.init(name: name, value: password))]
        }
        switch request.body {
        case .form(let rows): lines += ["[FormParams]"] + rows.map(row)
        case .multipart(let parts): lines += ["[MultipartFormData]"] + parts.map(part)
        case .text(let text): lines.append("`\(quoted(text, "`"))`")
        case .file(let path): lines.append("file,\(quoted(path, ";"));")
        case nil: break
        }
        return (lines + ["HTTP *"]).joined(separator: "\n")
    }

    private static func options(of request: ExportedRequest) -> [String] {
        var options = ["location: \(request.followsRedirects)"]
        if request.isDisabled { options.append("skip: true") }
        if let maximum = request.redirectLimit { options.append("max-redirs: \(maximum)") }
        if !request.verifiesTLS { options.append("insecure: true") }
        if let timeout = request.timeout {
            options.append("max-time: \(max(1, Int(timeout / .milliseconds(1))))ms")
        }
        switch request.proxy {
        case .environment: break
        case .none: options.append("noproxy: *")
        case .url(let url): options.append("proxy: " + oneLine(url))
        }
        return options
    }

    private static func row(_ row: ExportedRequest.Row) -> String {
        "\(quoted(row.name, ":")): \(value(row.value))"
    }

    /// Spaces around a value would be dropped.
    private static func value(_ text: ExportText) -> String {
        var value = quoted(text)
        if value.hasPrefix(" ") { value = "\\u{20}" + String(value.dropFirst()) }
        if value.hasSuffix(" ") { value = String(value.dropLast()) + "\\u{20}" }
        return value
    }

    private static func part(_ part: ExportedRequest.Part) -> String {
        guard let file = part.file else { return "\(quoted(part.name, ":")): \(value(part.text ?? ExportText()))" }
        let type = part.contentType.map { " " + oneLine($0) } ?? ""
        return "\(quoted(part.name, ":")): file,\(quoted(file, ";"));\(type)"
    }

    private static func oneLine(_ text: ExportText) -> String { text.text(template, plain: SwiftNames.line) }

    private static func quoted(_ text: ExportText, _ others: String = "") -> String {
        text.text(template) { ExportQuotes.hurl($0, escaping: others) }
    }

    /// A name of Hurl has letters, digits, `-` and `_`.
    private static func template(_ value: ExportValue) -> String {
        let name = value.name.unicodeScalars.map { scalar -> String in
            let isPart = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            return isPart || scalar == "-" ? String(scalar) : "_"
        }
        return "{{\(name.joined())}}"
    }

    private static func losses(of request: ExportedRequest) -> [String] {
        guard case .multipart(let parts)? = request.body else { return [] }
        return parts.compactMap { part in
            let name = part.name.templates
            guard let file = part.file else {
                return part.contentType == nil && part.fileName == nil
                    ? nil : "type and file name of the part \(name) are left out"
            }
            let last = file.templates.split(separator: "/").last.map(String.init)
            return part.fileName?.templates == last ? nil : "the part \(name) is sent with the name of its file"
        }
    }
}
