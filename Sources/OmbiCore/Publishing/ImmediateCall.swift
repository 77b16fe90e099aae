#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Marks the threads on which code of the user runs because an `ImmediateScheduler` delivers to it: those that brought
/// the response.
///
/// Not a task-local value: outside of a task each costs two allocations, and it would hold for tasks that the code
/// starts, which run elsewhere.
enum ImmediateCall {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Whether the calling thread is inside `perform`.
    static var isUnderWay: Bool { pthread_getspecific(key) != nil }

    static func perform(_ body: () -> Void) {
        let before = pthread_getspecific(key)
        // Any address but that of nothing.
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
        defer { pthread_setspecific(key, before) }
        body()
    }
}
