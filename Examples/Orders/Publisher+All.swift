import OmbiCore

extension Publisher where Output: Sendable {
    /// Everything that the publisher gives, once it has ended.
    func all() async throws -> [Output] {
        var subscription: AnyCancellable?
        defer { subscription?.cancel() }
        return try await withCheckedThrowingContinuation { continuation in
            subscription = collect().sink(
                receiveCompletion: { end in
                    if case .failure(let error) = end { continuation.resume(throwing: error) }
                },
                receiveValue: { continuation.resume(returning: $0) })
        }
    }
}
