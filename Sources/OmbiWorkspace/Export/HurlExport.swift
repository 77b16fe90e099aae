/// Writes requests as a file for Hurl, with the variables of `--variable` and `--secret`.
enum HurlExport {
    private static let abilities: ExportAbilities = [
        .proxy, .timeout, .unverifiedTLS, .redirects, .redirectLimit, .fields,
    ]

    static func text(of exported: ExportedRequests) -> ExportedText {
        var exported = exported
        exported.leaveOut(from: "Hurl") { method in method.utf8.allSatisfy { (0x41...0x5A).contains($0) } }
        return exported.written(comment: "#") { request in
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
        case .form(let rows): lines += ["[FormParams]"] + rows.filter { !$0.name.isEmpty }.map(row)
        case .multipart(let parts):
            lines += ["[MultipartFormData]"] + parts.filter { !$0.name.isEmpty }.map(part)
        case .text(let text): lines.append("`\(quoted(text, "`"))`")
        case .file(let path): lines.append("file,\(fileName(path));")
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
        case .environment, .none: break
        case .url(let url): options.append("proxy: " + value(url))
        }
        return options
    }

    private static func row(_ row: ExportedRequest.Row) -> String {
        "\(key(row.name)): \(value(row.value))"
    }

    /// A key has letters, digits and a few other characters as they are.
    private static func key(_ text: ExportText) -> String {
        text.text(template) { text in
            text.unicodeScalars.map { scalar -> String in
                let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                return isPlain || "-_.@$".unicodeScalars.contains(scalar)
                    ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
            }.joined()
        }
    }

    private static func fileName(_ path: ExportText) -> String { quoted(path, "; {}") }

    /// Spaces around a value would be dropped. With a mark behind it, a space is another character.
    private static func value(_ text: ExportText) -> String {
        var value = quoted(text)
        if value.unicodeScalars.first == " " { value = "\\u{20}" + String(value.unicodeScalars.dropFirst()) }
        if value.unicodeScalars.last == " " { value = String(value.unicodeScalars.dropLast()) + "\\u{20}" }
        return value
    }

    private static func part(_ part: ExportedRequest.Part) -> String {
        guard let file = part.file else {
            let text = value(part.text ?? ExportText())
            // Here these would begin the name of a file.
            let isFile = text.utf8.starts(with: "file,".utf8)
            return "\(key(part.name)): \(isFile ? "file\\u{2c}" + String(text.unicodeScalars.dropFirst(5)) : text)"
        }
        let type = part.contentType?.plain.flatMap { isType($0) ? " " + $0 : nil } ?? ""
        return "\(key(part.name)): file,\(fileName(file));\(type)"
    }

    /// True for a type that a part may have.
    private static func isType(_ text: String) -> Bool {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        return words.allSatisfy { word in
            !word.isEmpty
                && word.unicodeScalars.allSatisfy {
                    $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
                        || "/;=-".unicodeScalars.contains($0)
                }
        }
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
        var losses: [String] = []
        if request.proxy == .none { losses.append("the proxy of the environment is not switched off") }
        switch request.body {
        case .form(let rows):
            if rows.contains(where: \.name.isEmpty) { losses.append("fields without a name are left out") }
        case .multipart(let parts):
            losses += parts.compactMap(loss)
            if parts.isEmpty { losses.append("Hurl sends no empty form") }
        case .text, .file, nil: break
        }
        return losses
    }

    private static func loss(of part: ExportedRequest.Part) -> String? {
        let name = part.name.templates
        if name.isEmpty { return "a part without a name is left out" }
        guard part.file != nil else {
            return part.contentType == nil && part.fileName == nil
                ? nil : "type and file name of the part \(name) are left out"
        }
        if let type = part.contentType, type.plain.map(isType) != true {
            return "the type of the part \(name) is left out"
        }
        return part.keepsFileName ? nil : "the part \(name) is sent with the name of its file"
    }
}
