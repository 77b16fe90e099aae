import ArgumentParser

/// `ombi send`: one request that is in no file.
struct SendCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send one request that is written as words, and print the response.",
        usage: "ombi send [METHOD] URL [ITEM…] [OPTION…]",
        discussion: """
            Items are those of HTTPie: name=value and name:=json for a JSON body, or a form with --form; Header:value, \
            Header; for an empty one, and Header: for none; name==value for the query; name@file for a file of a form, \
            and @file for a file as the body. =@file, :=@file, :@file and ==@file take a value from a file. A \
            backslash keeps a character from being a separator. Without a METHOD, a request with a body is a POST.
            On a terminal, the status and the headers are printed as well, and JSON is laid out; elsewhere only the body, \
            as it came.
            Exit status: 0 success; 1 the request failed; 2 invalid command line, nothing was sent; \
            3 a file could not be read or written.
            """)

    @Argument(help: ArgumentHelp("The method, the URL and the items.", valueName: "word"), completion: .methods)
    var words: [String] = []

    @Flag(help: "Send the data as a form in place of JSON.")
    var form = false

    @Option(parsing: .unconditional, help: "The whole body; - is the standard input.")
    var raw: String?

    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("Use host, variables and headers of this collection.", valueName: "collection"),
        completion: .selections)
    var collection: String?

    @Option(
        name: .shortAndLong, help: "The environment of that collection (default: the first).", completion: .environments
    )
    var environment: String?

    @Option(
        help: "Add the request to a collection once it is sent: COLLECTION/NAME or COLLECTION/FOLDER/NAME.",
        completion: .selections)
    var save: String?

    @Flag(help: "Print the body alone and as it came, also on a terminal.")
    var body = false

    @OptionGroup var sending: SendingOptions

    func validate() throws {
        try require(!body || !sending.dryRun, "--dry-run sends nothing, so there is no body; leave out --body.")
        let read = try orValidationError { () throws(FieldError) in try RequestWords(words) }
        let url = read.url
        try StandardInput.checkOnce(
            [raw == "-" ? raw : nil, collection, sending.access.envFile] + read.items.map(\.file))
        // Files are read when the request is sent.
        if read.items.allSatisfy({ $0.path == nil }) { _ = try request(read, raw == "-" ? "" : raw, from: nil) }
        try require(
            collection != nil || RequestTarget(url).isURL || url.hasPrefix("{{"),
            "\(url) is a path; write a URL with a host, or add --in COLLECTION.")
        try require(
            environment == nil || collection != nil, "-e names an environment of a collection; add --in COLLECTION.")
    }

    func run() throws {
        let loaded = try collection.map { try Selection.collection($0, environment: environment) }
        let target = try save.map(SaveTarget.init)
        let words = try wordsWithFiles()
        if let method = words.method, !method.typoHint.isEmpty {
            StandardError.report("unknown method \(method.rawValue)\(method.typoHint)")
        }
        let raw = try rawText()
        var typed = try request(words, raw, from: loaded?.path)
        if let target { typed.name = target.name }
        let order = order(typed, words, loaded)
        let gate = try sending.access.gate.gate()
        // The files that are named here go to the host that is named here.
        Session(overrides: try sending.overrides(), secrets: try sending.access.secrets(), steps: .headless(gate))
            .allow(typed: order)
        let jobs = JobList([Job(name: order.request.name, order: order)])
        if sending.dryRun { return try sending.show(jobs, gate: gate) }
        let status = try send(jobs, try sending.surroundings(gate))
        // One that could not be sent is written again.
        if let target, status != .misuse {
            try target.add(try request(words, raw, from: target.path), try sending.limits.policy())
        }
        if let status { throw status }
    }

    /// Returns the exit status of a request that failed.
    private func send(_ jobs: JobList, _ surroundings: Headless.Surroundings) throws -> ExitStatus? {
        var report = RunReport(jobs, output: StandardOutput.isTerminal && !body ? .responses : .bodies)
        if report.output == .responses, StandardOutput.isColored {
            let theme = ConfigurationFile.load(environment: Screen.environment).theme
            report.painter = MainActor.assumeIsolated { TextPainter.terminal(theme) }
        }
        do { try Headless.run(jobs, report: report, surroundings) } catch let status as ExitStatus { return status }
        return nil
    }

    // MARK: The request

    private func wordsWithFiles() throws -> RequestWords {
        var result = try orValidationError { () throws(FieldError) in try RequestWords(words) }
        for index in result.items.indices {
            guard let path = result.items[index].path else { continue }
            let content = try InputFile.content(BodyFile.expanded(path))
            try orValidationError { () throws(FieldError) in try result.items[index].take(content) }
        }
        return result
    }

    private func rawText() throws -> String? {
        guard raw == "-" else { return raw }
        guard let text = String(validating: try InputFile.content("-"), as: UTF8.self) else {
            throw ValidationError("the standard input is not UTF-8 text; @FILE sends a file as it is")
        }
        return text
    }

    /// - Parameter file: the path of the collection that the request belongs to.
    private func request(_ words: RequestWords, _ raw: String?, from file: String?) throws -> SavedRequest {
        let prefix = SaveTarget.prefix(from: file)
        return try orValidationError { () throws(FieldError) in
            try words.request(isForm: form, raw: raw, prefix: prefix)
        }
    }

    /// A request that is in no file is recorded as the scratch requests of the explorer are.
    private func order(_ request: SavedRequest, _ words: RequestWords, _ loaded: LoadedCollection?) -> RunOrder {
        let collection = loaded?.collection ?? Collection(schema: nil, name: "Scratch")
        let name = environment ?? collection.defaultEnvironment?.name
        let relative = name.flatMap(collection.environment(named:)).flatMap(request.relative)
        var order = RunOrder(
            id: 1, request: relative ?? request, collection: words.surroundings(collection), environment: name,
            file: loaded?.path ?? OpenFile.scratchPath, folders: nil)
        order.sendsMessages = true
        return order
    }

    /// Turns the error of a word into one of the command line.
    private func orValidationError<Value>(_ body: () throws(FieldError) -> Value) throws -> Value {
        do throws(FieldError) { return try body() } catch { throw ValidationError(error.message) }
    }
}

