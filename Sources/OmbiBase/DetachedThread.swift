import OmbiPlatform

/// A thread that ends with its work: those of Dispatch wait five seconds for more, and then wake up to end.
package enum DetachedThread {
    /// Runs work on a new thread. Signals are left to the program's own threads, but for those of a fault in the work itself.
    /// Returns false, without running it, if the system cannot create a thread.
    package static func run(_ work: @escaping @Sendable () -> Void) -> Bool {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        // Blocked, they end the program before its handler has given the terminal back.
        for fault in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP] { sigdelset(&all, fault) }
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let start = Unmanaged.passRetained(Start(work))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let code = pthread_create(&thread, &attributes, main, start.toOpaque())
        if code != 0 { start.release() }
        return code == 0
    }

    private final class Start {
        let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }

    #if canImport(Darwin)
    private static let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { enter($0) }
    #else
    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { enter($0) }
    #endif

    private static func enter(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let pointer else { return nil }
        Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue().work()
        return nil
    }
}
