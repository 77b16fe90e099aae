/// The lines of a file of requests.
extension TextLine {
    /// True for a line of a body, which is neither a comment nor a variable.
    var isContent: Bool { !isBlank && comment == nil && variable == nil }
    var isIndented: Bool { text.first == " " || text.first == "\t" }

    /// True below the first line of a request for a line that the URL goes on in.
    var isPartOfURL: Bool {
        !isBlank && !isHandler && (isIndented && !isHeader || text.hasPrefix("?") || text.hasPrefix("&"))
    }

    /// True for a name, a colon and a space, which no part of a URL is: VS Code takes an indented header, too.
    private var isHeader: Bool {
        let line = text.trimmed
        guard let colon = line.firstIndex(of: ":"), HeaderCheck.isToken(String(line[..<colon])) else { return false }
        return line[line.index(after: colon)...].first?.isWhitespace ?? true
    }

    /// True in place of a header for a body without an empty line in front.
    var beginsBody: Bool {
        if text.hasPrefix("{{") { return !text.contains(":") }
        return ["{", "[", "<"].contains { text.hasPrefix($0) }
    }

    /// True in place of a header for the next request.
    var beginsRequest: Bool {
        text.prefix { $0 != ":" }.trimmed.contains(" ") && text.first?.isUppercase == true
            && HTTPRequestLine(text) != nil
    }

    /// True for the first line of a request with a method in capital letters and a URL: no text is like that.
    var isWholeRequest: Bool {
        let word = text.prefix { $0.isASCII && $0.isUppercase }
        let rest = text[word.endIndex...]
        guard word.count > 2, rest.first == " ", HTTPRequestLine(text) != nil else { return false }
        return ["http://", "https://", "{{", "/"].contains { rest.trimmed.hasPrefix($0) }
    }

    /// True for the first line of a script of httpyac.
    var isScript: Bool { text.trimmed == "{{" || ["{{+", "{{@"].contains { text.hasPrefix($0) } }

    /// `token` of `$global.token = …` in a script; nil for another line.
    var assignedGlobal: String? {
        let (line, mark) = (text.trimmed, "$global.")
        guard line.hasPrefix(mark) else { return nil }
        let name = line.dropFirst(mark.count).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return !name.isEmpty && line[name.endIndex...].trimmed.hasPrefix("=") ? String(name) : nil
    }

    /// The first line of a saved response, `HTTP/1.1 200 OK`.
    var isStatusLine: Bool {
        let words = text.split(maxSplits: 2) { $0 == " " }
        return text.hasPrefix("HTTP/") && words.count > 1 && words[1].count == 3 && Int(words[1]) != nil
    }

    /// The line that stands for a request in a block of kulala for all of them.
    var isPlaceholder: Bool { text.trimmed == "NOP" }

    var isCommand: Bool { text.hasPrefix("curl ") }

    /// `###`, which ends a request.
    var isSeparator: Bool { text.hasPrefix("###") }

    /// The text of a comment; nil for another line.
    var comment: String? {
        let line = text.trimmed
        guard line.hasPrefix("//") || line.hasPrefix("#") else { return nil }
        return line.drop { $0 == line.first }.trimmed
    }

    /// `@name = value`, also `@name := value`.
    var variable: (name: String, value: String)? {
        guard text.hasPrefix("@"), let equals = text.firstIndex(of: "=") else { return nil }
        var name = text[text.index(after: text.startIndex)..<equals].trimmed
        if name.hasSuffix(":") { name = name.dropLast().trimmed }
        guard !name.isEmpty, !name.contains(where: \.isWhitespace) else { return nil }
        return (name, text[text.index(after: equals)...].trimmed)
    }

    /// A script, a file, or an expectation behind the body.
    var isHandler: Bool {
        ["> ", ">{%", ">> ", ">>! ", "<> ", "?? "].contains { text.hasPrefix($0) }
    }

