/// `ombi run --dry-run`: the requests as they would be sent, with the source of each part.
enum DryRun {
    static func show(
        _ jobs: JobList, overrides: Overrides, secrets: @escaping Session.Secrets, gate: Gate,
        asking: Session.Asking?, asJSON: Bool
    ) throws {
        try ThreadRoom.check()
        let session = Session(overrides: overrides, secrets: secrets, steps: .headless(gate))
        try Headless.prepare(jobs.orders, session, asking, toleratesRefusals: true)
        if asJSON { try showJSON(jobs, session) } else { try showText(jobs, session) }
    }

    // One after the other: with a file of data there may be millions.

    private static func showText(_ jobs: JobList, _ session: Session) throws {
        var rows = AlikeRows()
        var separator = ""
        let group = jobs.group
        var queries = KnownQueries()
        for (index, job) in jobs.enumerated() {
            let preview = try preview(job, group, session, &queries)
            guard rows.isNew(index % jobs.selected.count, job, preview) else { continue }
            show(separator + SafeText.line(job.name) + "\n" + lines(preview))
            separator = "\n"
        }
        for (job, count) in rows.alike(in: jobs.selected) {
            show("\n\(SafeText.line(job.name))\n  the same as above for \(Count.of(count, "more row"))\n")
        }
    }

    private static func showJSON(_ jobs: JobList, _ session: Session) throws {
        var separator = "{\n  \"requests\": [\n"
        let group = jobs.group
        var queries = KnownQueries()
        for job in jobs {
            StandardOutput.write(separator + json(job, try preview(job, group, session, &queries)))
            separator = ",\n"
        }
        StandardOutput.write((jobs.isEmpty ? separator : "") + "\n  ]\n}\n")
    }

    private static func preview(
        _ job: Job, _ group: RunGroup, _ session: Session, _ queries: inout KnownQueries
    ) throws -> RunPreview {
        var order = job.order
        order.group = group
        var preview = try ExitStatus.misuse.onError { try session.preview(order) }
        preview.queryProblems = queries.problems(of: order)
        return preview
    }

    private static func show(_ text: String) { StandardOutput.write(StandardOutput.glyphs.text(text)) }

    fileprivate static func lines(_ preview: RunPreview) -> String {
        let rows = PreviewRows.rows(preview).map { row in
            let text = SafeText.line(row.spans.map(\.text).joined())
            // By scalars: there may be a million rows.
            let scalars = text.unicodeScalars
            let end = scalars.lastIndex { $0 != " " }.map { scalars.index(after: $0) } ?? text.startIndex
            return text.isEmpty ? "" : "  " + text[..<end]
        }
        return rows.joined(separator: "\n") + "\n"
    }

    /// Returns a request as an element of the list.
    private static func json(_ job: Job, _ preview: RunPreview) -> String {
        let lines = RunJSON.escaped(value(job, preview).text).split(separator: "\n", omittingEmptySubsequences: true)
        return lines.map { "    " + $0 }.joined(separator: "\n")
    }

    private static func value(_ job: Job, _ preview: RunPreview) -> JSONValue {
        let request = preview.request
        let headers = request.headers.filter(\.isSent).map { part(.pair($0.name, $0.value), $0.source) }
        let variables = request.variables.map { part(.pair($0.name, $0.value), $0.source) }
        let authentication: JSONValue =
            request.authentication.map { part(["type": .string($0.value)], $0.source) } ?? .null
        let sends = request.sources.map { sent -> JSONValue in
            [
                "source": .string(sent.source), "destination": .string(sent.destination),
                "parts": .strings(sent.parts), "granted": .bool(!preview.ungranted.contains(sent)),
            ]
        }
        let sentFirst = preview.sentFirst.map { dependency -> JSONValue in
            ["name": .string(dependency.request.name), "variable": .string(dependency.variable)]
        }
        let parts: JSONValue = [
            "name": .string(job.name), "row": .nullable(job.order.row?.number),
            "method": .string(request.method.rawValue), "url": .string(request.url), "headers": .array(headers),
            "body": .nullable(request.body), "authentication": authentication,
            "emptyCredentials": .strings(request.emptyCredentials),
            "warnings": .strings(PreviewRows.warnings(of: preview)), "variables": .array(variables),
            "sends": .array(sends), "sentFirst": .array(sentFirst), "sentFor": .nullable(preview.sentFor),
        ]
        return parts.appending(limits(preview))
    }

    private static func limits(_ preview: RunPreview) -> JSONValue {
        [
            "attempts": .number(preview.request.attempts.value),
            "retriedAfter": .strings(preview.retry.retries > 0 ? preview.retry.reasons : []),
            "timeoutMs": .milliseconds(preview.attemptTimeout), "slaMs": .milliseconds(preview.request.sla.value),
            "slaEndsAt": .nullable(preview.slaEnd?.text),
            "pages": preview.request.pages.map { JSONValue.string($0.summary) },
        ]
    }

    private static func part(_ members: JSONValue, _ source: Provenance) -> JSONValue {
        members.appending(["source": .string(source.description)])
    }
}

/// The problems of queries, each checked once: with a file of data a request comes many times.
private struct KnownQueries {
    private var problems: [ItemID: [String]] = [:]

    mutating func problems(of order: RunOrder) -> [String] {
        if let known = problems[order.request.id] { return known }
        let found = order.queryProblems
        problems[order.request.id] = found
        return found
    }
}

/// The rows of data with which a request looks as it does with an earlier row.
private struct AlikeRows {
    private var shown: [Set<Int>] = []
    private var counts: [Int] = []

    /// Returns false for lines that were shown before, but for the number of the row and the time.
    /// - Parameter index: that of the request among the selected ones.
    mutating func isNew(_ index: Int, _ job: Job, _ preview: RunPreview) -> Bool {
        guard job.order.row != nil else { return true }
        while shown.count <= index {
            shown.append([])
            counts.append(0)
        }
        var preview = preview
        preview.slaEnd = nil
        for place in preview.request.variables.indices {
            if case .row = preview.request.variables[place].source { preview.request.variables[place].source = .row(0) }
        }
        let isNew = shown[index].insert(DryRun.lines(preview).hashValue).inserted
        if !isNew { counts[index] += 1 }
        return isNew
    }

    /// The requests that have such rows, each with their number.
    func alike(in selected: [Job]) -> [(job: Job, count: Int)] {
        zip(selected, counts).filter { $0.1 > 0 }.map { ($0, $1) }
    }
}
