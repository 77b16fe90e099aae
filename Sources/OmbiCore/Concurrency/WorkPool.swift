import OmbiPlatform

/// Threads for foreign code that may take long: decoders, validators, handlers, continuations of waits.
///
/// Blocks start in submission order, as many at a time as there are processors. When long-running blocks occupy all
/// threads, another thread joins, and so on, so that no block waits for long behind code that blocks.
///
/// Not on Dispatch's global queues: their threads are few and shared by the whole program, and a block that occupies
/// them would delay every deadline and every result. Serial queues get threads of their own.
final class WorkPool: Sendable {
    static let shared = WorkPool(width: max(2, Processors.count))

    typealias Block = @Sendable () -> Void

    private struct State {
        var blocks = Fifo<Block>()
        var threads = 0
        /// Queues without a thread.
        var idle: [DispatchQueue] = []
        /// The number of blocks started since the pool was created.
        var begun = 0
        var isWatched = false
    }

    private let width: Int
    /// The maximum time that blocks may wait without any being started.
    private let patience: DispatchTimeInterval
    private let state = Lock(State())
    private let watch = DispatchQueue(label: "ombi.watch", qos: .userInitiated)

    init(width: Int, patience: DispatchTimeInterval = .milliseconds(10)) {
        self.width = width
        self.patience = patience
    }

    func run(_ block: @escaping Block) {
        let (queue, watches) = state.withLock { state in
            state.blocks.append(block)
            if state.threads < width { return (Self.join(&state), false) }
            return (nil, !exchange(&state.isWatched, with: true))
        }
        if let queue { queue.async { self.work(queue) } }
        if watches { watch(begun: state.withLock { $0.begun }) }
    }

    private static func join(_ state: inout State) -> DispatchQueue? {
        state.threads += 1
        return state.idle.popLast() ?? DispatchQueue(label: "ombi.work", qos: .userInitiated)
    }

    private func work(_ queue: DispatchQueue) {
        while let block = next(queue) { block() }
    }

    private func next(_ queue: DispatchQueue) -> Block? {
        state.withLock { state in
            guard let block = state.blocks.popFirst() else {
                state.threads -= 1
                state.idle.append(queue)
                return nil
            }
            state.begun += 1
            return block
        }
    }

    /// Checks after `patience` whether a block has started; if none has, another thread joins.
    private func watch(begun: Int) {
        watch.asyncAfter(deadline: .now() + patience) {
            let (queue, now) = self.state.withLock { state in
                guard !state.blocks.isEmpty else {
                    state.isWatched = false
                    return (nil as DispatchQueue?, nil as Int?)
                }
                return (state.begun == begun ? Self.join(&state) : nil, state.begun)
            }
            if let queue { queue.async { self.work(queue) } }
            if let now { self.watch(begun: now) }
        }
    }
}

package enum Processors {
    /// The number of processors online at first use, at least 1.
    package static let count = max(Int(sysconf(CInt(_SC_NPROCESSORS_ONLN))), 1)
}

/// The task-local values of the place where it was created, for tasks that other threads start later.
///
/// Swift copies the values only into tasks that start where they are set. A task of its own therefore waits there, and
/// starts the others. It retains nothing, and ends when the context is released.
final class TaskContext: Sendable {
    private let jobs: AsyncStream<@Sendable () -> Void>.Continuation

    init() {
        let (stream, jobs) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
        self.jobs = jobs
        Task { for await job in stream { job() } }
    }

    deinit { jobs.finish() }

    fileprivate func run(_ job: @escaping @Sendable () -> Void) { jobs.yield(job) }
}

/// A Swift task that can be cancelled before it starts.
final class LaterTask: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let state = Lock(State())

    /// - Parameter context: The task-local values of the task; nil for the caller's.
    init(in context: TaskContext?, _ body: @escaping @Sendable () async -> Void) {
        if let context { context.run { self.begin(body) } } else { begin(body) }
    }

    /// A task that is cancelled before runs nothing.
    private func begin(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            if !state.isCancelled { state.task = Task { await body() } }
        }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task.take()
        }
        task?.cancel()
    }
}

/// A first-in, first-out queue. Removing an element does not move the others.
struct Fifo<Element> {
    private var elements: [Element?] = []
    private var start = 0

    var count: Int { elements.count - start }
    var isEmpty: Bool { count == 0 }
    var first: Element? { start < elements.count ? elements[start] : nil }

    /// The element at an offset from the front; nil past the end.
    subscript(offset: Int) -> Element? { offset < count ? elements[start + offset] : nil }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Adds an element at the front. Moves all others; for rare use.
    mutating func prepend(_ element: Element) {
        compact()
        elements.insert(element, at: 0)
    }

    mutating func popFirst() -> Element? {
        guard start < elements.count else { return nil }
        let element = elements[start]
        elements[start] = nil
        start += 1
        if start == elements.count {
            elements.removeAll(keepingCapacity: start <= 64)
            start = 0
        } else if start >= 64, start * 2 >= elements.count {
            compact()
        }
        return element
    }

    mutating func removeAll(where isRemoved: (Element) -> Bool) {
        compact()
        elements.removeAll { element in element.map(isRemoved) ?? true }
    }

    private mutating func compact() {
        elements.removeFirst(start)
        start = 0
    }
}

extension Fifo: Sendable where Element: Sendable {}
