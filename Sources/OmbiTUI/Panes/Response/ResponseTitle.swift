/// The status line of a response: `─ 200 OK · 143 ms · 2.1 kB ─ 2nd of 4 attempts`, and `─ staging ─ 200 OK` while
/// another environment is in use.
enum ResponseTitle {
    /// - Parameters:
    ///   - environment: the one that it was sent to, where another is in use.
    ///   - now: the time of the program, for the age of a run of an earlier session.
    ///   - columns: the room; where it is too small for all, the status is its number.
    static func spans(
        _ run: RunState, from environment: String? = nil, now: Duration = .zero, columns: Int = .max
    ) -> [Span] {
        if let example = run.example { return fitting(self.example(example), columns) }
        let owner = name(of: environment)
        let end = shown(run) { StatusCode.words($0) }
        let spans = recorded(run, now) + owner + end
        guard width(of: spans) > columns else { return spans }
        let short = recorded(run, now, namesAge: false) + owner
        let shorter = short + end
        guard width(of: shorter) > columns else { return shorter }
        return fitting(short + shown(run) { "\($0)" }, columns)
    }

    private static func shown(_ run: RunState, _ words: (Int) -> String) -> [Span] {
        if let opened = run.opened { return attempt(opened, of: run, words) }
        return ending(run, words) + fallback(run)
    }

    /// `attempt 2 of 3 ─ 503 Service Unavailable · 12 ms · 2.1 kB`
    private static func attempt(_ attempt: AttemptReport, of run: RunState, _ words: (Int) -> String) -> [Span] {
        let count = run.finished.last?.number ?? attempt.number
        let redirect = run.openedHop.map { "redirect \($0.place) of \($0.count), " } ?? ""
        let place = [dim(" ─ "), Span(text: redirect + "attempt \(attempt.number) of \(count)", role: .warning)]
        let time = TimeText.duration(attempt.duration)
        guard let received = attempt.received, let status = received.statusCode else {
            return place + [dim(" ─ "), Span(text: "no response", role: .failure), dim(" · " + time)]
        }
        let size = TimeText.size(attempt.omittedBody ?? received.body?.count ?? 0)
        return place + [
            dim(" ─"), chip(words(status), status),
            dim("· \(time) · \(attempt.isPartial ? "broken off after " : "")\(size)"),
        ]
    }

    /// `example Not found ─ 404 Not Found · 143 B`
    private static func example(_ example: OpenedExample) -> [Span] {
        let size = TimeText.size(example.response.body?.count ?? 0)
        let status = example.response.statusCode
        return [
            dim(" ─ "), Span(text: "example \(example.name.excerpt(40))", role: .warning), dim(" ─"),
            chip(status.map(StatusCode.words), status), dim("· " + size),
        ]
    }

    private static func name(of environment: String?) -> [Span] {
        environment.map { [dim(" ─ "), Span(text: $0.excerpt(maximumName), role: .warning)] } ?? []
    }

    /// Characters of the name of an environment: the status matters more.
    private static let maximumName = 20

    /// The first parts, as many as have room; of a long one its start is enough.
    private static func fitting(_ spans: [Span], _ columns: Int) -> [Span] {
        var spans = spans
        while spans.count > 2, let last = spans.last {
            let isSign = last.text.allSatisfy { " ·─".contains($0) }
            let needed = min(TextWidth.of(last.text), minimumPart)
            if !isSign, width(of: spans.dropLast()) + needed <= columns { break }
            spans.removeLast()
        }
        return spans
    }

    /// Fewer columns of a part say too little.
    private static let minimumPart = 12

    private static func width(of spans: some Sequence<Span>) -> Int { spans.reduce(0) { $0 + TextWidth.of($1.text) } }

    /// `fallback 1 d old`
    private static func fallback(_ run: RunState) -> [Span] {
        guard let fallback = run.fallback else { return [] }
        let words = fallback.response.map { "fallback \($0.ageWords) old" } ?? "no fallback"
        return [dim(" ─ "), Span(text: words, role: .warning)]
    }

