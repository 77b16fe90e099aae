/// Writes requests as commands of HTTPie for bash and zsh, with shell variables.
enum HTTPieExport {
    private static let abilities: ExportAbilities = [
        .digest, .proxy, .timeout, .unverifiedTLS, .redirects, .redirectLimit,
    ]

    static func text(of exported: ExportedRequests) -> ExportedText {
        var exported = exported
        // Any other word in its place is taken for the URL.
        exported.leaveOut(from: "HTTPie") { method in
            method.utf8.allSatisfy { $0.isASCIILetter }
        }
        let names = ExportNames(exported.requests)
        var result = exported.written(comment: "#") { request in
            let command = Command(request: request, names: names)
            return (command.text, request.losses(besides: abilities) + command.losses)
        }
        // A shell takes a variable that is not set for an empty one.
        let used = names.all.filter { result.text.contains("\"$\($0)\"") }.map { "\"${\($0)?}\"" }
        if !used.isEmpty { result.text = ": " + used.joined(separator: " ") + "\n\n" + result.text }
        return result
    }

    private struct Command {
        let request: ExportedRequest
        let names: ExportNames

        var text: String {
            let start = "# " + ShellQuotes.comment(request.name) + "\nhttp --ignore-stdin"
            let target = ShellQuotes.word(request.method.rawValue) + " " + word(request.address)
            let all = request.unchunkedHeaders.map(header) + items
            // Behind two dashes no item is taken for an option, such as the one that writes a file.
            let isLikeOption = all.contains { item in
                item.unicodeScalars.first { !"$'\"".unicodeScalars.contains($0) } == "-"
            }
            let words = isLikeOption ? raw + ["-- " + target] + all : [target] + all + raw
            return ([start] + options + words).joined(separator: " \\\n  ")
        }

        var losses: [String] {
            var losses = request.unchunkedLosses
            if let text = request.text, Self.hasNUL(text) {
                losses.append("the body is left out: no argument of a program can hold its NUL")
            } else if let text = request.text, CurlLine.isTooLong("--raw=" + text.literal) {
                losses.append(CurlLine.tooLong)
            }
            if let user = request.address.splitUser?.user, user.plain.map({ $0.contains("%") }) ?? true {
                losses.append("HTTPie does not decode the user and the password of the URL")
            }
            let parts = if case .multipart(let parts)? = request.body { parts } else { [ExportedRequest.Part]() }
            if (request.allHeaders.map(\.value) + parts.compactMap(\.text)).contains(where: Self.losesBackslash) {
                losses.append("HTTPie drops a backslash in front of : ; = and @")
            }
            if Self.regroups(parts.map(\.name.templates)) { losses.append("HTTPie sends parts of one name together") }
            for part in parts {
                let name = part.name.templates
                if Self.hasNUL(part.name) || part.text.map(Self.hasNUL) ?? false {
                    losses.append("the part \(name) is left out: no argument of a program can hold its NUL")
                } else if part.file == nil, part.contentType != nil || part.fileName != nil {
                    losses.append("type and file name of the part \(name) are left out")
                } else if part.file != nil, !part.keepsFileName {
                    losses.append("the part \(name) is sent with the name of its file")
                }
            }
            return losses
        }

        private static func hasNUL(_ text: ExportText) -> Bool { text.literal.utf8.contains(0) }

        /// True for a name that comes again after another one.
        private static func regroups(_ names: [String]) -> Bool {
            let starts = names.indices.filter { $0 == 0 || names[$0] != names[$0 - 1] }
            return Set(names).count < starts.count
        }

        private var options: [String] {
            var options: [String] = []
            if case .multipart? = request.body { options.append("--multipart") }
            if request.followsRedirects { options.append("--follow") }
            if let maximum = request.redirectLimit { options.append("--max-redirects=\(maximum)") }
            if !request.verifiesTLS { options.append("--verify=no") }
            if let timeout = request.timeout { options.append("--timeout=" + CurlLine.seconds(timeout)) }
            switch request.proxy {
            case .environment: break
            case .none: options.append("--proxy=http: --proxy=https:")
            case .url(let url): options += ["http", "https"].map { "--proxy=" + word("\($0):" + url) }
            }
            switch request.credentials {
            case .basic(let name, let password): options.append("--auth=" + word(name + ":" + password))
            case .digest(let name, let password):
                options += ["--auth-type=digest", "--auth=" + word(Self.escaped(name, ":") + ":" + password)]
            case .bearer, .key, nil: break
            }
            return options
        }

        private func header(_ row: ExportedRequest.Row) -> String {
            let name = Self.escaped(row.name)
            return row.value.isEmpty ? word(name + ";") : word(name + ":" + Self.started(row.value))
        }

        /// A value that begins with a sign of another separator.
        private static func started(_ value: ExportText) -> ExportText {
            // With a mark behind it, a sign is another character.
            guard case .text(let text)? = value.pieces.first, let first = text.unicodeScalars.first,
                first == "@" || first == "="
            else { return value }
            return "\\" + value
        }

        /// HTTPie takes a backslash away from these, and has no way to write one there.
        private static func losesBackslash(_ value: ExportText) -> Bool {
            [":", ";", "=", "@"].contains { value.literal.utf8.contains(("\\" + $0).utf8) }
        }

        /// The option with the text of the body.
        private var raw: [String] {
            guard let text = request.text, !Self.hasNUL(text) else { return [] }
            return ["--raw=" + word(text)]
        }

        /// The body where it is no text.
        private var items: [String] {
            switch request.body {
            case .file(let path): [word("@" + path)]
            case .multipart(let parts): parts.compactMap(part)
            case .text, .form, nil: []
            }
        }

        private func part(_ part: ExportedRequest.Part) -> String? {
            if Self.hasNUL(part.name) || part.text.map(Self.hasNUL) ?? false { return nil }
            let name = Self.escaped(part.name)
            guard let file = part.file else { return word(name + "=" + Self.started(part.text ?? ExportText())) }
            let type = part.contentType.map { ";type=" + $0 } ?? ExportText()
            return word(name + "@" + file + type)
        }

        /// A backslash keeps a character of a name from ending it.
        private static func escaped(_ name: ExportText, _ signs: String = ":=@;") -> ExportText {
            name.pieces.reduce(ExportText()) { result, piece in
                switch piece {
                case .text(let text):
                    let escaped = text.unicodeScalars.map { scalar in
                        signs.unicodeScalars.contains(scalar) ? "\\\(scalar)" : "\(scalar)"
                    }.joined()
                    return result + escaped
                case .value(let value): return result + ExportText(value)
                }
            }
        }

        private func word(_ text: ExportText) -> String {
            if text.isEmpty { return "''" }
            return text.text({ "\"$\(names.name(of: $0))\"" }, plain: ShellQuotes.word)
        }
    }
}
