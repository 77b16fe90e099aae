/// The events of one run as an async sequence: always from the start of the run to `RequestEvent.finished`. Ends early
/// when the iterating task is cancelled.
public struct RequestEvents: AsyncSequence, Sendable {
    public typealias Element = RequestEvent
    public typealias Failure = Never

    let run: RequestRun

    public func makeAsyncIterator() -> Iterator { Iterator(run: run) }

    /// An iterator over the events from the first one, which waits for further ones.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let run: RequestRun
        private var index = 0

        init(run: RequestRun) { self.run = run }

        public mutating func next() async -> RequestEvent? {
            while !Task.isCancelled {
                switch run.read(index) {
                case .event(let event, let next):
                    index = next
                    return event
                case .end: return nil
                case .nothingYet: await waitForNext()
                }
            }
            return nil
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> RequestEvent? { await next() }

        private func waitForNext() async {
            let index = index
            let run = run
            let waiter = Lock<Int?>(nil)
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let number = run.wait(for: index) { continuation.resume() }
                    waiter.withLock { $0 = number }
                    if Task.isCancelled, let number { run.wake(number) }
                }
            } onCancel: {
                if let number = waiter.withLock({ $0 }) { run.wake(number) }
            }
        }
    }
}
