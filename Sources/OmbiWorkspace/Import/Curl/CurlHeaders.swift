/// The header fields of a command, as curl sends them.
struct CurlHeaders {
    struct Line {
        var name: String
        var value: String
        var argument: CurlArgument

        /// The reason why no request can have it; nil for one that requests can have.
        var refusal: String? {
            if !HeaderCheck.isToken(name) { return HeaderCheck.nameForm }
            return HeaderCheck.isValue(value)
                ? CurlHeaders.own[name.lowercased()] : "the value contains a control character"
        }
    }

    private(set) var lines: [Line] = []
    /// The names, in lower case, that `-H 'Name:'` takes away.
    private(set) var removed: Set<String> = []

    /// Adds a field that an option sets, unless `-H` sets or removes it.
    mutating func addDefault(_ name: String, _ value: String, _ argument: CurlArgument) {
        guard !removed.contains(name.lowercased()), first(name) == nil else { return }
        add(name, value, argument)
    }

    mutating func add(_ name: String, _ value: String, _ argument: CurlArgument) {
        lines.append(Line(name: name, value: value, argument: argument))
    }

    func first(_ name: String) -> Line? { lines.first { $0.name.lowercased() == name.lowercased() } }

    /// Keeps an option from setting a field.
    mutating func suppress(_ name: String) { removed.insert(name.lowercased()) }

    mutating func remove(_ name: String) { lines.removeAll { $0.name.lowercased() == name.lowercased() } }

    /// True for a field that is sent more than once, as only rows of headers are.
    func isRepeated(_ name: String) -> Bool { lines.count { $0.name.lowercased() == name.lowercased() } > 1 }

    var contentType: String? { first("Content-Type")?.value }
    mutating func removeContentType() { if !isRepeated("Content-Type") { remove("Content-Type") } }

    /// The rows of a request, without those that no request can have.
    func fields(_ log: inout ImportLog) -> [Field] {
        lines.compactMap { line in
            guard let reason = line.refusal else { return Field(line.name, TemplateText.escaped(line.value)) }
            log.loss(line.argument, of: line.name, reason)
            return nil
        }
    }

    /// Fields that a request cannot set, with the reason.
    static let own = [
        "content-length": "Ombi counts the body itself",
        "transfer-encoding": "Ombi sends the length of the body instead",
    ]
    /// Fields that no request goes without.
    static let alwaysSent = ["user-agent", "accept-encoding", "accept-language", "host"]
}

extension CurlRequestReader {
    mutating func headers(_ payload: CurlPayload?) throws(ImportError) -> CurlHeaders {
        var headers = CurlHeaders()
        for argument in operation.all(.header) { try read(argument, &headers) }
        for (part, name) in [(CurlOption.Part.userAgent, "User-Agent"), (.referer, "Referer"), (.range, "Range")] {
            guard let argument = operation.last(part), let value = argument.value?.text else { continue }
            if value.isEmpty, part != .range {
                if part == .userAgent, headers.first(name) == nil { noteRemoved(name, argument) }
                continue
            }
            let sent = self.value(value, of: part, argument)
            // `;auto` alone has no page before the first redirect.
            if !sent.isEmpty { headers.addDefault(name, sent, argument) }
        }
        addCookies(&headers)
        // With -G the data goes to the URL, and only --json still sends its type.
        if let payload, !operation.isOn(.get) || payload.acceptType != nil, let type = payload.contentType {
            headers.addDefault("Content-Type", type, payload.argument)
        }
        if let payload, let type = payload.acceptType {
            headers.addDefault("Accept", type, payload.argument)
        }
        return headers
    }

    private mutating func value(_ text: String, of part: CurlOption.Part, _ argument: CurlArgument) -> String {
        switch part {
        case .range:
            // curl completes a position alone, which is no range.
            let position = text.prefix { ("0"..."9").contains($0) }
            return "bytes=" + (position.isEmpty || text.contains("-") ? text : String(position) + "-")
        case .referer where text.hasSuffix(";auto"):
            log.loss(argument, of: ";auto", "a redirect gets no Referer")
            return String(text.dropLast(5))
        default: return text
        }
    }

    /// Reads `Name: value`, `Name;` for an empty one, `Name:` for one that is not sent, and `@file`.
    private mutating func read(_ argument: CurlArgument, _ headers: inout CurlHeaders) throws(ImportError) {
        guard let text = argument.value?.text else { return }
        if text.hasPrefix("@") {
            guard let lines = String(validating: file(String(text.dropFirst()), argument), as: UTF8.self) else {
                throw log.error(argument.offset, "\(argument.written) \(text): the file is not UTF-8")
            }
            for line in lines.split(whereSeparator: \.isNewline) { read(String(line), argument, &headers) }
        } else {
            read(text, argument, &headers)
        }
    }

    private mutating func read(_ line: String, _ argument: CurlArgument, _ headers: inout CurlHeaders) {
        let mark = line.firstIndex { $0 == ":" } ?? line.firstIndex { $0 == ";" }
        guard let mark, line[mark] == ":" || line.index(after: mark) == line.endIndex else {
            return log.loss(argument, of: line.excerpt(40), "curl sends no header without a colon")
        }
        let name = String(line[..<mark])
        let value = line[line.index(after: mark)...].trimmed
        if line[mark] == ":", value.isEmpty {
            headers.suppress(name)
            noteRemoved(name, argument)
        } else {
            headers.add(name, value, argument)
        }
    }

    private mutating func noteRemoved(_ name: String, _ argument: CurlArgument) {
        guard CurlHeaders.alwaysSent.contains(name.lowercased()) else { return }
        log.loss(argument, of: "\(name):", "Ombi always sends this header")
    }

    private mutating func addCookies(_ headers: inout CurlHeaders) {
        var cookies: [String] = []
        let arguments = operation.all(.cookie)
        for argument in arguments {
            guard let text = argument.value?.text, !text.isEmpty else { continue }
            if text.contains("=") {
                cookies.append(text.hasPrefix("@") ? String(text.dropFirst()) : text)
            } else {
                log.loss(argument, of: text, "the file of cookies is not read; add a Cookie header")
            }
        }
        guard let last = arguments.last, !cookies.isEmpty else { return }
        headers.addDefault("Cookie", cookies.joined(separator: ";"), last)
    }
}
