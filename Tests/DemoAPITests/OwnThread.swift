import Dispatch

/// Does what blocks on a queue of its own, which has a thread of its own: blocked threads of the shared pool would
/// starve the server under test.
func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "blocking").async { continuation.resume(with: Result { try body() }) }
    }
}