    /// `3 of 12, 2026-11-23 08:11:07` where the history was opened, with `(3 h ago)` where there is room;
    /// `recorded 3 h ago` for the last run before this session.
    private static func recorded(_ run: RunState, _ now: Duration, namesAge: Bool = true) -> [Span] {
        guard let recorded = run.recorded else { return [] }
        if let age = recorded.age {
            let words = (age + max(.zero, now - run.startedAt)).ageWords
            return [dim(" ─ "), Span(text: "recorded \(words) ago", role: .warning)]
        }
        let place = "\(recorded.place.number) of \(recorded.place.count)"
        let age = namesAge ? recorded.openedAge.map { $0 + max(.zero, now - run.startedAt) } : nil
        let words = age.map { " (\($0.ageWords) ago)" } ?? ""
        let time = HistoryTab.time(recorded.entry.startedAt)
        return [dim(" ─ "), Span(text: "\(place), \(time)\(words)", role: .warning)]
    }

    private static func ending(_ run: RunState, _ words: (Int) -> String) -> [Span] {
        switch run.stage {
        case .preparing, .attempting, .waiting: running(run)
        case .ended(.cancelled): cancelled(run, words)
        case .ended(.failure) where run.isUnsent:
            [dim(" ─ "), Span(text: "not sent: \(run.cause ?? "")", role: .failure)]
        case .ended(.failure):
            if let partial = run.partial, let status = partial.statusCode {
                [dim(" ─"), chip(words(status), status, run.summary.mark), dim("· ")] + [incomplete(run, partial)]
                    + time(run) + attempts(run)
            } else {
                [dim(" ─ "), Span(text: "no response", role: .failure)] + received(run) + time(run) + attempts(run)
            }
        case .ended(.response(let response)): ending(run, response, words)
        }
    }

    /// `receiving 12.3 MB of 100 MB · 45 MB/s`
    private static func running(_ run: RunState) -> [Span] {
        if let pages = run.pages {
            let received = run.received > 0 ? " · " + TimeText.size(run.received) : ""
            return [dim(" ─ "), Span(text: pages.position + received, role: .running)]
        }
        if let sending = run.sending {
            return [dim(" ─ "), Span(text: "sending \(sending.text)", role: .running)]
        }
        if run.isOpenEnded, run.stage == .attempting { return stream(run) }
        guard run.bodyStartedAt != nil else { return [dim(" ─ "), Span(text: "running", role: .running)] }
        let expected = run.expected.map { " of " + TimeText.size($0) } ?? ""
        let rate = run.rate.map { " · " + TimeText.size($0) + "/s" } ?? ""
        return [dim(" ─ "), Span(text: "receiving \(TimeText.size(run.received))\(expected)\(rate)", role: .running)]
    }

    /// `200 OK · streaming 2.1 kB`
    private static func stream(_ run: RunState) -> [Span] {
        let status = run.head?.statusCode
        return [
            dim(" ─"), chip(status.map(StatusCode.words), status), dim("· "),
            Span(text: "streaming \(TimeText.size(run.received))", role: .running),
        ]
    }

    /// `broken off after 1.0 kB of 100 kB`
    private static func incomplete(_ run: RunState, _ partial: TransportResponse) -> Span {
        let words: String
        if let last = run.finished.last, last.failedWithWholeResponse {
            let words = last.errorCode == nil ? "SLA exceeded" : "no WebSocket"
            return Span(text: last.isUnfollowedRedirect ? "redirect not followed" : words, role: .failure)
        }
        switch run.finished.last?.errorCode {
        case .timedOut: words = "timed out"
        case .connectionLost: words = "broken off"
        case .malformedResponse: words = "invalid"
        default: words = "incomplete"
        }
        let isEncoded = partial[.contentEncoding] != nil
        let length = isEncoded ? nil : partial[.contentLength].flatMap { Int($0.text) }
        let all = length.map { " of " + TimeText.size($0) } ?? ""
        return Span(text: "\(words) after \(TimeText.size(partial.body?.count ?? 0))\(all)", role: .failure)
    }

