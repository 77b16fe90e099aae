import CNcurses
import OmbiPlatform

/// Restores the terminal when the program dies: a trap, a bad pointer, a stack overflow on the main thread, `exit`. The
/// handler uses only memory that was allocated before and calls that are safe in a signal handler. It then lets the
/// signal take its usual effect, which for a bus error is to report that a mapped file became shorter.
enum CrashGuard {
    private struct State {
        var isArmed: sig_atomic_t = 0
        var modes = termios()
        var input: Int32 = 0
        var output: Int32 = 1
        var leaving: UnsafeMutablePointer<UInt8>
        var leavingCount = 0
        /// The file that collects standard error, and the descriptor to print it to; -1 for none.
        var log: Int32 = -1
        var errorOutput: Int32 = -1
        var copyBuffer: UnsafeMutablePointer<UInt8>
        /// The previous handling of bus errors.
        var busError = sigaction()
    }

    private static let room = 1024
    private static let copyRoom = 4096

    // Safe to share: allocated once and never freed; written by `arm` and `disarm` on the main thread only, and
    // read elsewhere only by a signal handler of a dying process.
    private nonisolated(unsafe) static let state: UnsafeMutablePointer<State> = {
        let leaving = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
        leaving.initialize(repeating: 0, count: room)
        let copyBuffer = UnsafeMutablePointer<UInt8>.allocate(capacity: copyRoom)
        copyBuffer.initialize(repeating: 0, count: copyRoom)
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State(leaving: leaving, copyBuffer: copyBuffer))
        return state
    }()

    private static let installed: Bool = {
        installStack()
        installHandlers()
        atexit { CrashGuard.restore() }
        return true
    }()

    /// From now on a crash writes these bytes to the terminal and restores its modes.
    /// - Parameter log: the log of standard error to print then, a fatal error's message above all.
    @MainActor
    static func arm(modes: TerminalModes, output: Int32, leaving: [UInt8], log: ErrorLog?) {
        _ = installed
        state.pointee.isArmed = 0
        state.pointee.modes = modes.found
        state.pointee.input = modes.input
        state.pointee.output = output
        state.pointee.leavingCount = min(leaving.count, room)
        for (index, byte) in leaving.prefix(room).enumerated() { state.pointee.leaving[index] = byte }
        state.pointee.log = log?.file ?? -1
        state.pointee.errorOutput = log?.found ?? -1
        state.pointee.isArmed = 1
    }

    /// Ends the guard, after the terminal was restored.
    @MainActor
    static func disarm() { state.pointee.isArmed = 0 }

    /// Copies a file from its start; safe in a signal handler.
    static func copy(from file: Int32, to output: Int32) {
        var offset: off_t = 0
        while true {
            let got = pread(file, state.pointee.copyBuffer, copyRoom, offset)
            if got <= 0 { return }
            var start = 0
            while start < got {
                let written = write(output, state.pointee.copyBuffer + start, got - start)
                if written <= 0 { return }
                start += written
            }
            offset += off_t(got)
        }
    }

    private static func restore() {
        guard state.pointee.isArmed != 0 else { return }
        state.pointee.isArmed = 0
        _ = write(state.pointee.output, state.pointee.leaving, state.pointee.leavingCount)
        tcsetattr(state.pointee.input, TCSANOW, &state.pointee.modes)
        guard state.pointee.log >= 0 else { return }
        dup2(state.pointee.errorOutput, 2)
        copy(from: state.pointee.log, to: state.pointee.errorOutput)
    }

    /// Installs a stack for the handlers: after an overflow, the program's own is unusable.
    private static func installStack() {
        let size = 1 << 16
        var stack = stack_t()
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        stack.ss_sp = memory
        stack.ss_size = size
        sigaltstack(&stack, nil)
    }

    private static func installHandlers() {
        let flags = Int32(truncatingIfNeeded: Int64(SA_ONSTACK) | Int64(SA_NODEFER) | Int64(SA_RESETHAND))
        sigaction(SIGBUS, nil, &state.pointee.busError)
        Signal.handle([SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE], flags: flags) { number in
            CrashGuard.restore()
            signal(number, SIG_DFL)
            if number == SIGBUS { sigaction(SIGBUS, &CrashGuard.state.pointee.busError, nil) }
            raise(number)
        }
    }
}

/// Keeps standard error off the screen: while the screen is open it goes to a nameless file, and its content is printed
/// on the terminal afterwards. Standard error that is not a terminal is left alone.
struct ErrorLog {
    let file: Int32
    /// The original standard error.
    let found: Int32

    init?() {
        guard isatty(2) == 1 else { return nil }
        file = ombi_nameless_file()
        guard file >= 0 else { return nil }
        found = fcntl(2, F_DUPFD_CLOEXEC, 10)
        if found < 0 {
            close(file)
            return nil
        }
    }

    func begin() { dup2(file, 2) }

    /// Restores standard error and prints what was collected.
    func end() {
        dup2(found, 2)
        CrashGuard.copy(from: file, to: found)
        lseek(file, 0, SEEK_SET)
        ftruncate(file, 0)
    }

    func dispose() {
        close(file)
        close(found)
    }
}
