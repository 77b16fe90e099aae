#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of a response as it arrives: plain data when it is known to be small, which costs least, or else a store.
package struct ResponseBody {
    package private(set) var count = 0
    /// Only counted: somebody else has the bytes.
    private(set) var isPassedOn = false
    package private(set) var store: ResponseStore?
    private var small = Data()

    /// A body up to here, in bytes, is not worth pages of its own.
    static let maximumSmall = 64 << 10

    package init() {}

    static let passedOn: ResponseBody = {
        var body = ResponseBody()
        body.isPassedOn = true
        return body
    }()

    /// `length` is nil when it is not known.
    package init(length: Int?, limits: ResponseLimits) {
        if let length, length <= Self.maximumSmall {
            small.reserveCapacity(length)
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

    /// Lets what has arrived of a small body outlive the attempt that failed.
    package mutating func moveToStore(_ limits: ResponseLimits) {
        guard store == nil, count > 0 else { return }
        let kept = ResponseStore(capacity: count, limits: limits)
        // Where there is no room for so little, it is not worth another failure.
        guard (try? small.withUnsafeBytes(kept.append)) != nil else { return }
        store = kept
    }

    /// What has arrived.
    package var data: Data { store?.data ?? small }
}
