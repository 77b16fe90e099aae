import Foundation
import OmbiCore

/// Pieces of a body that arrived before their reader took them, where a session cannot be paused: in memory up to a
/// limit, then in temporary files, which go as they have been read.
struct HeldPieces {
    private let limits: ResponseLimits
    /// The parts of the body that are not read yet, the oldest first.
    private var stores: [ResponseStore] = []
    /// The bytes of the first part that have been read.
    private var position = 0
    private var count = 0
    private let partLength: Int
    private static let maximumPiece = 64 << 10

    init(limits: ResponseLimits, partLength: Int = 64 << 20) {
        self.limits = limits
        self.partLength = partLength
    }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ data: Data) throws(TransportError) {
        guard data.count <= limits.maximumBytes - count else {
            throw TransportError(
                code: .responseTooLarge,
                message: "more than \(limits.maximumBytes) bytes of the response wait for their reader")
        }
        if stores.last?.count ?? partLength >= partLength {
            stores.append(ResponseStore(capacity: .max, limits: limits))
        }
        guard let store = stores.last else { return }
        let result = data.withUnsafeBytes { bytes in Result { () throws(TransportError) in try store.append(bytes) } }
        try result.get()
        count += data.count
    }

    /// Returns the next piece; nil if none is left.
    mutating func next() -> Data? {
        if let first = stores.first, position == first.count, stores.count > 1 {
            stores.removeFirst()
            position = 0
        }
        let start = position
        guard let piece = stores.first?.withUnsafeBytes({ Data($0[start...].prefix(Self.maximumPiece)) }) else {
            return nil
        }
        position += piece.count
        count -= piece.count
        return piece.isEmpty ? nil : piece
    }
}
