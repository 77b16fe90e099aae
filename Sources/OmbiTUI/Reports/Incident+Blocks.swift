/// The blocks of the report: text and tables.
extension Incident {
    /// `Incident of 2026-11-22, 14:05 to 14:20`
    func title(_ clock: LocalClock = .system) -> String {
        let (start, end) = (ReportTime(range.start, clock), ReportTime(range.end, clock))
        let last = start.day == end.day ? end.minute : "\(end.day), \(end.minute)"
        return "Incident of \(start.day), \(start.minute) to \(last)"
    }

    func blocks(_ clock: LocalClock = .system) -> [ReportBlock] {
        var blocks: [ReportBlock] = [.heading(1, title(clock)), .text(summary(clock))]
        guard !runs.isEmpty else { return blocks }
        blocks += [.heading(2, "Before and during"), figures(clock)]
        if !marks.isEmpty { blocks += [.heading(2, "Marks"), markTable(clock)] }
        if !during.failures.isEmpty { blocks += [.heading(2, "Why attempts failed"), causes] }
        if during.addresses.count > 1 { blocks += [.heading(2, "By address"), addresses] }
        blocks += [.heading(2, "Requests"), requests, .heading(2, "Runs"), list(clock)]
        let details = details
        guard !details.isEmpty else { return blocks }
        blocks.append(.heading(2, "Failed and repeated runs in full"))
        for run in details.prefix(Self.maximumDetails) { blocks += full(run, clock) }
        if details.count > Self.maximumDetails {
            blocks.append(.text("\(details.count - Self.maximumDetails) more are in the list above only."))
        }
        return blocks
    }

    private func summary(_ clock: LocalClock) -> String {
        let failed = during.runs - during.passed
        var text = "\(Count.of(count, "run"))"
        if let selection { text += " of \(selection)" }
        text +=
            during.runs == 0 ? "" : ", \(failed) failed, \(during.passed - during.passedAtOnce) passed after retries"
        text += during.cancelled == 0 ? "." : ", \(during.cancelled) cancelled, which the figures leave out."
        if count > runs.count { text += " The newest \(runs.count) are listed." }
        return text + " Times are \(clock.zone(at: range.start)). Recorded by Ombi; secrets are masked."
    }

    // MARK: Figures

    private func figures(_ clock: LocalClock) -> ReportBlock {
        let (start, end) = (ReportTime(range.before.start, clock), ReportTime(range.before.end, clock))
        return .table(
            ["", "before (\(start.minute) to \(end.minute))", "during"], rows: HistoryFigures.rows([before, during]))
    }

    private func markTable(_ clock: LocalClock) -> ReportBlock {
        .table(
            ["time", "mark"],
            rows: marks.map { mark in
                let time = ReportTime(mark.date, clock)
                return ["\(time.day) \(time.second)", mark.name]
            })
    }

    private var causes: ReportBlock {
        let earlier = Dictionary(before.failures.map { ($0.name, $0.count) }) { $0 + $1 }
        return .table(
            ["cause", "before", "during"],
            rows: during.failures.map { [$0.name, "\(earlier[$0.name] ?? 0)", "\($0.count)"] })
    }

    private var addresses: ReportBlock {
        let earlier = Dictionary(before.addresses.map { ($0.name, $0) }) { first, _ in first }
        return .table(
            ["address", "before", "during", "attempts", "connections"],
            rows: during.addresses.prefix(Self.maximumAddresses).map { address in
                [
                    address.name, earlier[address.name]?.words ?? "–", address.words, "\(address.attempts)",
                    address.connectionWords,
                ]
            })
    }

    private var requests: ReportBlock {
        var order: [String] = []
        var groups: [String: [HistoryEntry]] = [:]
        for run in runs {
            let name = run.entry.request.shortName + "\u{0}" + (run.entry.environment ?? "")
            if groups[name] == nil { order.append(name) }
            groups[name, default: []].append(run.entry)
        }
        let rows = order.compactMap { groups[$0] }.map { entries in
            let failed = entries.count { $0.outcome == .failed || $0.outcome == .error }
            let slowest = entries.map(\.duration).max().map(TimeText.duration) ?? "–"
            return [
                entries[0].request.shortName, entries[0].environment ?? "", "\(entries.count)", "\(failed)",
                "\(entries.count { $0.attempts > 1 })", slowest,
            ]
        }
        return .table(["request", "environment", "runs", "failed", "repeated", "slowest"], rows: rows)
    }

    // MARK: Runs

