/// The response of a run except its body, the verdict, and the TLS connection.
extension RecordedDetails {
    static func text(_ result: SessionResult) -> String {
        var writer = HeaderWriter()
        return text(result, rest: rest(result).compact, endedAt: result.sent?.parts.trail.endedAt, &writer)
    }

    /// Puts the text together of the headers, which each response has for itself, and of the rest, which most runs of a
    /// request share.
    static func text(
        _ result: SessionResult, rest: String, endedAt: Date?, _ writer: inout HeaderWriter
    ) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rest.utf8.count + 512)
        bytes.append(UInt8(ascii: "{"))
        if let headers = result.receivedResponse?.headers {
            bytes += "\"headers\":".utf8
            writer.append(headers, to: &bytes)
        }
        var rest = rest
        rest.withUTF8 { add(UnsafeBufferPointer(rebasing: $0.dropFirst().dropLast()), to: &bytes) }
        if let endedAt {
            var member = "\"endedAt\":\(endedAt.microseconds)"
            member.withUTF8 { add($0, to: &bytes) }
        }
        bytes.append(UInt8(ascii: "}"))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func add(_ members: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        if bytes.count > 1, !members.isEmpty { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: members)
    }

    /// The same without the headers of the response and the end of the run.
    static func rest(_ result: SessionResult) -> JSONValue {
        let attempts = result.reportedAttempts
        let last = attempts.last
        let sent = result.sent?.parts
        let expectations: JSONValue? = list(result.expectations.map { json($0) })
        let captured: JSONValue? = list(result.captured.map { json($0) })
        let redirects: JSONValue? = list((sent?.trail.redirects ?? []).map { json($0) })
        let tls: JSONValue? = last?.metrics.tls.map { json($0) }
        let pages: JSONValue? = result.pages.map { json($0) }
        let fallback: JSONValue? = result.fallback.map { json($0) }
        let missedRetry: JSONValue? = last?.missedRetry.map { json($0) }
        let spentBudget: JSONValue? = last?.missedRetry?.budget.map { json($0) }
        let heldTimes: JSONValue? = list(attempts.compactMap { held($0) })
        return [
            "failures": list(result.failures.map(JSONValue.string)), "expectations": expectations,
            "captured": captured,
            "redirectedTo": sent?.trail.redirectedTo.map { JSONValue.string(LogMask.url($0)) },
            "redirects": redirects, "tls": tls,
            "unknownCoding": last?.metrics.unknownCoding.map(JSONValue.string), "pages": pages, "fallback": fallback,
            "missedRetry": missedRetry, "spentBudget": spentBudget, "held": heldTimes,
            "traces": RecordedTraces.json(result), "sent": RecordedHeaders.json(result, sent?.shared.request),
        ]
    }

    private static func json(_ pages: PageSummary) -> JSONValue {
        let expected = pages.expected.map { [JSONValue.number($0)] } ?? []
        return .array([JSONValue.number(pages.count), JSONValue.bool(pages.hasMore)] + expected)
    }

    /// Completes a result of which the ending and the attempts are known.
    static func read(_ json: JSONValue, into result: inout SessionResult) {
        result.failures = (json["failures"]?.elements ?? []).compactMap(\.stringValue)
        result.expectations = (json["expectations"]?.elements ?? []).compactMap(expectation)
        result.captured = (json["captured"]?.elements ?? []).compactMap(captured)
        result.prepared?.redirectedTo = json["redirectedTo"]?.stringValue
        let last = result.report?.attempts.last?.number ?? 1
        let redirects = (json["redirects"]?.elements ?? []).prefix(FollowedRedirect.maximum)
        result.prepared?.redirects = redirects.compactMap { redirect($0, attempt: last) }
        result.prepared?.endedAt = json["endedAt"]?.storedDate
        result.fallback = json["fallback"].flatMap(fallback)
        if let pages = json["pages"]?.elements, let count = pages.first?.storedCount {
            result.pages = PageSummary(
                count: count, expected: pages.count > 2 ? pages[2].storedCount : nil,
                hasMore: pages.count > 1 && pages[1] == .bool(true))
        }
        RecordedTraces.read(json["traces"], into: &result)
        RecordedHeaders.read(json["sent"], into: &result)
        guard var report = result.report, var last = report.attempts.popLast() else { return }
        if let tls = json["tls"] { last.metrics.tls = self.tls(tls) }
        last.metrics.unknownCoding = json["unknownCoding"]?.stringValue
        last.missedRetry = json["missedRetry"].flatMap(missedRetry)
        last.missedRetry?.budget = json["spentBudget"].flatMap(spentBudget)
        report.attempts.append(last)
        for attempt in json["held"]?.elements ?? [] {
            guard let parts = attempt.elements, parts.count == 2, let number = parts[0].storedCount,
                let index = report.attempts.firstIndex(where: { $0.number == number })
            else { continue }
            report.attempts[index].held = parts[1].storedDuration
        }
        result.report = report
    }

    // MARK: The retry that was not made

    private static func json(_ missed: MissedRetry) -> JSONValue {
        let parts = [
            missed.wait.wholeMicroseconds, AttemptCode.index(of: missed.reason), missed.slaLeft.wholeMicroseconds,
        ]
        return .array((parts + (missed.maximum.map { [$0.wholeMicroseconds] } ?? [])).map { .number($0) })
    }

    private static func missedRetry(_ json: JSONValue) -> MissedRetry? {
        guard let parts = json.elements, (3...4).contains(parts.count), let wait = parts[0].storedDuration,
            let reason = parts[1].integerValue, let left = parts[2].storedDuration
        else { return nil }
        return MissedRetry(
            wait: wait, reason: AttemptCode.waitReason(reason), slaLeft: left,
            maximum: parts.count > 3 ? parts[3].storedDuration : nil)
    }

    private static func json(_ spent: SpentRetryBudget) -> JSONValue {
        .array([
            .string(spent.server), .number(spent.share), .number(spent.requests), .number(spent.retries),
        ])
    }

    private static func spentBudget(_ json: JSONValue) -> SpentRetryBudget? {
        guard let parts = json.elements, parts.count == 4, let server = parts[0].stringValue,
            case .number(let digits) = parts[1], let share = Double(digits), let requests = parts[2].storedCount,
            let retries = parts[3].storedCount
        else { return nil }
        return SpentRetryBudget(server: server, share: share, requests: requests, retries: retries)
    }

    /// The number of an attempt that a breaker held, and the time.
    private static func held(_ attempt: AttemptReport) -> JSONValue? {
        attempt.held.map { .array([.number(attempt.number), .number($0.wholeMicroseconds)]) }
    }

    // MARK: Fallback

    /// Leaves out the body, which belongs to another run or to a file.
    private static func json(_ fallback: Fallback) -> JSONValue {
        switch fallback {
        case .missing(let reason): return ["missing": .string(reason)]
        case .response(let used):
            return used.source.json.appending([
                "date": .number(used.date.microseconds), "age": .number(used.age.wholeMicroseconds),
                "status": used.response.statusCode.map { JSONValue.number($0) },
            ])
        }
    }

    private static func fallback(_ json: JSONValue) -> Fallback? {
        if let reason = json["missing"]?.stringValue { return .missing(reason) }
        let source =
            json["run"]?.integerValue.map { FallbackResponse.Source.run($0) }
            ?? json["file"]?.stringValue.map { .file($0) }
        guard let source, let date = json["date"]?.storedDate else { return nil }
        return .response(
            FallbackResponse(
                source, date: date, age: json["age"]?.storedDuration ?? .zero,
                response: TransportResponse(statusCode: json["status"]?.storedStatus)))
    }

    // MARK: Headers

    static func json(_ headers: RequestHeaders) -> JSONValue {
        .array(headers.kept.fields.map { .strings([$0.key.name, $0.value.text]) })
    }

    /// The same as text.
    static func text(_ headers: RequestHeaders) -> String {
        var (bytes, writer): ([UInt8], HeaderWriter) = ([], HeaderWriter())
        writer.append(headers, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    static func headers(_ json: JSONValue?) -> RequestHeaders {
        RequestHeaders(
            (json?.elements ?? []).compactMap { field in
                guard let parts = field.elements, parts.count == 2, let name = parts[0].stringValue,
                    let value = parts[1].stringValue
                else {
                    return nil
                }
                return .init(.init(name), .init(value))
            })
    }

    // MARK: Verdict

    private static func json(_ result: ExpectationResult) -> JSONValue {
        let place: JSONValue =
            switch result.place {
            case .status: ["status"]
            case .time: ["time"]
            case .size: ["size"]
            case .certificate: ["certificate"]
            case .header(let name): ["header", .string(name)]
            case .body(let offset?): ["body", .number(offset)]
            case .body(.none): ["body"]
            }
        return result.json.appending(["place": place, "statement": result.statement.map(JSONValue.string)])
    }

    private static func expectation(_ json: JSONValue) -> ExpectationResult? {
        guard let parts = json["place"]?.elements, let kind = parts.first?.stringValue,
            let subject = json["subject"]?.stringValue
        else {
            return nil
        }
        let place: ExpectationResult.Place
        switch kind {
        case "status": place = .status
        case "time": place = .time
        case "size": place = .size
        case "certificate": place = .certificate
        case "header": place = .header(parts.last?.stringValue ?? "")
        case "body": place = .body(offset: parts.last?.storedCount)
        default: return nil
        }
        var result = ExpectationResult(
            place, subject, expected: json["expected"]?.stringValue ?? "", found: json["found"]?.stringValue ?? "",
            // Files of Ombi before the run had one form of JSON have `isMet`.
            isMet: (json["met"] ?? json["isMet"]) == .bool(true))
        result.statement = json["statement"]?.stringValue
        return result
    }

    private static func json(_ value: CapturedValue) -> JSONValue {
        value.json.appending(["isSecret": .bool(value.isSecret), "request": .string(value.request)])
    }

    private static func captured(_ json: JSONValue) -> CapturedValue? {
        guard let name = json["name"]?.stringValue else { return nil }
        return CapturedValue(
            name: name, value: json["value"]?.stringValue ?? "", isSecret: json["isSecret"] == .bool(true),
            request: json["request"]?.stringValue ?? "", source: json["source"]?.stringValue ?? "")
    }

    // MARK: TLS

    private static func json(_ report: TLSReport) -> JSONValue {
        [
            "isVerified": .bool(report.isVerified), "version": report.version.map(JSONValue.string),
            "cipher": report.cipher.map(JSONValue.string),
            "certificates": .array(report.certificates.map { json($0) }),
        ]
    }

    private static func json(_ certificate: TLSReport.Certificate) -> JSONValue {
        [
            "subject": .string(certificate.subject), "issuer": .string(certificate.issuer),
            "names": .strings(certificate.names),
            "notBefore": certificate.notBefore.map { JSONValue.number($0.microseconds) },
            "notAfter": certificate.notAfter.map { JSONValue.number($0.microseconds) },
        ]
    }

    private static func tls(_ json: JSONValue) -> TLSReport {
        TLSReport(
            version: json["version"]?.stringValue, cipher: json["cipher"]?.stringValue,
            certificates: (json["certificates"]?.elements ?? []).map { certificate in
                .init(
                    subject: certificate["subject"]?.stringValue ?? "",
                    issuer: certificate["issuer"]?.stringValue ?? "",
                    names: (certificate["names"]?.elements ?? []).compactMap(\.stringValue),
                    notBefore: certificate["notBefore"]?.storedDate,
                    notAfter: certificate["notAfter"]?.storedDate)
            }, isVerified: json["isVerified"] == .bool(true))
    }
}

extension FallbackResponse.Source {
    var json: JSONValue {
        switch self {
        case .run(let id): ["run": .number(id)]
        case .file(let path): ["file": .string(path)]
        }
    }
}

/// Writes the headers of responses in their stored form as JSON. Most responses have the names of the one before, and most of
/// its values.
struct HeaderWriter {
    private struct Known {
        let name: String
        let isSensitive: Bool
        /// `["Date",`
        let start: [UInt8]
        /// The last value, and the field with it.
        private var value: String
        private(set) var field: [UInt8]

        init(_ key: RequestHeaders.Key) {
            var start = [UInt8(ascii: "[")]
            JSONValue.append(quoted: key.name, to: &start)
            start.append(UInt8(ascii: ","))
            (name, isSensitive, self.start) = (key.name, key.isSensitive, start)
            (value, field) = (isSensitive ? LogMask.mask : "", start)
            write()
        }

        mutating func set(_ text: String) {
            guard !value.hasBytes(of: text) else { return }
            value = text
            write()
        }

        private mutating func write() {
            field.removeSubrange(start.count...)
            JSONValue.append(quoted: value, to: &field)
            field.append(UInt8(ascii: "]"))
        }
    }

    private var known: [Known] = []
    /// The places of two fields among the last ones; nil for none.
    private(set) var contentType: Int?
    /// Its value may make others secret.
    private(set) var location: Int?

    mutating func append(_ headers: RequestHeaders, to bytes: inout [UInt8]) {
        learn(headers.fields)
        let fields = location == nil ? headers.fields : headers.kept.fields
        bytes.append(UInt8(ascii: "["))
        for index in fields.indices {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            if !known[index].isSensitive { known[index].set(fields[index].value.text) }
            bytes.append(contentsOf: known[index].field)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func learn(_ fields: [RequestHeaders.Field]) {
        let areKnown =
            known.count == fields.count
            && fields.indices.allSatisfy { known[$0].name.hasBytes(of: fields[$0].key.name) }
        guard !areKnown else { return }
        known = fields.map { Known($0.key) }
        contentType = fields.firstIndex { $0.key == .contentType }
        location = fields.firstIndex { $0.key == .location }
    }
}
