import Foundation

/// A value behind a lock of the system, which the thread sanitizer knows. (It does not see through `Mutex` on Linux, and
/// would report what happens under it.)
///
/// Unchecked because the value is touched under the lock only.
public final class LoopbackLock<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    public init(_ value: Value) { self.value = value }

    public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