    private func list(_ clock: LocalClock) -> ReportBlock {
        .table(
            ["time", "request", "environment", "result", "duration", "attempts", "waited", "why"],
            rows: runs.map { run in
                let entry = run.entry
                let waited = (run.result.report?.attempts ?? []).compactMap(\.wait).reduce(Duration.zero, +)
                return [
                    ReportTime(entry.startedAt, clock).second, entry.request.shortName, entry.environment ?? "",
                    Self.result(entry), TimeText.duration(entry.duration), "\(entry.attempts)",
                    waited > .zero ? TimeText.duration(waited) : "",
                    entry.outcome == .passed ? "" : entry.failure ?? "",
                ]
            })
    }

    private func full(_ run: RecordedRun, _ clock: LocalClock) -> [ReportBlock] {
        let entry = run.entry
        let time = ReportTime(entry.startedAt, clock)
        var blocks: [ReportBlock] = [
            .heading(3, "\(time.second) \(entry.request.shortName): \(Self.result(entry)), run \(entry.id)")
        ]
        for failure in run.result.failures { blocks.append(.text(failure)) }
        if let held = run.result.report?.attempts.holdWords { blocks.append(.text(held)) }
        let attempts = run.result.attempts
        if !attempts.isEmpty {
            blocks.append(
                .table(
                    ["attempt", "after", "reason", "result", "duration", "phases", "then waited"],
                    rows: attempts.map(Self.row)))
        }
        blocks += Self.redirects(of: run)
        if let trace = Self.trace(of: run) { blocks.append(.text(trace)) }
        if let command = run.curlCommand { blocks.append(.code(command)) }
        blocks += Self.responses(attempts)
        if let excerpt = Self.excerpt(run.result.receivedResponse?.body) { blocks.append(.code(excerpt)) }
        return blocks
    }

    /// The redirects that the attempts followed, with their bodies, each different one once.
    private static func redirects(of run: RecordedRun) -> [ReportBlock] {
        var (blocks, shown): ([ReportBlock], [String]) = ([], [])
        for redirect in (run.result.prepared?.redirects ?? []).prefix(maximumRedirects) {
            let (status, target) = (StatusCode.words(redirect.statusCode), LogMask.url(redirect.target))
            let time = TimeText.duration(redirect.duration)
            blocks.append(
                .text("Attempt \(redirect.attempt): \(status) → \(redirect.method.rawValue) \(target), \(time)."))
            guard let excerpt = Self.excerpt(redirect.body), !shown.contains(excerpt) else { continue }
            shown.append(excerpt)
            blocks.append(.code(excerpt))
        }
        return blocks
    }

    /// Returns the trace of a run, its page and the spans of its attempts; nil for a run that was not traced.
    private static func trace(of run: RecordedRun) -> String? {
        let attempts = run.result.report?.attempts ?? []
        guard let trace = attempts.last(where: { $0.trace != nil })?.trace else { return nil }
        let spans = attempts.compactMap { attempt in attempt.trace.map { "\(attempt.number): \($0.spanID)" } }
        let page = run.result.tracePage.map { " (\($0))" } ?? ""
        return "Trace \(trace.traceID)\(page), spans of the attempts \(spans.joined(separator: ", "))."
    }

    /// The bodies of attempts that another one followed, each different one once.
    private static func responses(_ attempts: [AttemptReport]) -> [ReportBlock] {
        var (blocks, shown): ([ReportBlock], [String]) = ([], [])
        for index in attempts.indices where attempts.isFollowed(index) && shown.count < maximumAttempts {
            guard let excerpt = Self.excerpt(attempts[index].received?.body), !shown.contains(excerpt) else { continue }
            shown.append(excerpt)
            blocks += [.text("Response to attempt \(attempts[index].number):"), .code(excerpt)]
        }
        return blocks
    }

    /// Returns the start of a text; nil for no body, and one that is no text.
    private static func excerpt(_ body: Data?) -> String? {
        guard let body, !body.isEmpty, let text = String(validating: body, as: UTF8.self) else { return nil }
        let excerpt = text.prefix(maximumExcerpt)
        return String(excerpt) + (excerpt.endIndex < text.endIndex ? "…" : "")
    }

    private static func row(_ attempt: AttemptReport) -> [String] {
        let wait = attempt.wait.map { wait in
            TimeText.duration(wait) + (attempt.waitReason.map { " (\(words($0)))" } ?? "")
        }
        return [
            "\(attempt.number)", TimeText.duration(attempt.startedAt), words(attempt.reason), attempt.resultText,
            TimeText.duration(attempt.duration), attempt.phaseText,
            wait ?? attempt.missedRetry?.words ?? "",
        ]
    }

    private static func words(_ reason: AttemptReport.Reason) -> String {
        switch reason {
        case .first: ""
        case .retry: "after a failure"
        case .reconnect: "reconnected"
        case .manual: "retried by hand"
        case .credentialsRefreshed: "new credentials"
        }
    }

    private static func words(_ reason: WaitReason) -> String {
        switch reason {
        case .backoff: "backoff"
        case .retryAfter: "Retry-After"
        case .reconnection: "reconnection"
        case .credentials: "credentials"
        case .breaker: "breaker"
        }
    }

