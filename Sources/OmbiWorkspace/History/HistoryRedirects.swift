/// The bodies of the redirects that attempts followed; their heads are among the details of the run.
struct HistoryRedirects {
    let database: Database
    let contents: HistoryContents

    /// `place` is the index of the redirect within its run.
    static let schema = """
        CREATE TABLE redirect (
            run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, place INTEGER NOT NULL,
            body INTEGER NOT NULL REFERENCES content, PRIMARY KEY (run, place)) WITHOUT ROWID;
        CREATE INDEX redirect_by_body ON redirect (body);
        """

    /// The contents of a run, with the places of their redirects.
    /// - Parameter details: The JSON of the run. Files of earlier versions have no table, and name no bodies.
    func bodies(of run: Int, _ details: JSONValue) throws(DatabaseError) -> [(place: Int, content: Int)] {
        let redirects = details["redirects"]?.elements ?? []
        guard redirects.contains(where: { $0["size"]?.storedCount ?? 0 > 0 }) else { return [] }
        return try database.rows("SELECT place, body FROM redirect WHERE run = ? ORDER BY place", [.integer(run)]) {
            (place: $0.count(0), content: $0.integer(1))
        }
    }

    /// Completes the redirects of a run.
    /// - Parameter maximumBody: in bytes; a larger body is left out, as if it were not kept.
    func read(
        into result: inout SessionResult, of run: Int, _ details: JSONValue, maximumBody: Int
    ) throws(DatabaseError) {
        let count = result.prepared?.redirects.count ?? 0
        guard count > 0, maximumBody > 0 else { return }
        var bodies = RunBodies(contents: contents, maximumBody: maximumBody)
        for (place, id) in try self.bodies(of: run, details) where place < count {
            guard let body = try bodies.body(id) else { continue }
            result.prepared?.redirects[place].body = body
        }
    }
}

extension RecordedDetails {
    static func json(_ redirect: FollowedRedirect) -> JSONValue {
        let phases = RequestPhase.allCases.map { JSONValue.number(redirect.timings[$0].wholeMicroseconds) }
        let (headers, sent): (JSONValue, JSONValue?) = (json(redirect.headers), redirect.sent.map { json($0) })
        return [
            "attempt": JSONValue.number(redirect.attempt), "status": JSONValue.number(redirect.statusCode),
            "headers": headers, "size": redirect.body.map { JSONValue.number($0.count) },
            "partial": redirect.isPartial ? JSONValue.bool(true) : nil,
            "target": JSONValue.string(LogMask.url(redirect.target)),
            "method": JSONValue.string(redirect.method.rawValue), "sent": sent,
            "withheld": JSONValue.strings(redirect.withheld),
            "duration": JSONValue.number(redirect.duration.wholeMicroseconds), "phases": JSONValue.array(phases),
            "address": redirect.remoteAddress.map { JSONValue.string($0) },
        ]
    }

    /// - Parameter attempt: The number of the last attempt, the only one whose redirects earlier versions stored.
    static func redirect(_ json: JSONValue, attempt: Int) -> FollowedRedirect? {
        guard let status = json["status"]?.storedStatus, let target = json["target"]?.stringValue else { return nil }
        var redirect = FollowedRedirect(
            attempt: json["attempt"]?.storedCount ?? attempt, statusCode: status, headers: headers(json["headers"]),
            body: json["size"]?.storedCount == 0 ? Data() : nil, target: target,
            method: RequestMethod(stringLiteral: json["method"]?.stringValue ?? "GET"),
            withheld: (json["withheld"]?.elements ?? []).compactMap(\.stringValue),
            duration: json["duration"]?.storedDuration ?? .zero, remoteAddress: json["address"]?.stringValue)
        redirect.isPartial = json["partial"] == .bool(true)
        if let sent = json["sent"] { redirect.sent = headers(sent) }
        let phases = (json["phases"]?.elements ?? []).compactMap(\.storedDuration)
        guard phases.count == RequestPhase.allCases.count else { return redirect }
        for (phase, time) in zip(RequestPhase.allCases, phases) { redirect.timings[phase] = time }
        return redirect
    }
}

