import OmbiCore
import OmbiDocument
import OmbiWorkspace

/// `ombi run --dry-run`: the requests as they would be sent, with the source of each part.
enum DryRun {
    static func show(
        _ jobs: JobList, overrides: Overrides, secrets: @escaping Session.Secrets, trust: Trust, asJSON: Bool
    ) throws {
        let session = Session(overrides: overrides, secrets: secrets, steps: .headless(trust))
        try Headless.check { () throws(ResolveError) in try Headless.prepare(jobs.orders, session) }
        // One after the other: with a file of data there may be millions.
        var separator = asJSON ? "{\n  \"requests\": [\n" : ""
        for job in jobs {
            let preview = try Headless.check { () throws(ResolveError) in try session.preview(job.order) }
            let text = asJSON ? json(job, preview) : text(job, preview)
            StandardOutput.write(Array((separator + text).utf8))
            separator = asJSON ? ",\n" : "\n"
        }
        if asJSON { StandardOutput.write(Array((jobs.isEmpty ? separator : "").utf8) + Array("\n  ]\n}\n".utf8)) }
    }

    private static func text(_ job: Job, _ preview: RunPreview) -> String {
        let rows = PreviewRows.rows(preview).map { row in
            let text = SafeText.line(row.spans.map(\.text).joined())
            return text.isEmpty ? "" : "  " + String(text.reversed().drop { $0 == " " }.reversed())
        }
        return SafeText.line(job.name) + "\n" + rows.joined(separator: "\n") + "\n"
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
                .array(request.headers.map { part([("name", $0.name), ("value", $0.value)], from: $0.source) })),
            .init("body", request.body.map { .string($0) } ?? .null),
            .init(
                "authentication",
                request.authentication.map { part([("type", $0.value)], from: $0.source) } ?? .null),
            .init(
                "variables",
                .array(request.variables.map { part([("name", $0.name), ("value", $0.value)], from: $0.source) })),
            .init(
                "sentFirst",
                .array(
                    preview.sentFirst.map {
                        .object([.init("name", .string($0.request.name)), .init("variable", .string($0.variable))])
                    })),
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
