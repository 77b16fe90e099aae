import Dispatch
import OmbiPlatform

#if canImport(Darwin)
import CoreFoundation
#endif

/// Waits for input, signals and the work of the main queue, all on the main thread, and sleeps otherwise.
/// After each burst it calls one hook, where the screen is drawn once.
@MainActor
package final class MainLoop {
    struct Handlers {
        var onInput: @MainActor ([InputEvent]) -> Void
        var onSignal: @MainActor (Signal) -> Void
        /// Called after a burst of input, signals and main-queue work.
        var afterEach: @MainActor () -> Void
    }

    /// False while another program (an editor) reads the terminal.
    var readsInput = true

    /// The time at which to call the hook again at the latest; nil for none.
    package var alarm: ContinuousClock.Instant?

    private var decoder = KeyDecoder()
    private let start = ContinuousClock.now
    /// Read once the first frame is out.
    private let terminalKeys: () -> [KeySequence]
    private let signals: SignalPipe?
    private var handlers: Handlers?
    private var isRunning = false
    private var inputEnded = false
    private var inputDeadline: ContinuousClock.Instant?
    /// Larger than the input queue of a terminal, and small enough that a start touches two pages of memory only.
    private var buffer = [UInt8](repeating: 0, count: 1 << 13)
    /// The maximum bytes of a key; more bytes at once are a paste.
    private static let maximumKey = 8

    /// Catches signals at once, before the loop runs; a test catches none.
    package init(terminalKeys: @escaping () -> [KeySequence] = { [] }, catchesSignals: Bool = true) {
        self.terminalKeys = terminalKeys
        signals = catchesSignals ? SignalPipe() : nil
    }

    /// Runs until `stop()`.
    package func run(
        onInput: @escaping @MainActor ([InputEvent]) -> Void,
        onSignal: @escaping @MainActor (Signal) -> Void = { _ in },
        afterEach: @escaping @MainActor () -> Void = {}
    ) {
        handlers = Handlers(onInput: onInput, onSignal: onSignal, afterEach: afterEach)
        isRunning = true
        waitAndHandle()
        handlers = nil
    }

    /// Makes `run` return after the current burst.
    package func stop() { isRunning = false }

    // MARK: Steps

    /// Reads the available input and passes it on. An empty read means that the terminal has closed.
    private func readInput() {
        let count = read(0, &buffer, buffer.count)
        if count > 0 {
            deliver(decoder.decode(buffer[..<count], at: ContinuousClock.now - start))
            // Keys pressed during a paste that does not end must not prolong it.
            if decoder.patience != KeyDecoder.pastePatience || inputDeadline == nil || count > Self.maximumKey {
                inputDeadline = decoder.patience.map { .now + $0 }
            }
        } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
            inputEnded = true
            deliver(decoder.timedOut() + [.end])
        }
    }

    /// Reads the terminal's replies to the requests at the start, without waiting for them: the first frame then has
    /// the right colours.
    private func readReply() {
        var wait = pollfd(fd: readsInput ? 0 : -1, events: Int16(POLLIN), revents: 0)
        if poll(&wait, 1, 0) > 0, wait.revents != 0 { readInput() }
    }

    private func expireInput() {
        guard let deadline = inputDeadline, deadline <= .now else { return }
        inputDeadline = nil
        deliver(decoder.timedOut(at: ContinuousClock.now - start))
    }

    private func deliver(_ events: [InputEvent]) {
        if !events.isEmpty { handlers?.onInput(events) }
    }

    private func deliverSignals() {
        for signal in signals?.take() ?? [] { handlers?.onSignal(signal) }
    }

    #if canImport(Glibc)
    private func waitAndHandle() {
        let queue = PollableMainQueue()
        queue.run()
        readReply()
        handlers?.afterEach()
        decoder.learn(terminalKeys())
        while isRunning {
            var waits = [
                pollfd(fd: readsInput && !inputEnded ? 0 : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals?.input ?? -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: queue.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&waits, nfds_t(waits.count), timeout()) < 0, errno != EINTR { return }
            if waits[1].revents != 0 { deliverSignals() }
            if waits[0].revents != 0 { readInput() }
            expireInput()
            if waits[2].revents != 0 { queue.run() }
            handlers?.afterEach()
        }
    }

    /// The earliest time of work that needs no input.
    private var deadline: ContinuousClock.Instant? { [alarm, inputDeadline].compactMap { $0 }.min() }

    /// The milliseconds until `deadline`, rounded up; -1 if there is none.
    private func timeout() -> Int32 {
        guard let deadline else { return -1 }
        let left = deadline - .now
        if left <= .zero { return 0 }
        let (seconds, attoseconds) = left.components
        return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
    #else
    private func waitAndHandle() {
        let input = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .main)
        input.setEventHandler { MainActor.assumeIsolated { self.readInput() } }
        input.activate()
        defer { input.cancel() }
        let caught = DispatchSource.makeReadSource(fileDescriptor: signals?.input ?? 0, queue: .main)
        caught.setEventHandler { MainActor.assumeIsolated { self.deliverSignals() } }
        if signals != nil { caught.activate() }
        readReply()
        handlers?.afterEach()
        decoder.learn(terminalKeys())
        while isRunning {
            if inputEnded || !readsInput { input.suspend() }
            let wait = deadline.map { max(0.001, Double(($0 - .now) / .seconds(1))) } ?? 3600
            CFRunLoopRunInMode(.defaultMode, wait, true)
            if inputEnded || !readsInput { input.resume() }
            expireInput()
            handlers?.afterEach()
        }
    }
    #endif
}

