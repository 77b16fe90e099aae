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
/// `withLock` gives access to, while it holds the mutex. Whoever puts a reference in keeps none outside. Copies are the
/// same lock.
///
/// Not `Mutex` of the standard library: its lock is invisible to ThreadSanitizer on Linux, which then takes
/// everything behind it for a race; and it takes no value that somebody else made and is not Sendable, such as the body
/// of a fallback response.
package struct Lock<Value>: @unchecked Sendable {
    /// The value with the mutex behind it, in one piece of memory.
    private final class Storage: ManagedBuffer<Value, pthread_mutex_t> {
        deinit {
            withUnsafeMutablePointerToElements { mutex in
                pthread_mutex_destroy(mutex)
                mutex.deinitialize(count: 1)
            }
        }
    }

    private let storage: ManagedBuffer<Value, pthread_mutex_t>

    package init(_ value: Value) {
        storage = Storage.create(minimumCapacity: 1) { buffer in
            buffer.withUnsafeMutablePointerToElements { mutex in
                mutex.initialize(to: pthread_mutex_t())
                pthread_mutex_init(mutex, nil)
            }
            return value
        }
    }

    /// Not recursive: `body` must not come back to the same lock.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withUnsafeMutablePointers { value, mutex throws(Failure) in
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&value.pointee)
        }
    }
}
