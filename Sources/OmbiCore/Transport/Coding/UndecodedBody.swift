#if canImport(CCurl)
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The bytes of a body that are kept as they came, since nothing could be made of them.
struct UndecodedBody {
    /// The reason why the body is not decoded; nil while it is.
    var problem: CodingProblem?
    /// The bytes from which a decoder has made none so far.
    private(set) var start = Data()

    /// More than the headers of any coding; a decoder that has made nothing of so many bytes will not be followed.
    private static let maximumStart = 64 << 10

    /// The name of a coding for which there is no decoder: the body is complete, but as it came.
    var unknownCoding: String? { problem.flatMap { $0.reason == nil ? $0.coding.excerpt() : nil } }

    mutating func keep(_ bytes: UnsafeRawBufferPointer) {
        guard start.count + bytes.count <= Self.maximumStart else { return }
        start.append(contentsOf: bytes)
    }

    mutating func takeStart() -> Data {
        defer { start = Data() }
        return start
    }
}
#endif
