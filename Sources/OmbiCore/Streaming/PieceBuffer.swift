/// A buffer of body pieces between the transport and a reader: pauses the transport if the reader falls behind.
final class PieceBuffer: Sendable {
    /// The size in bytes above which the transport is paused; it resumes at a quarter of it.
    static let highWaterMark = 256 * 1024

    private typealias Waiter = CheckedContinuation<Void, Never>

    private struct State {
        var pieces = Fifo<Data>()
        var byteCount = 0
        /// The result after the last piece; nil before.
        var end: Result<Void, TransportError>?
        var waiters: [Waiter] = []
        var task: (any TransportTask)?
        /// True while the reader is behind.
        var isFull = false
        /// True while a reader has not caught up.
        var isHeld = false
        var wantsPause: Bool { isFull || isHeld }
        /// The last state requested of the transport.
        var isPaused = false
        /// True while a thread pauses or resumes the transport; it checks the state again afterwards.
        var isSwitching = false
        var onOver: (@Sendable () -> Void)?
        /// True if everything has arrived and was read.
        var isOver: Bool { end != nil && pieces.isEmpty }

        mutating func takeOnOver() -> (@Sendable () -> Void)? {
            isOver ? onOver.take() : nil
        }

        mutating func takeWaiters() -> [Waiter] { exchange(&waiters, with: []) }

        mutating func takePiece() -> Data? {
            guard let piece = pieces.popFirst() else { return nil }
            byteCount -= piece.count
            if byteCount <= PieceBuffer.highWaterMark / 4 { isFull = false }
            return piece
        }

        mutating func takePieces() -> [Data]? {
            var taken: [Data] = []
            while let piece = takePiece() { taken.append(piece) }
            return taken.isEmpty ? nil : taken
        }
    }

    private let state = Lock(State())

    convenience init(_ whole: Data) {
        self.init()
        append(whole)
        finish(.success(()))
    }

    /// Sets the task to pause, resume and cancel.
    func setTask(_ task: any TransportTask) {
        let isOver = state.withLock { state in
            if state.end == nil { state.task = task }
            if case .failure(let error) = state.end, error.code == .cancelled { return true }
            return false
        }
        if isOver { task.cancel() } else { switchTask() }
    }

    /// True while no reader has started.
    func setHeld(_ isHeld: Bool) {
        state.withLock { $0.isHeld = isHeld }
        switchTask()
    }

    /// Calls `block` once everything has arrived and was read, which may be at once.
    func whenOver(_ block: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.onOver = block }
            return state.isOver
        }
        if isOver { block() }
    }

    func append(_ piece: Data) {
        guard !piece.isEmpty else { return }
        let waiters = state.withLock { state -> [Waiter] in
            guard state.end == nil else { return [] }
            state.pieces.append(piece)
            state.byteCount += piece.count
            if state.byteCount > Self.highWaterMark { state.isFull = true }
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
        switchTask()
    }

    func finish(_ end: Result<Void, TransportError>) {
        let (waiters, task) = state.withLock { state -> ([Waiter], (any TransportTask)?) in
            guard state.end == nil else { return ([], nil) }
            state.end = end
            return (state.takeWaiters(), state.task.take())
        }
        withExtendedLifetime(task) {}
        for waiter in waiters { waiter.resume() }
        state.withLock { $0.takeOnOver() }?()
    }

    /// Ends the transfer; unread pieces are dropped. Harmless after the end.
    func cancel() {
        let (before, waiters) = state.withLock { state in
            let before = state
            state.pieces = Fifo()
            (state.byteCount, state.task) = (0, nil)
            if before.end == nil || !before.pieces.isEmpty { state.end = .failure(TransportError.cancelled) }
            return (before, state.takeWaiters())
        }
        before.task?.cancel()
        for waiter in waiters { waiter.resume() }
        state.withLock { $0.takeOnOver() }?()
    }

    func next() async throws(TransportError) -> Data? { try await take { $0.takePiece() } }

    /// Returns all available pieces; nil after the last ones.
    func nextPieces() async throws(TransportError) -> [Data]? { try await take { $0.takePieces() } }

    private func take<Taken>(_ takePieces: (inout State) -> Taken?) async throws(TransportError) -> Taken? {
        while true {
            if Task.isCancelled {
                cancel()
                throw TransportError.cancelled
            }
            let (taken, end) = state.withLock { state -> (Taken?, Result<Void, TransportError>?) in
                let taken = takePieces(&state)
                return (taken, taken == nil ? state.end : nil)
            }
            if let taken {
                switchTask()
                state.withLock { $0.takeOnOver() }?()
                return taken
            }
            if let end {
                try end.get()
                return nil
            }
            await wait()
        }
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: Waiter) in
                let isReady = state.withLock { state in
                    let isReady = !state.pieces.isEmpty || state.end != nil
                    if !isReady { state.waiters.append(continuation) }
                    return isReady
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Pauses or resumes the transport, outside the lock, until it has the wanted state: a pause and a resume of two
    /// threads must not overtake each other.
    private func switchTask() {
        while let (task, pauses) = beginSwitch() {
            if pauses { task.pause() } else { task.resume() }
            state.withLock { state in
                state.isPaused = pauses
                state.isSwitching = false
            }
        }
    }

    private func beginSwitch() -> (any TransportTask, pauses: Bool)? {
        state.withLock { state in
            guard let task = state.task, !state.isSwitching, state.isPaused != state.wantsPause else { return nil }
            state.isSwitching = true
            return (task, state.wantsPause)
        }
    }
}