    /// True for a quotation, which is a part of the body: no script, and directly below a text that is no JSON.
    func isQuotation(in body: [TextLine]) -> Bool {
        guard text.hasPrefix("> "), let first = body.first(where: { !$0.isBlank }), body.last?.isBlank == false,
            !["{", "["].contains(where: { first.text.trimmed.hasPrefix($0) })
        else { return false }
        let rest = text.dropFirst(2).trimmed
        return !rest.hasPrefix("{%") && ![".js", ".mjs", ".cjs", ".ts", ".lua"].contains { rest.hasSuffix($0) }
    }
}

/// The first and the last line with content of a body so far.
struct HTTPBodyContent {
    private var first: TextLine?
    private var last: TextLine?

    var isEmpty: Bool { first == nil }

    mutating func add(_ line: TextLine) {
        guard line.isContent else { return }
        first = first ?? line
        last = line
    }

    /// True for text that begins and ends like an object or an array of JSON.
    var isJSON: Bool {
        let (start, end) = (first?.text.trimmed.first, last?.text.trimmed.last)
        return start == "{" && end == "}" || start == "[" && end == "]"
    }
}

/// The first line of a request: `POST https://example.com/path HTTP/1.1`, or a URL alone.
struct HTTPRequestLine {
    private(set) var method = "GET"
    private(set) var url: String
    /// `2` for `HTTP/2`; nil for none.
    private(set) var version: String?

    /// The version of JetBrains' files for a server that is known to have it.
    static let priorKnowledge = "2 (Prior Knowledge)"

    /// Nil for a line that is no request.
    init?(_ line: String) {
        var text = line.trimmed
        let word = text.prefix { !$0.isWhitespace }
        let rest = text[word.endIndex...].trimmed
        if !rest.isEmpty, Self.isMethod(word, before: rest) {
            method = String(word)
            text = rest
        } else {
            // The functions in a URL may have spaces.
            let isURL = ["http://", "https://"].contains { text.hasPrefix($0) }
            guard isURL || (text.hasPrefix("{{") || !rest.contains("=")) && Self.isAddress(text) else { return nil }
        }
        let prior = "HTTP/" + Self.priorKnowledge
        if text.hasSuffix(prior), text.count > prior.count {
            version = Self.priorKnowledge
            text = text.dropLast(prior.count).trimmed
        } else if let last = Self.lastWord(of: text.suffix(Self.maximumVersion)), last.hasPrefix("HTTP/") {
            version = String(last.dropFirst(5))
            text = text.dropLast(last.count).trimmed
        }
        url = text
    }

    /// Protocols that are other than a request over HTTP.
    static let others: Set<String> = ["GRPC", "MQTT", "AMQP", "RSOCKET", "EVENTSOURCE"]
    /// Words for requests that are sent with another method.
    static let synonyms = ["GRAPHQL": "POST", "GQL": "POST", "WEBSOCKET": "GET", "WS": "GET", "SSE": "GET"]

    /// A URL may be of any length, and a version is short.
    private static let maximumVersion = 32

    /// The word behind the last space; nil for a text that is one word.
    private static func lastWord(of text: Substring) -> Substring? {
        guard let last = text.split(whereSeparator: \.isWhitespace).last, last.count < text.count else { return nil }
        return last
    }

    private static func isMethod(_ word: Substring, before rest: String) -> Bool {
        let name = word.uppercased()
        guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "-") }) else { return false }
        if synonyms[name] != nil || others.contains(name) { return word == name }
        let method = RequestMethod(rawValue: name)
        let isKnown = method.map { RequestMethod.allCases.contains($0) || $0.isIdempotent } ?? false
        guard isKnown || word == name else { return false }
        if rest == "*" { return method == .options }
        return isAddress(rest) || isKnown && ["/", "{{", ".", ":"].contains { rest.contains($0) }
    }

    private static func isAddress(_ text: String) -> Bool {
        let word = String(text.prefix { !$0.isWhitespace })
        if word.hasPrefix("/") { return !word.hasPrefix("//") && !word.hasPrefix("/*") }
        if word.hasPrefix("{{") {
            // Spaces may stand around a name, and in the functions of VS Code.
            guard let end = text.firstRange(of: "}}") else { return false }
            let name = text[..<end.lowerBound].dropFirst(2).trimmed
            return name.hasPrefix("$") || !name.contains(where: \.isWhitespace)
        }
        return RequestTarget(word).isURL
    }
}
