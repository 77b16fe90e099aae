/// A request that follows its pages: each is sent with the retries and the SLA of the request, and all are joined to
/// one document.
///
/// The place of the next page is kept until a run continues there, or another one begins at the first page.
final class PagesExchange: Exchange {
    private let sending: Sending
    private let pages: SavedPages
    private let start = ContinuousClock.now

    private var session: Session { sending.session }
    private var request: ResolvedRequest { _read { yield sending.shared.value } }
    private var order: RunOrder { sending.order }
    private var run: SessionRun { sending.run }
    private var events: RunEvents { sending.events }

    private var joiner: PageJoiner?
    private var summary = PageSummary(count: 1)
    private var visited: Set<String> = []
    private var reports = PageReports()

    init(_ sending: Sending, _ pages: SavedPages) {
        (self.sending, self.pages) = (sending, pages)
    }

    /// The end of one page.
    private enum Step {
        case next(PageTarget)
        /// The reason why the pages end here, as a sentence, nil after the last page; and the place to continue.
        case end(String?, PageTarget?)
        /// The first page is the only one, or the run was cancelled.
        case whole(Session.Outcome)
    }

    func perform() async -> Session.Outcome {
        let mark = session.pageMarks.withLock { $0.removeValue(forKey: RequestPlace(order)) }
        var target: PageTarget?
        var left = order.pages?.maximum ?? pages.maximum ?? SavedPages.standardMaximum
        if order.continuesPages, let mark {
            target = mark.target
            (joiner, visited, summary) = (mark.joiner, mark.visited, mark.pages)
            summary.hasMore = false
            if let problem = begin() { return end(problem, next: mark.target) }
        }
        while true {
            if target != nil, run.isCancelled { return stopped(at: target) }
            let step = await page(at: target)
            left -= 1
            switch step {
            case .whole(let outcome): return outcome
            case .end(let problem, let next): return end(problem, next: next)
            case .next(let next) where left <= 0: return end(nil, next: next)
            case .next(let next):
                if joiner?.store == nil, let problem = begin() { return end(problem, next: next) }
                target = next
            }
        }
    }

    /// Ends a finished run with the pages so far, or a cancelled one without a response.
    private func stopped(at target: PageTarget?) -> Session.Outcome {
        if run.isFinished { return end(nil, next: target) }
        var report = reports.report(.now - start, isOnePage: false, nil)
        report.outcome = .cancelled
        events.emit(.finished(report))
        return Session.Outcome(ending: .failure(.cancelled), report: report, firstPage: reports.first)
    }

    // MARK: A page

    private func page(at target: PageTarget?) async -> Step {
        let resolved = target.map(request.page) ?? request
        let url = resolved.url?.absoluteString ?? ""
        let number = target == nil ? 1 : summary.count + 1
        if target != nil {
            if let refusal = refusal(of: resolved, url, number) { return .end(refusal, nil) }
            var upcoming = summary
            upcoming.count = number
            events.emit(.page(upcoming))
        }
        let outcome = await send(resolved, isForeign: target?.isForeign ?? false)
        switch outcome.ending {
        case .failure where target == nil: return whole(outcome)
        case .failure(.cancelled): return .whole(stopped(at: target))
        case .failure(let error): return .end("page \(number): \(error.description)", target)
        case .success(let response):
            let status = response.statusCode ?? 0
            if status >= 400 {
                return target == nil ? whole(outcome) : .end("page \(number): \(StatusCode.words(status))", target)
            }
            visited.insert(url)
            return join(response, resolved, target, number)
        }
    }

    private func whole(_ outcome: Session.Outcome) -> Step {
        if let report = outcome.report { events.emit(.finished(report)) }
        return .whole(outcome)
    }

    private func join(
        _ response: TransportResponse, _ resolved: ResolvedRequest, _ target: PageTarget?, _ number: Int
    ) -> Step {
        let page = PageReader(response, pages)
        do throws(PageReader.Failure) {
            if joiner == nil { joiner = try PageJoiner(page) } else { try joiner?.add(page) }
            let count = joiner?.pageCount
            summary.count = number
            if number == 1 { summary.expected = page.expected(itemsOfFirst: count) }
            grow()
            let next = try page.next(
                after: resolved, first: request, joined: joiner?.count ?? 0, count: count)
            return next.map { .next(PageTarget(place: $0, isForeign: isForeign($0, after: target))) } ?? .end(nil, nil)
        } catch {
            if joiner == nil { joiner = PageJoiner(whole: response) }
            return .end("page \(number): \(error.reason)", nil)
        }
    }

    /// As with redirects, pages that have left the origin receive none of its credentials, even if they lead back.
    private func isForeign(_ place: PageTarget.Place, after target: PageTarget?) -> Bool {
        if target?.isForeign ?? false { return true }
        guard case .url(let url) = place, let origin = request.url else { return false }
        return !url.hasOrigin(of: origin)
    }

    /// The reason why a page is not requested, as a sentence.
    private func refusal(of page: ResolvedRequest, _ url: String, _ number: Int) -> String? {
        let shown = LogMask.url(url).excerpt(200)
        if visited.contains(url) {
            return "page \(number) would be \(shown) again, which was requested before: the pages end here"
        }
        if page.isForeign, SecretForms.isAny(of: request.secrets, in: url) {
            return "page \(number) is at another origin, whose URL would have a secret of this request"
        }
        guard page.isForeign, !request.isForeign, ![.get, .head].contains(page.method) else { return nil }
        return "page \(number) is at another origin, \(shown): only GET and HEAD go there"
    }

