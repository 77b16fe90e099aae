import Foundation
import OmbiCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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

/// The status and the fields of a response. `HTTPURLResponse` neither preserves the order of the fields nor separates
/// those of one name: here they are sorted by name, and joined values stay joined (RFC 9110 §5.3) except those of
/// `Set-Cookie`.
struct ReceivedHead: Sendable, Equatable {
    let statusCode: Int
    let headers: RequestHeaders

    init(_ response: HTTPURLResponse) {
        let fields = response.allHeaderFields.map { (name: "\($0.key)", value: "\($0.value)") }
        self.init(statusCode: response.statusCode, fields: fields)
    }

    init(statusCode: Int, fields: [(name: String, value: String)]) {
        self.statusCode = statusCode
        let sorted = fields.sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
        headers = RequestHeaders(
            sorted.flatMap { name, value in
                let key = RequestHeaders.Key(name)
                let values = key == .setCookie ? Self.cookies(in: value) : [value]
                return values.map { RequestHeaders.Field(key, .string($0)) }
            })
    }

    /// True for 1xx other than 101, which is followed by another response (RFC 9110 §15.2).
    var isInterim: Bool { 100..<200 ~= statusCode && statusCode != 101 }

    /// The value of `Content-Length`, unless the body is encoded.
    var contentLength: Int? {
        guard headers[.contentEncoding] == nil else { return nil }
        return headers[.contentLength].flatMap { Int($0.text) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Splits several `Set-Cookie` fields joined by commas. A comma starts another cookie if a name and "=" follow:
    /// neither a cookie's value nor a date has such a comma (RFC 6265 §4.1.1).
    static func cookies(in joined: String) -> [String] {
        var cookies: [String] = []
        for part in joined.split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.prefix { $0 != "=" && $0 != ";" }.drop { $0 == " " }
            let isStart = name.endIndex < part.endIndex && part[name.endIndex] == "=" && isToken(name)
            if let last = cookies.last, !isStart {
                cookies[cookies.count - 1] = "\(last),\(part)"
            } else {
                cookies.append(String(part.drop { $0 == " " }))
            }
        }
        return cookies
    }

    private static func isToken(_ name: Substring) -> Bool { RequestMethod(rawValue: String(name)) != nil }
}
