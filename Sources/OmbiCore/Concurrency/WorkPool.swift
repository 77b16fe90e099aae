import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Threads for code of others, which may take its time: decoders, validators, handlers, the ends of waits.
///
/// Blocks begin in the order in which they come, as many at a time as there are processors. When all threads are taken
/// by blocks that go on and on, another thread joins, and so on, so that nothing waits for long behind code that waits.
///
/// Not on Dispatch's global queues: their threads are few and belong to the whole program, and whoever blocks them
/// would hold up every deadline and every result. Serial queues get threads of their own.
final class WorkPool: Sendable {
    static let shared = WorkPool(width: max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    typealias Block = @Sendable () -> Void

    private struct State {
        var blocks = BlockQueue()
        var threads = 0
        /// Queues without a thread.
        var idle: [DispatchQueue] = []
        /// Blocks that have begun since the pool was made.
        var begun = 0
        var isWatched = false
    }

    private let width: Int
    /// The longest time that waiting blocks may see none begin.
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
            defer { state.isWatched = true }
            return (nil, !state.isWatched)
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

    /// Looks after a while whether a block has begun; if none has, another thread joins.
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

/// Blocks in order, taken from the front without moving the others each time.
private struct BlockQueue {
    private var blocks: [WorkPool.Block?] = []
    private var first = 0

    var isEmpty: Bool { first == blocks.count }

    mutating func append(_ block: @escaping WorkPool.Block) { blocks.append(block) }

    mutating func popFirst() -> WorkPool.Block? {
        guard first < blocks.count else { return nil }
        defer {
            blocks[first] = nil
            first += 1
            if first == blocks.count {
                blocks.removeAll(keepingCapacity: first < 1024)
                first = 0
            } else if first >= 1024, first > blocks.count / 2 {
                blocks.removeFirst(first)
                first = 0
            }
        }
        return blocks[first]
    }
}
