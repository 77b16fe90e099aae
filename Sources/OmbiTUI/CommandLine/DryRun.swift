import OmbiBase
import OmbiCore
import OmbiDocument
import OmbiTerminal
import OmbiWorkspace

/// `ombi run --dry-run`: the requests as they would be sent, with the source of each part.
enum DryRun {
    static func show(
        _ jobs: JobList, overrides: Overrides, secrets: @escaping Session.Secrets, gate: Gate,
        asking: (@Sendable (RunOrder, GateQuestion) async -> GateAnswer)?, asJSON: Bool
    ) throws {
        try ThreadRoom.check()
        let session = Session(overrides: overrides, secrets: secrets, steps: .headless(gate))
        try Headless.check { () throws(ResolveError) in
            try Headless.prepare(jobs.orders, session, asking, toleratesRefusals: true)
        }
        if asJSON { try showJSON(jobs, session) } else { try showText(jobs, session) }
    }

    // One after the other: with a file of data there may be millions.

    private static func showText(_ jobs: JobList, _ session: Session) throws {
        var rows = AlikeRows()
        var separator = ""
        let group = jobs.group
        for (index, job) in jobs.enumerated() {
            let preview = try preview(job, group, session)
            guard rows.isNew(index % jobs.selected.count, job, preview) else { continue }
            show(separator + text(job, preview))
            separator = "\n"
        }
        for (job, count) in rows.alike(in: jobs.selected) {
            show("\n\(SafeText.line(job.name))\n  the same as above for \(Count.of(count, "more row"))\n")
        }
    }

    private static func showJSON(_ jobs: JobList, _ session: Session) throws {
        var separator = "{\n  \"requests\": [\n"
        let group = jobs.group
        for job in jobs {
            write(separator + json(job, try preview(job, group, session)))
            separator = ",\n"
        }
        write((jobs.isEmpty ? separator : "") + "\n  ]\n}\n")
    }

    private static func preview(_ job: Job, _ group: RunGroup, _ session: Session) throws -> RunPreview {
        var order = job.order
        order.group = group
        return try Headless.check { () throws(ResolveError) in try session.preview(order) }
    }

    private static func write(_ text: String) { StandardOutput.write(text) }

    private static func show(_ text: String) { write(StandardOutput.glyphs.text(text)) }

    private static func text(_ job: Job, _ preview: RunPreview) -> String {
        SafeText.line(job.name) + "\n" + lines(preview)
    }

    fileprivate static func lines(_ preview: RunPreview) -> String {
        let rows = PreviewRows.rows(preview).map { row in
            let text = SafeText.line(row.spans.map(\.text).joined())
            return text.isEmpty ? "" : "  " + String(text.reversed().drop { $0 == " " }.reversed())
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
        let parts: [JSONValue.Member] = [
            .init("name", .string(job.name)),
            .init("row", job.order.row.map { .number($0.number) } ?? .null),
            .init("method", .string(request.method.rawValue)),
            .init("url", .string(request.url)),
            .init(
                "headers",
                .array(
                    request.headers.filter(\.isSent).map {
                        part([("name", $0.name), ("value", $0.value)], from: $0.source)
                    })),
            .init("body", request.body.map { .string($0) } ?? .null),
            .init(
                "authentication",
                request.authentication.map { part([("type", $0.value)], from: $0.source) } ?? .null),
            .init(
                "emptyCredentials", .array(request.emptyCredentials.map { .string($0) })),
            .init(
                "variables",
                .array(request.variables.map { part([("name", $0.name), ("value", $0.value)], from: $0.source) })),
            .init(
                "sends",
                .array(
                    request.sources.map { sent in
                        .object([
                            .init("source", .string(sent.source)), .init("destination", .string(sent.destination)),
                            .init("parts", .array(sent.parts.map(JSONValue.string))),
                            .init("granted", .bool(!preview.ungranted.contains(sent))),
                        ])
                    })),
            .init(
                "sentFirst",
                .array(
                    preview.sentFirst.map {
                        .object([.init("name", .string($0.request.name)), .init("variable", .string($0.variable))])
                    })),
            .init("sentFor", preview.sentFor.map { .string($0) } ?? .null),
        ]
        return .object(parts + limits(preview))
    }

    private static func limits(_ preview: RunPreview) -> [JSONValue.Member] {
        let milliseconds = { (duration: Duration) in JSONValue.number(duration.milliseconds) }
        let reasons = preview.retry.retries > 0 ? preview.retry.reasons : []
        return [
            .init("attempts", .number(preview.request.attempts.value)),
            .init("retriedAfter", .array(reasons.map { .string($0) })),
            .init("timeoutMs", preview.attemptTimeout.map(milliseconds) ?? .null),
            .init("slaMs", milliseconds(preview.request.sla.value)),
            .init("slaEndsAt", preview.slaEnd.map { .string($0.text) } ?? .null),
        ] + (preview.request.pages.map { [.init("pages", .string($0.summary))] } ?? [])
    }

    private static func part(_ members: [(String, String)], from source: Provenance) -> JSONValue {
        .object((members + [("source", source.description)]).map { .init($0.0, .string($0.1)) })
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
