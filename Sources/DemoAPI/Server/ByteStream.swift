import FlyingSocks

/// A body that is generated piece by piece while it is sent, so that neither 100 MB nor a pause needs memory. An error
/// in the middle breaks the connection off.
struct ByteStream: AsyncBufferedSequence {
    typealias Element = UInt8

    /// Returns the piece with this number, counted from 0; nil after the last. A piece is never empty.
    let piece: @Sendable (Int) async throws -> [UInt8]?

    func makeAsyncIterator() -> Iterator { Iterator(piece: piece) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        let piece: @Sendable (Int) async throws -> [UInt8]?
        private var number = 0
        private var rest: ArraySlice<UInt8> = []

        init(piece: @escaping @Sendable (Int) async throws -> [UInt8]?) { self.piece = piece }

        mutating func next() async throws -> UInt8? {
            if rest.isEmpty { rest = try await nextBuffer(suggested: 1)?[...] ?? [] }
            return rest.popFirst()
        }

        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            defer { number += 1 }
            return try await piece(number)
        }
    }
}
