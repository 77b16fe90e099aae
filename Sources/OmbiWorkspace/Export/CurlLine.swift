/// A command of curl in its parts, written for bash and zsh.
struct CurlLine {
    var method: RequestMethod
    var url: String
    var headers: [(name: String, value: String)] = []
    /// `name:password`
    var user: String?
    /// Options of its authentication: `--digest`.
    var options: [String] = []
    var body: Body?
    var policy = RequestPolicy()
    var followsRedirects = false
    var verifiesTLS = true
    /// Options of the connection: `--http1.1`.
    var connection: [String] = []
    /// A sentence for each part of the request that curl is not given.
    var omissions: [String] = []

    enum Body {
        case text(String)
        /// The path of a file.
        case file(String)
        case form([FormField])
    }

    /// A part of a form.
    struct FormField {
        var option: String
        var name: String
        /// With what stands before it to tell its kind.
        var value: String
        /// True for a text with the name of a file and without a type, which curl gives it.
        var hasTypeOfName = false

        /// False for a name that curl would split, and for what no argument can hold.
        var isExpressible: Bool { !name.contains("=") && !CurlLine.hasNUL(name + value) }
    }

    /// True for a value of which libcurl would send nothing.
    private static func isBlank(_ value: String) -> Bool { value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } }

    /// An option on each line; curl prints the response alone.
    var text: String {
        var parts = [omissions.map { "# \($0)\n" }.joined() + notes + "curl " + ShellQuotes.word(url)] + methodOptions
        if let user { parts.append("-u " + ShellQuotes.word(user)) }
        parts += options
        parts += headers.filter { !isImplied($0) }.map { name, value in
            "-H " + ShellQuotes.word(Self.isBlank(value) ? name + ";" : "\(name): \(value)")
        }
        parts += bodyOptions
        parts += policyOptions + connection
        if followsRedirects { parts.append("-L") }
        if !verifiesTLS { parts.append("-k") }
        return parts.joined(separator: " \\\n  ")
    }

    /// A comment for each part of the form that curl cannot send.
    private var notes: String {
        if case .text(let text) = sentBody, Self.hasNUL(text) {
            return "# the body is left out: no argument of a program can hold its NUL\n"
        }
        if case .text(let text) = sentBody, Self.isTooLong(text) { return "# \(Self.tooLong)\n" }
        guard case .form(let fields) = sentBody else { return "" }
        if fields.isEmpty { return "# curl sends no form without parts\n" }
        return fields.filter { !$0.isExpressible || $0.hasTypeOfName }.map { field in
            let name = ShellQuotes.comment(field.name.excerpt(80))
            if field.isExpressible { return "# curl may give the part \(name) a type by its file name\n" }
            if Self.hasNUL(field.value) { return "# the part \(name) is left out: no argument can hold its NUL\n" }
            return "# the part \(name) is left out: in curl a name ends at its first =\n"
        }.joined()
    }

    /// True for a text with which Linux starts no program.
    static func isTooLong(_ text: String) -> Bool { text.utf8.count >= 1 << 17 }

    static let tooLong = "the body is too long for a command of Linux; put it into a file"

    fileprivate static func hasNUL(_ text: String) -> Bool { text.utf8.contains(0) }

    private var sentBody: Body? { method == .head ? nil : body }

    private var bodyOptions: [String] {
        switch sentBody {
        case .text(let text) where Self.hasNUL(text): []
        case .text(let text): ["--data-raw " + ShellQuotes.word(text)]
        case .file(let path): ["--data-binary " + ShellQuotes.word("@" + path)]
        case .form(let fields):
            fields.filter(\.isExpressible).map { "\($0.option) " + ShellQuotes.word($0.name + "=" + $0.value) }
        case nil: []
        }
    }

    private var methodOptions: [String] {
        if method == .head { return ["-I"] }
        return method == (bodyOptions.isEmpty ? .get : .post) ? [] : ["-X " + ShellQuotes.word(method.rawValue)]
    }

    /// True for the type that curl gives any data.
    private func isImplied(_ header: (name: String, value: String)) -> Bool {
        header.name.lowercased() == "content-type" && sentBody != nil && header.value == FormContent.note
    }

    private var policyOptions: [String] {
        var options: [String] = []
        // curl would repeat any method, Ombi does not.
        if let retries = policy.retries, retries > 0, method.isIdempotent {
            options.append("--retry \(retries)")
            if let backoff = policy.backoff, backoff.factor == 1, backoff.first >= .seconds(1) {
                options.append("--retry-delay \(backoff.first.components.seconds)")
            }
            if let sla = policy.sla { options.append("--retry-max-time \(max(1, sla.components.seconds))") }
        }
        if let timeout = policy.timeout { options.append("--max-time " + Self.seconds(timeout)) }
        return options
    }

    /// `2`, `2.5`
    static func seconds(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        let text = "\(milliseconds / 1000)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
