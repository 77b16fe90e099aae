#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A value that several threads share, one at a time.
///
/// Unchecked because the compiler does not know the mutex of the system: the value lies in private memory that only
/// `withLock` gives access to, while it holds the mutex. Whoever puts a reference in keeps none outside.
///
/// Not `Mutex` of the standard library: its lock is invisible to ThreadSanitizer on Linux, which then takes
/// everything behind it for a race; and it takes no value that somebody else made and is not Sendable, such as the body
/// of a fallback response.
package final class Lock<Value: ~Copyable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: consuming Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Not recursive: `body` must not come back to the same lock.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
