import OmbiCore

// sample: WatchingARun/words
func words(_ event: RequestEvent) -> String? {
    switch event {
    case .attemptStarted(let number, let attempts, _): "attempt \(number) of \(attempts)"
    case .headReceived(_, let head, _): StatusCode.words(head.statusCode)
    case .waiting(let attempt, let until, _, let at): "attempt \(attempt) starts in \(until - at)"
    case .finished(let report): "\(report.outcome) after \(report.duration)"
    default: nil
    }
}
// end

// sample: WatchingARun/partial
func showBeginning(of task: some RequestHandle) async {
    for await case .bodyStarted(_, let store, _) in task.events {
        let beginning = store.withUnsafeBytes { String(decoding: $0.prefix(80), as: UTF8.self) }
        print("\(store.count) bytes so far: \(beginning)")
    }
}
// end

enum Watching {
    static func callback(_ manager: RequestManager) -> RequestTask<UserByID> {
        // sample: WatchingARun/callback
        let task = manager.send(
            UserByID(id: 42), retry: RetryPolicy(retries: 3), sla: .seconds(5), on: .main,
            handler: { result in print(result) },
            onEvent: { event in print(event) })
        // end
        return task
    }

    static func events(of task: some RequestHandle, print: (String) -> Void) async {
        // sample: WatchingARun/events
        for await event in task.events {
            if let line = words(event) { print(line) }
        }
        // end
    }

    static func publisher(of task: some RequestHandle) -> AnyCancellable {
        // sample: WatchingARun/publisher
        let subscription = task.eventPublisher
            .compactMap(words)
            .sink { line in print(line) }
        // end
        return subscription
    }

    static func result(of task: RequestTask<UserByID>) async throws -> User {
        // sample: WatchingARun/result
        let user = try await task.value
        // end
        return user
    }

    static func stepIn(_ task: some RequestHandle) {
        // sample: WatchingARun/stepIn
        task.skipWait()  // the next attempt now instead of after the wait
        task.retryNow()  // the same, and an attempt under way is abandoned
        task.addAttempts(2)  // two more than the policy allows
        task.giveUp()  // no further attempt
        task.cancel()  // the end
        // end
    }

    static func report(of task: some RequestHandle, print: (String) -> Void) async {
        // sample: WatchingARun/report
        if let report = await task.report {
            for attempt in report.attempts {
                let waited = attempt.metrics.timings.wait
                print(
                    "\(attempt.number): \(attempt.outcome) in \(attempt.duration), \(waited) of it for the first byte")
            }
            print("\(report.outcome) after \(report.duration)")
        }
        // end
    }
}