    private static func result(_ entry: HistoryEntry) -> String {
        entry.status.map { status in
            switch entry.outcome {
            case .failed where status < 400: StatusCode.words(status) + ", failed"
            case .error where entry.failureKind == .status: StatusCode.words(status) + ", SLA exceeded"
            case .error where !(300..<400).contains(status): StatusCode.words(status) + ", incomplete"
            case .error: StatusCode.words(status)
            case .passed, .failed, .cancelled: StatusCode.words(status)
            }
        } ?? (entry.outcome == .cancelled ? "cancelled" : "no response")
    }
}

/// A time of a report in its parts.
struct ReportTime {
    /// `2026-11-22`
    let day: String
    /// `14:05`
    let minute: String
    /// `14:05:09`
    let second: String

    init(_ date: Date, _ clock: LocalClock) {
        let reading = clock.reading(at: date)
        (day, second) = (reading.dayText, reading.clockText)
        minute = String(second.prefix(5))
    }
}

/// A part of a report, whatever it is written in.
enum ReportBlock: Equatable {
    /// - level: from 1.
    case heading(Int, String)
    case text(String)
    case table([String], rows: [[String]])
    /// Lines as they are, such as a command.
    case code(String)
}

/// A report in Markdown (CommonMark with tables). Nothing in it is taken for markup that was not written here.
enum MarkdownReport {
    static func text(_ blocks: [ReportBlock]) -> String {
        blocks.map(text).joined(separator: "\n\n") + "\n"
    }

    private static func text(_ block: ReportBlock) -> String {
        switch block {
        case .heading(let level, let text): String(repeating: "#", count: level) + " " + escaped(text)
        case .text(let text): escaped(text)
        case .table(let header, let rows):
            ([header, header.map { _ in "---" }] + rows).enumerated().map { index, cells in
                "| " + cells.map { index == 1 ? $0 : escaped($0) }.joined(separator: " | ") + " |"
            }.joined(separator: "\n")
        case .code(let text): code(SafeText.lines(text))
        }
    }

    /// A fence that is longer than any in the text.
    private static func code(_ text: String) -> String {
        var (longest, run) = (2, 0)
        for byte in text.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        return fence + "\n" + text + "\n" + fence
    }

    /// One line without markup.
    static func escaped(_ text: String) -> String {
        // A mark behind a sign makes one character with it, and the sign stays markup.
        SafeText.line(text).unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case "\\", "`", "*", "_", "[", "]", "|", "~", "#", "$": result += "\\" + String(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}

/// A report as one file of HTML that needs no other, and may load none.
enum HTMLReport {
    static func text(_ blocks: [ReportBlock], title: String) -> String {
        page(title: title, content: blocks.map(text).joined(separator: "\n"))
    }

    /// - Parameters:
    ///   - style: rules that only this page needs.
    ///   - content: markup.
    static func page(title: String, style: String = "", content: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(escaped(title))</title>
        <style>
        :root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --shade: #f3f5f7; --line: #d0d7de; }
        @media screen and (prefers-color-scheme: dark) {
        :root { --ink: #e6edf3; --paper: #0d1117; --shade: #1b222b; --line: #3d444d; }
        }
        body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }
        body { color: var(--ink); background: var(--paper); overflow-wrap: break-word; }
        .t { overflow-x: auto; margin: 1em 0; }
        table { border-collapse: collapse; }
        th, td { border: 1px solid var(--line); padding: 3px 9px; text-align: left; vertical-align: top; }
        td { max-width: 24em; }
        th, pre { background: var(--shade); }
        pre { padding: 9px; white-space: pre-wrap; overflow-wrap: anywhere; }
        @media print { body { margin: 0; max-width: none; } th, td { font-size: 11px; } td { overflow-wrap: anywhere; } }
        \(style)</style>
        </head>
        <body>
        \(content)
        </body>
        </html>

        """
    }

    static func text(_ block: ReportBlock) -> String {
        switch block {
        case .heading(let level, let text): "<h\(level)>\(escaped(text))</h\(level)>"
        case .text(let text): "<p>\(escaped(text))</p>"
        case .code(let text): "<pre>\(SafeText.lines(text, each: escaped))</pre>"
        case .table(let header, let rows):
            "<div class=\"t\"><table>\n<tr>" + header.map { "<th>\(escaped($0))</th>" }.joined() + "</tr>\n"
                + rows.map { "<tr>" + $0.map { "<td>\(escaped($0))</td>" }.joined() + "</tr>\n" }.joined()
                + "</table></div>"
        }
    }

    /// One line without markup, for content and attributes.
    static func escaped(_ text: String) -> String {
        var writer = MarkupWriter()
        writer.add(text: text)
        return writer.string
    }
}
