#if canImport(CCurl)
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of a redirecting response, of which a report keeps the start.
struct HopBody {
    /// In bytes, of all redirects of an attempt; the rest of a body is not received.
    static let maximum = 64 << 10

    private(set) var data = Data()
    /// True if there was more.
    var isPartial = false

    /// Keeps the bytes for which there is room.
    mutating func keep(_ bytes: UnsafeRawBufferPointer) -> ContentDecoder.Taking {
        let room = Self.maximum - data.count
        data.append(contentsOf: bytes.prefix(room))
        guard bytes.count > room else { return .taken }
        isPartial = true
        return .refused
    }

    /// Returns the body after content decoding. One of which a decoder makes nothing is as it came.
    /// - Parameter codings: The value of `Content-Encoding`; empty for a body that is not decoded.
    func decoded(_ codings: String, _ library: ContentCodings) -> HopBody {
        guard !data.isEmpty, !codings.isEmpty else { return self }
        var body = HopBody()
        body.isPartial = isPartial
        do {
            guard let decoder = try ContentDecoder(codings, library) else { return self }
            let taking = try data.withUnsafeBytes { bytes in try decoder.decode(bytes) { piece in body.keep(piece) } }
            if taking == .taken { try decoder.finish() }
        } catch {
            if body.data.isEmpty { return self }
            body.isPartial = true
        }
        return body
    }

    func cut(to count: Int) -> HopBody {
        guard data.count > count else { return self }
        var body = self
        body.data = Data(data.prefix(count))
        body.isPartial = true
        return body
    }
}
#endif
