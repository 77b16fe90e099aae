#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of an arriving response: plain data if it is known to be small, which costs least, else a store.
package struct ResponseBody {
    package private(set) var count = 0
    /// True if the bytes are only counted, since they are delivered elsewhere.
    private(set) var isPassedOn = false
    package private(set) var store: ResponseStore?
    private var small = Data()
    /// The length of a small body, as announced.
    private var length = 0

    /// The maximum size, in bytes, of a body that does not justify its own pages.
    static let maximumSmall = 64 << 10

    package init() {}

    static let passedOn: ResponseBody = {
        var body = ResponseBody()
        body.isPassedOn = true
        return body
    }()

    /// - Parameter length: The length in bytes; nil if unknown.
    package init(length: Int?, limits: ResponseLimits) {
        if let length, length <= Self.maximumSmall {
            small.reserveCapacity(length)
            self.length = length
        } else {
            store = ResponseStore(capacity: length ?? .max, limits: limits)
        }
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        if let store {
            try store.append(bytes)
        } else if !isPassedOn {
            small.append(contentsOf: bytes)
        }
        count += bytes.count
    }

    /// Makes the received part of a small body readable while the rest arrives, or after a failure.
    package mutating func moveToStore(_ limits: ResponseLimits) {
        guard store == nil, count > 0 else { return }
        let kept = ResponseStore(capacity: max(count, length), limits: limits)
        // Without room for so little, the part is dropped rather than causing another failure.
        guard (try? small.withUnsafeBytes(kept.append)) != nil else { return }
        (store, small) = (kept, Data())
    }

    /// The bytes received so far.
    package var data: Data { store?.data ?? small }
}