/// The place of a request that is saved: `COLLECTION/FOLDER/NAME`, with the name or the file of a collection.
struct SaveTarget {
    private let place: ImportTarget
    /// The name of the saved request, which gets a number where it is taken.
    let name: String

    init(_ text: String) throws {
        let slash = text.lastIndex(of: "/") ?? text.startIndex
        name = String(text[slash...].dropFirst())
        guard slash > text.startIndex, !name.isEmpty, !name.hasSuffix(".json") else {
            throw ValidationError("--save \(text): write COLLECTION/NAME or COLLECTION/FOLDER/NAME")
        }
        place = try Self.place(String(text[..<slash]))
    }

    /// A file may be new; a collection by its name is one that is here.
    private static func place(_ text: String) throws -> ImportTarget {
        let isFile = text.split(separator: "/").contains { $0.hasSuffix(".json") }
        return try ImportTarget(isFile ? text : named(text))
    }

    private static func named(_ text: String) throws -> String {
        if PipedFile.split(text) != nil {
            throw ValidationError("--save \(text): a pipe cannot be saved to; name a file")
        }
        let (file, path) = try Selection.single(text)
        return ([file.path] + path).joined(separator: "/")
    }

    var path: String { place.path }

    /// - Parameter policy: what the options of the run say.
    func add(_ request: SavedRequest, _ policy: RequestPolicy) throws {
        var request = request
        request.name = name
        if policy != RequestPolicy() { request.policy = policy }
        try place.add([request])
    }

    /// Leads from the folder of a collection file to the current one.
    static func prefix(from file: String?) -> String {
        guard let file, let slash = file.lastIndex(of: "/") else { return "" }
        let folders = file[..<slash].split(separator: "/")
        let isBelow = !file.hasPrefix("/") && !folders.contains { $0 == "." || $0 == ".." }
        let current = FileManager.default.currentDirectoryPath + "/"
        return isBelow ? String(repeating: "../", count: folders.count) : current
    }
}
