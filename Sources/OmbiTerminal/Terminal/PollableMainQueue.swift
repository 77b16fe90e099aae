#if canImport(Glibc)
import Dispatch
import Glibc

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

    /// Runs the pending work.
    func run() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
        runMainQueue(nil)
    }
}
#endif