    /// `200 OK · cancelled after 1.0 kB of 100 kB`
    private static func cancelled(_ run: RunState, _ words: (Int) -> String) -> [Span] {
        guard let status = run.head?.statusCode else {
            return [dim(" ─ "), Span(text: "cancelled", role: .warning)] + received(run)
        }
        let all = run.expected.map { " of " + TimeText.size($0) } ?? ""
        let size = run.viewer == nil ? "" : " after \(TimeText.size(run.received))\(all)"
        return [
            dim(" ─"), chip(words(status), status, run.summary.mark), dim("· "),
            Span(text: "cancelled" + size, role: .warning),
        ]
    }

    /// The size received so far of a body that is not whole.
    private static func received(_ run: RunState) -> [Span] {
        run.viewer == nil ? [] : [dim(" · \(TimeText.size(run.received)) of the body")]
    }

    private static func ending(
        _ run: RunState, _ response: TransportResponse, _ words: (Int) -> String
    ) -> [Span] {
        let status = response.statusCode
        let size = TimeText.size(response.body?.count ?? 0)
        let isError = status.map { $0 >= 400 } ?? false
        let met = isError && run.failures.isEmpty ? [dim("·"), Span(text: " ✓ expected ", role: .success)] : []
        let time = time(run, lead: "· ")
        return [dim(" ─"), chip(status.map(words), status, run.summary.mark)] + met + time + [
            dim((time.isEmpty ? "· " : " · ") + size)
        ]
            + first(run) + pages(run) + attempts(run) + captured(run) + verdict(run)
    }

    /// ` · after log in`
    private static func first(_ run: RunState) -> [Span] {
        guard !run.dependencies.isEmpty else { return [] }
        return [dim(" · after \(run.dependencies.map(\.run.name).joined(separator: ", "))")]
    }

    private static func captured(_ run: RunState) -> [Span] {
        run.captured.isEmpty ? [] : [dim(" · captured \(run.captured.map(\.name).joined(separator: ", "))")]
    }

    /// The capture that found nothing, the expectation that was not met, or the number of those that were; an error status
    /// speaks for itself.
    private static func verdict(_ run: RunState) -> [Span] {
        let isLoss = { (failure: String) in
            failure.hasPrefix("captured") || run.pages != nil && failure.hasPrefix("page ")
        }
        if let lost = run.failures.first(where: isLoss) {
            return [dim(" · "), Span(text: "✗ " + lost, role: .failure)]
        }
        guard let unmet = run.expectations.first(where: { !$0.isMet }) else {
            return run.expectations.count > 1
                ? [dim(" · "), Span(text: "✓ " + run.expectations.words, role: .success)] : []
        }
        let words = run.expectations.count > 1 ? run.expectations.words : unmet.sentence
        return [dim(" · "), Span(text: "✗ " + words, role: .failure)]
    }

    private static func time(_ run: RunState, lead: String = " · ") -> [Span] {
        run.report.map { [dim(lead + TimeText.duration($0.duration))] } ?? []
    }

    /// The status on its colour, which reaches over the spaces beside it.
    private static func chip(_ words: String?, _ status: Int?, _ mark: RunSummary.Mark = .running) -> Span {
        Span(text: " \(words ?? "no status") ", role: .forStatus(status, mark), traits: [.reverse])
    }

    private static func pages(_ run: RunState) -> [Span] {
        run.pages.map { [dim(" · " + $0.words)] } ?? []
    }

    private static func attempts(_ run: RunState) -> [Span] {
        guard run.pages == nil, run.attempts > 1, !run.finished.isEmpty else { return [] }
        let sla = run.sla > .zero ? " · SLA \(DurationText.format(run.sla))" : ""
        return [dim(" ─ attempt \(run.finished.count) of \(run.attempts)\(sla)")]
    }

    private static func dim(_ text: String) -> Span { Span(text: text, role: .dim) }
}
