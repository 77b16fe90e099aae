import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The source of a body's bytes.
package enum BodySource: Equatable, Sendable {
    case data(Data)
    case store(ResponseStore)
    /// The input that the command line opened.
    case input
}

extension Bytes {
    /// The bytes so far of a body that grows in its store.
    package init(_ store: ResponseStore) {
        let (base, count) = store.withUnsafeBytes { ($0.bindMemory(to: UInt8.self).baseAddress, $0.count) }
        guard let base else {
            self = .empty
            return
        }
        self.init(base: base, count: count, owner: store)
    }

    /// The bytes of data, without a copy when it is large.
    package init(keeping data: Data) {
        guard data.count > 1 << 12 else {
            self.init(data)
            return
        }
        // Data of this size is on the heap, where it stays as long as it has an owner and is not mutated; the owner
        // owns it and cannot be mutated.
        let keeper = DataKeeper(data)
        let base = keeper.data.withUnsafeBytes { $0.bindMemory(to: UInt8.self).baseAddress }
        guard let base else {
            self = .empty
            return
        }
        self.init(base: base, count: data.count, owner: keeper)
    }
}

private final class DataKeeper: Sendable {
    let data: Data

    init(_ data: Data) { self.data = data }
}
