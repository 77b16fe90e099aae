/// Makes requests of the options and URLs of one operation.
struct CurlRequestReader {
    let operation: CurlOperation
    let files: (_ path: String) -> [UInt8]?
    var log: ImportLog

    /// Returns a request for each URL.
    mutating func requests() throws(ImportError) -> [SavedRequest] {
        try checkMethodOptions()
        try checkText()
        let data = data()
        let query = operation.isOn(.get) ? data?.bytes : nil
        var queries = try urlQuery()
        if let query { queries = [query] }
        noteLeftOut(query)
        let (policy, connection) = (try policy(), try connection())
        noteInsecure()
        var requests: [SavedRequest] = []
        for (index, url) in operation.urls.enumerated() {
            let payload = upload(at: index) ?? data
            var address = try address(url)
            if let payload, payload.isUpload { address.add(file: payload.name) }
            for piece in queries { address.add(query: piece) }
            var request = SavedRequest(name: address.name, method: try method(payload), path: "")
            noteRedirects(request.method)
            (request.policy, request.connection) = (policy, connection)
            set(address, of: &request, at: url.offset)
            var headers = try headers(payload)
            set(credentials(&headers, address, at: url.offset), of: &request)
            try setBody(payload, of: &request, &headers, at: url)
            setForm(of: &request, &headers)
            request.headers = headers.fields(&log)
            noteRetries(of: request)
            noteTemplates(in: request, at: url.offset)
            requests.append(request)
        }
        return requests
    }

    // MARK: Method

    private static let methodOptions: [CurlOption.Part] = [.head, .form, .uploadFile]

    /// Throws for options that exclude each other, as curl does.
    private func checkMethodOptions() throws(ImportError) {
        let data = operation.isOn(.get) ? [] : dataArguments
        let others = Self.methodOptions.compactMap { operation.isOn($0) ? operation.last($0) : nil }
        let found = (others + data.prefix(1)).sorted { $0.offset < $1.offset }
        if found.count > 1 {
            throw log.error(
                found[1].offset,
                "\(found[1].written) and \(found[0].written) exclude each other; curl refuses them, too")
        }
    }

    /// Throws for bytes that are no text, which only data can hold.
    private func checkText() throws(ImportError) {
        let data = dataArguments
        var words = operation.urls.map { (written: "the URL", word: $0) }
        for argument in operation.arguments where !data.contains(argument) {
            if let value = argument.value { words.append((argument.written, value)) }
        }
        for (written, word) in words where String(validating: word.bytes, as: UTF8.self) == nil {
            throw log.error(word.offset, "\(written) is not UTF-8")
        }
    }

    private mutating func method(_ payload: CurlPayload?) throws(ImportError) -> RequestMethod {
        guard let argument = operation.last(.request), let value = argument.value?.text else {
            if operation.isOn(.head) { return .head }
            if payload?.isUpload ?? false { return .put }
            if operation.isOn(.get), formArguments.isEmpty { return .get }
            return payload != nil || !formArguments.isEmpty ? .post : .get
        }
        do throws(FieldError) {
            let method = try RequestMethod(text: value.uppercased())
            if value != method.rawValue {
                log.loss(
                    argument, of: value.excerpt(40), "saved as \(method.rawValue): a method has no lower-case letters")
            }
            return method
        } catch {
            throw log.error(argument.offset, "\(argument.written): \(error.message)")
        }
    }

    // MARK: Policy

    private mutating func policy() throws(ImportError) -> RequestPolicy? {
        var policy = RequestPolicy()
        if let retry = operation.last(.retry) {
            let count = try number(retry)
            guard count >= 0, count <= 1000, count == count.rounded() else {
                throw log.error(retry.offset, "\(retry.written) takes a number from 0 to 1000")
            }
            policy.retries = Int(count)
            // Without a delay curl doubles one of a second.
            policy.backoff =
                try duration(.retryDelay).map { Backoff(first: $0, factor: 1) }
                ?? Backoff(first: .seconds(1), factor: 2, ceiling: .seconds(600))
        }
        policy.timeout = try duration(.maximumTime)
        policy.sla = try duration(.retryMaximumTime)
        if policy.sla == nil, let timeout = policy.timeout, timeout > RequestPolicy.defaultSLA {
            policy.sla = min(timeout * ((policy.retries ?? 0) + 1), Self.maximumDuration)
        }
        return policy == RequestPolicy() ? nil : policy
    }

    /// The longest that a file can have.
    private static let maximumDuration = Duration.seconds(24 * 3600)

    /// Nil without the option, and for zero, which is no limit.
    mutating func duration(_ part: CurlOption.Part) throws(ImportError) -> Duration? {
        guard let argument = operation.last(part) else { return nil }
        let seconds = try number(argument)
        guard seconds >= 1e-9 else { return nil }
        let duration = Duration.seconds(seconds)
        if duration > Self.maximumDuration {
            log.remark(argument, of: argument.value?.text ?? "", "saved as 24h, the longest duration")
        }
        return min(duration, Self.maximumDuration)
    }

    func number(_ argument: CurlArgument) throws(ImportError) -> Double {
        guard let text = argument.value?.text, let number = Double(text), number.isFinite, abs(number) < 1e9 else {
            throw log.error(argument.offset, "\(argument.written) takes a number")
        }
        return number
    }

    // MARK: Notes

    private mutating func noteInsecure() {
        if let insecure = operation.last(.insecure), insecure.isOn {
            log.loss(insecure, "certificates are verified; set verifyTLS: false in its environment")
        }
    }

    /// curl takes one source of a query, and one file for each URL.
    private mutating func noteLeftOut(_ query: [UInt8]?) {
        if query != nil, let argument = operation.last(.urlQuery) {
            log.remark(argument, "left out, as curl does with -G and data")
        }
        for argument in operation.all(.uploadFile).dropFirst(operation.urls.count) {
            log.remark(argument, "left out, as curl does: there is no URL for it")
        }
    }

    /// curl goes on with the method of `-X` after each redirect.
    private mutating func noteRedirects(_ method: RequestMethod) {
        guard operation.isOn(.location), let argument = operation.last(.request), ![.get, .head].contains(method)
        else { return }
        let codes = method == .post ? "301, 302 or 303" : "303"
        log.remark(
            argument, of: method.rawValue, "after a \(codes) Ombi goes on with GET, curl with \(method.rawValue)")
    }

    /// curl repeats any method.
    private mutating func noteRetries(of request: SavedRequest) {
        guard let argument = operation.last(.retry), request.policy?.retries ?? 0 > 0, !request.method.isIdempotent,
            !request.headers.contains(where: { $0.name.lowercased() == "idempotency-key" })
        else { return }
        log.remark(
            argument, "a \(request.method.rawValue) is repeated if nothing was sent, or with a header Idempotency-Key")
    }

    private mutating func noteTemplates(in request: SavedRequest, at offset: Int) {
        let texts = [request.path] + (request.query + request.headers).flatMap { [$0.name, $0.value] }
        let names = (texts + [request.body?.text ?? ""] + (request.body?.rows ?? []).map(\.value))
            .flatMap(TemplateText.names).filter { !log.variables.contains($0) }
        guard !names.isEmpty else { return }
        let list = names.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.map { "{{\($0)}}" }
        log.remark(offset, list.joined(separator: ", "), "filled in as a template; write \\{{ for plain braces")
    }
}
