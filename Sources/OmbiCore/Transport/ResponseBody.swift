#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of a response as it arrives: plain data when it is known to be small, which costs least, or else a store.
struct ResponseBody {
    private(set) var count = 0
    /// Only counted: somebody else has the bytes.
    private(set) var isPassedOn = false
    private(set) var store: ResponseStore?
    private var small = Data()

    /// A body up to here, in bytes, is not worth pages of its own.
    static let maximumSmall = 64 << 10

    init() {}

    static let passedOn: ResponseBody = {
        var body = ResponseBody()
        body.isPassedOn = true
        return body
    }()

    /// `length` is nil when it is not known.
    init(length: Int?, configuration: CurlTransport.Configuration) {
        if let length, length <= Self.maximumSmall {
            small.reserveCapacity(length)
        } else {
            store = ResponseStore(
                capacity: min(length ?? .max, configuration.maximumResponseBytes),
                memoryLimit: configuration.memoryLimit, budget: configuration.memoryBudget,
                temporaryFolder: configuration.temporaryFolder)
        }
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        if let store {
            try store.append(bytes)
        } else if !isPassedOn {
            small.append(contentsOf: bytes)
        }
        count += bytes.count
    }

    /// Lets what has arrived of a small body outlive the attempt that failed.
    mutating func moveToStore(_ configuration: CurlTransport.Configuration) {
        guard store == nil, count > 0 else { return }
        let kept = ResponseStore(
            capacity: count, memoryLimit: configuration.memoryLimit, budget: configuration.memoryBudget,
            temporaryFolder: configuration.temporaryFolder)
        // Where there is no room for so little, it is not worth another failure.
        guard (try? small.withUnsafeBytes(kept.append)) != nil else { return }
        store = kept
    }

    /// What has arrived.
    var data: Data { store?.data ?? small }
}