    private func send(_ resolved: ResolvedRequest, isForeign: Bool) async -> Session.Outcome {
        var page = sending
        page.shared = SharedRequest(resolved, shownAs: sending.shared.prepared)
        page.parts = resolved.guarded(by: session.steps.gate, file: order.file)
        if isForeign { (page.authenticator, page.trace) = (nil, nil) }
        let events = PageEvents(
            offset: .now - start, attempts: reports.count, passesBody: joiner == nil, onEvent: self.events.receive)
        let outcome = await HTTPExchange(sending: page).watched { events.receive($0) }
        reports.add(outcome.report, events)
        return outcome
    }

    // MARK: The document

    /// Begins the joined document, and shows it. Returns the reason why there is no room for it.
    private func begin() -> String? {
        do throws(TransportError) { try joiner?.begin() } catch { return error.description }
        guard let joiner, let store = joiner.store else { return nil }
        let (head, at) = (joiner.responseHead, ContinuousClock.now - start)
        events.emit(.page(summary))
        events.emit(.headReceived(attempt: max(1, reports.count), head, at: at))
        events.emit(.bodyStarted(attempt: max(1, reports.count), store, at: at))
        grow()
        return nil
    }

    private func grow() {
        guard let store = joiner?.store else { return }
        events.emit(
            .bodyReceived(
                attempt: max(1, reports.count), bytes: store.count, expected: nil, at: .now - start))
    }

    // MARK: The end

    private func end(_ problem: String?, next: PageTarget?) -> Session.Outcome {
        guard var joiner else { return Session.Outcome(ending: .failure(.cancelled), report: nil) }
        let response = joiner.end()
        summary.hasMore = next != nil
        if let next, order.keepsPlace {
            let mark = PageMark(target: next, joiner: joiner, visited: visited, pages: summary)
            session.pageMarks.withLock { $0[RequestPlace(order)] = mark }
        }
        let report = reports.report(.now - start, isOnePage: summary.count == 1, problem)
        events.emit(.finished(report))
        return Session.Outcome(
            ending: .success(response), report: report, pages: summary, problem: problem, firstPage: reports.first)
    }
}

/// Converts the events of a page to events of the whole run: with its times and attempt numbers, and without its body,
/// which is part of the joined document.
struct PageEvents: Sendable {
    /// The time at which the page was requested.
    let offset: Duration
    /// The number of attempts before it.
    let attempts: Int
    /// True if the body is shown while it arrives.
    let passesBody: Bool
    let onEvent: @Sendable (SessionEvent) -> Void

    func receive(_ event: RequestEvent) { if let event = shifted(event) { onEvent(.step(event)) } }

    private func shifted(_ event: RequestEvent) -> RequestEvent? {
        switch event {
        case .attemptStarted(let number, let count, let at):
            return .attemptStarted(number: number + attempts, attempts: count + attempts, at: at + offset)
        case .authenticating(let attempt, let at):
            return .authenticating(attempt: attempt + attempts, at: at + offset)
        case .phaseReached(let attempt, let phase, let at):
            return .phaseReached(attempt: attempt + attempts, phase: phase, at: at + offset)
        case .bodySent(let attempt, let bytes, let expected, let at):
            return .bodySent(attempt: attempt + attempts, bytes: bytes, expected: expected, at: at + offset)
        case .headReceived, .bodyStarted, .bodyReceived: return passesBody ? event : nil
        case .refreshingCredentials(let attempt, let at):
            return .refreshingCredentials(attempt: attempt + attempts, at: at + offset)
        case .attemptFinished(let report): return .attemptFinished(shifted(report))
        case .waiting(let attempt, let until, let reason, let at):
            return .waiting(attempt: attempt + attempts, until: until + offset, reason: reason, at: at + offset)
        case .attemptsAdded(let count, let at): return .attemptsAdded(attempts: count + attempts, at: at + offset)
        case .fallbackUsed(let at): return .fallbackUsed(at: at + offset)
        // The run is finished with its last page.
        case .redirected, .finished: return nil
        }
    }

    func shifted(_ report: AttemptReport) -> AttemptReport {
        var report = report
        report.number += attempts
        report.startedAt += offset
        return report
    }
}

/// The attempts of all pages of a run.
struct PageReports {
    private(set) var first: RequestReport?
    private var attempts: [AttemptReport] = []
    /// The number of attempts, with those that are not kept.
    private(set) var count = 0

    /// The attempts that are kept, as in `RequestReport.attempts`.
    private static let maximumAttempts = 100

    mutating func add(_ report: RequestReport?, _ events: PageEvents) {
        guard let report else { return }
        if first == nil { first = report }
        count += report.attemptCount
        attempts += report.attempts.map(events.shifted)
        attempts.removeFirst(max(0, attempts.count - Self.maximumAttempts))
        // The joined body has the pages that came.
        for index in attempts.indices where attempts[index].outcome == .succeeded { attempts[index].omitBody() }
        AttemptBodies.limit(&attempts)
    }

    /// Returns the report of the whole run. An SLA holds for each page, so only a run of one has it.
    func report(_ duration: Duration, isOnePage: Bool, _ problem: String?) -> RequestReport {
        RequestReport(
            attempts: attempts, attemptCount: count, duration: duration, sla: isOnePage ? first?.sla : nil,
            outcome: problem.map { .failed($0) } ?? .succeeded, request: first?.request)
    }
}

/// The place at which the next run continues the document of the last one.
struct PageMark: Sendable {
    var target: PageTarget
    var joiner: PageJoiner
    var visited: Set<String>
    var pages: PageSummary
}
