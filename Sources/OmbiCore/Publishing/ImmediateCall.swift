#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A mark for threads that run user code because of an `ImmediateScheduler`: those that delivered the response.
///
/// Not a task-local value: outside of a task each costs two allocations, and it would apply to tasks started by that
/// code, which run elsewhere.
enum ImmediateCall {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// True if the calling thread is inside `perform`.
    static var isUnderWay: Bool { pthread_getspecific(key) != nil }

    static func perform(_ body: () -> Void) {
        let before = pthread_getspecific(key)
        // Any address except null.
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
        defer { pthread_setspecific(key, before) }
        body()
    }
}
