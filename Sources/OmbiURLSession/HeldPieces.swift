import Foundation
import OmbiCore

/// Pieces of a body that arrived while the reader had paused, where a session cannot be paused: in memory up to a
/// limit, then in a temporary file.
struct HeldPieces {
    private let store: ResponseStore
    private var position = 0
    private let limits: ResponseLimits
    private static let maximumPiece = 64 << 10

    init(limits: ResponseLimits) {
        self.limits = limits
        store = ResponseStore(capacity: .max, limits: limits)
    }

    var isEmpty: Bool { position == store.count }

    func append(_ data: Data) throws(TransportError) {
        guard data.count <= limits.maximumBytes - store.count else {
            throw TransportError(
                code: .responseTooLarge,
                message: "more than \(limits.maximumBytes) bytes of the response came while its reader had paused")
        }
        let result = data.withUnsafeBytes { bytes in Result { () throws(TransportError) in try store.append(bytes) } }
        try result.get()
    }

    /// Returns the next piece; nil if none is left.
    mutating func next() -> Data? {
        let start = position
        let piece = store.withUnsafeBytes { Data($0[start...].prefix(Self.maximumPiece)) }
        position += piece.count
        return piece.isEmpty ? nil : piece
    }
}