extension RequestHeaders {
    /// The headers of a response in their stored form: without values whose names mark them as secret, and without the
    /// secrets in the URL of `Location`, even if it is not followed.
    package var kept: RequestHeaders {
        let mask = redirectMask
        return RequestHeaders(
            fields.map { field in
                guard !field.key.isSensitive else { return RequestHeaders.Field(field.key, .init(LogMask.mask)) }
                let text = field.key == .location ? LogMask.url(field.value.text) : field.value.text
                return RequestHeaders.Field(field.key, .init(mask?.redact(text) ?? text))
            })
    }

    /// Masks the secrets in the URL of `Location`; nil if there are none.
    var redirectMask: Redactor? {
        guard let location = self[.location]?.text else { return nil }
        let secrets = LiteralSecrets(inURL: location).values
        return secrets.isEmpty ? nil : Redactor(secrets)
    }
}

/// The responses of all attempts of a run but the last, whose response is the run's.
struct HistoryResponses {
    let database: Database
    let contents: HistoryContents

    /// `size` is the size of the received body; a body without a content was not stored.
    static let schema = """
        CREATE TABLE response (
            run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, number INTEGER NOT NULL,
            status INTEGER, headers TEXT, partial INTEGER NOT NULL, size INTEGER NOT NULL,
            body INTEGER REFERENCES content, PRIMARY KEY (run, number)) WITHOUT ROWID;
        CREATE INDEX response_by_body ON response (body) WHERE body IS NOT NULL;
        """

    /// Completes the attempts of a run.
    /// - Parameter maximumBody: in bytes; a larger body is left out, as if it were not kept.
    func read(
        into attempts: inout [AttemptReport], of run: Int, maximumBody: Int
    ) throws(DatabaseError) {
        let rows = try database.rows(
            "SELECT number, status, headers, partial, size, body FROM response WHERE run = ? ORDER BY number",
            [.integer(run)]
        ) { row in
            (
                number: row.count(0), status: row.status(1), headers: row.optionalText(2),
                isPartial: row.integer(3) != 0,
                size: row.count(4), body: row.optionalInteger(5)
            )
        }
        var places: [Int: Int] = [:]
        for (index, attempt) in attempts.enumerated() { places[attempt.number] = index }
        var bodies = RunBodies(contents: contents, maximumBody: maximumBody)
        for row in rows {
            guard let index = places[row.number] else { continue }
            var body: Data? = row.size == 0 ? Data() : nil
            if row.size <= maximumBody, let id = row.body { body = try bodies.body(id) }
            let headers = row.headers.flatMap { try? JSONValue.parse($0) }
            attempts[index].received = TransportResponse(
                headers: RecordedDetails.headers(headers), statusCode: row.status, body: body)
            attempts[index].isPartial = row.isPartial
            if body == nil { attempts[index].omittedBody = row.size }
        }
    }
}

/// The bodies of the attempts or the redirects of a run. Each is read and held once, as thousands may share one, and all
/// take about the memory of a run that is sent.
private struct RunBodies {
    let contents: HistoryContents
    /// In bytes.
    let maximumBody: Int
    private var room = AttemptBodies.maximumTotal
    /// By their numbers; nil for those that are left out.
    private var known: [Int: Data?] = [:]

    init(contents: HistoryContents, maximumBody: Int) { (self.contents, self.maximumBody) = (contents, maximumBody) }

    mutating func body(_ id: Int) throws(DatabaseError) -> Data? {
        if let body = known[id] { return body }
        let content = room > 0 ? try contents.content(id) : nil
        let body = content.flatMap { $0.count <= maximumBody ? $0 : nil }
        room -= body?.count ?? 0
        known[id] = .some(body)
        return body
    }
}
