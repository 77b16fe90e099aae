import OmbiPlatform

/// A value shared by several threads, with exclusive access.
///
/// Unchecked because the compiler does not know the system's mutex: the value lies in private memory that only
/// `withLock` accesses, while it holds the mutex. A reference stored in it must not be kept outside. Copies are the
/// same lock.
///
/// Not the standard library's `Mutex`: its lock is invisible to ThreadSanitizer on Linux, which then reports every
/// access under it as a race; and it takes no value that was made elsewhere and is not Sendable, such as the body of a
/// fallback response.
package struct Lock<Value>: @unchecked Sendable {
    /// The value and its mutex in one allocation.
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

    /// Runs `body` with exclusive access. Not recursive: `body` must not lock the same lock.
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