/// Brings signals into the main loop: the handler writes the signal's number into a pipe, the loop reads it.
/// Handlers, unlike ignored or blocked signals, are not inherited by the programs that Ombi starts.
@MainActor
struct SignalPipe {
    let input: Int32

    // Safe to share: allocated once and never freed, written on the main thread before any handler is
    // installed, then only read.
    private nonisolated(unsafe) static let output: UnsafeMutablePointer<Int32> = {
        let pointer = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        pointer.initialize(to: -1)
        return pointer
    }()

    init?() {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        input = ends[0]
        Self.output.pointee = ends[1]
        Signal.handle(Signal.allCases.map(\.number), flags: Int32(SA_RESTART)) { number in
            let before = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(SignalPipe.output.pointee, &byte, 1)
            errno = before
        }
        // The error of a write reports a closed pipe.
        Signal.handle([SIGPIPE], flags: Int32(SA_RESTART)) { _ in }
    }

    /// Returns the signals since the last call, each once, in the order of their first arrival.
    func take() -> [Signal] {
        var bytes = [UInt8](repeating: 0, count: 256)
        var found: [Signal] = []
        while true {
            let count = read(input, &bytes, bytes.count)
            if count <= 0 { return found }
            for byte in bytes.prefix(count) {
                guard let signal = Signal.allCases.first(where: { $0.number == Int32(byte) }) else { continue }
                if !found.contains(signal) { found.append(signal) }
            }
        }
    }
}

/// The signals that a terminal program handles.
package enum Signal: CaseIterable, Equatable, Sendable {
    case windowChanged
    case terminate, hangUp, interrupt, quit
    /// A request to stop: the program restores the terminal first.
    case stop
    /// Running again after a stop.
    case `continue`

    package var number: Int32 {
        switch self {
        case .windowChanged: SIGWINCH
        case .terminate: SIGTERM
        case .hangUp: SIGHUP
        case .interrupt: SIGINT
        case .quit: SIGQUIT
        case .stop: SIGTSTP
        case .continue: SIGCONT
        }
    }

    static func handle(_ numbers: [Int32], flags: Int32, _ handler: @convention(c) (Int32) -> Void) {
        var action = sigaction()
        #if canImport(Glibc)
        action.__sigaction_handler.sa_handler = handler
        #else
        action.__sigaction_u.__sa_handler = handler
        #endif
        action.sa_flags = flags
        for number in numbers { sigaction(number, &action, nil) }
    }
}

#if canImport(Glibc)
// CFRunLoop's functions for running the main queue inside a loop of its own; exported by libdispatch for that.
@_silgen_name("_dispatch_get_main_queue_handle_4CF")
private func mainQueueHandle() -> Int32

@_silgen_name("_dispatch_main_queue_callback_4CF")
private func runMainQueue(_ message: UnsafeMutableRawPointer?)

/// The main queue in a form that a poll loop can wait for and run, so that `DispatchQueue.main` and the main
/// actor stay on the real main thread.
@MainActor
struct PollableMainQueue {
    /// Readable when there is work.
    let descriptor = mainQueueHandle()

    func run() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
        runMainQueue(nil)
    }
}
#endif
