import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The response to a client, in the bytes of its connection.
struct ProxyResponse: Sendable {
    /// The end of a body.
    enum Framing: Equatable, Sendable {
        case none, length, chunks, connection
    }

    let start: [UInt8]
    let framing: Framing
    /// In bytes, as the client was told; nil where it was not.
    private let length: Int?

    /// - Parameter keepsAlive: true where the client may go on with the next request.
    init(_ head: ResponseHead, to request: ProxyHead, keepsAlive: Bool) {
        let hasBody = request.method != "HEAD" && ![204, 304].contains(head.statusCode)
        let lengths = head.headers.values(for: .contentLength)
        let hasLength = lengths.count == 1 && head.headers["Transfer-Encoding"] == nil
        framing = !hasBody ? .none : hasLength ? .length : request.takesChunks ? .chunks : .connection
        length = hasLength ? lengths.first.flatMap { Int($0.text) } : nil
        var omitted = ProxyFields.names(ofConnectionIn: head.headers)
        if hasBody && !hasLength || head.statusCode == 204 { omitted.insert("content-length") }
        let reason = StatusCode.reason(head.statusCode) ?? ""
        var lines = ["HTTP/1.1 \(head.statusCode) \(reason)"]
        for field in head.headers.fields where !omitted.contains(field.key.name.lowercased()) {
            // A line end in a value would begin another field.
            guard HeaderCheck.isToken(field.key.name), HeaderCheck.isValue(field.value.text) else { continue }
            lines.append("\(field.key.name): \(field.value.text)")
        }
        if framing == .chunks { lines.append("Transfer-Encoding: chunked") }
        if !keepsAlive || framing == .connection { lines.append("Connection: close") }
        start = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Returns true where a client with so many bytes of the body knows that it has all of them.
    func isComplete(after size: Int) -> Bool {
        switch framing {
        case .none: true
        case .length: length.map { size >= $0 } ?? false
        case .chunks, .connection: false
        }
    }

    /// Returns a piece of the body as it goes out.
    func bytes(of piece: Data) -> [UInt8] {
        switch framing {
        case .none: return []
        case .length, .connection: return Array(piece)
        case .chunks:
            // An empty chunk would be the last one.
            guard !piece.isEmpty else { return [] }
            var bytes = Array((String(piece.count, radix: 16) + "\r\n").utf8)
            bytes += piece
            return bytes + [0x0D, 0x0A]
        }
    }

    /// The bytes behind a complete body.
    var end: [UInt8] { framing == .chunks ? Array("0\r\n\r\n".utf8) : [] }

    static let proceed = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// A response of the proxy itself, after which the connection ends.
    static func message(_ status: Int, _ text: String, toHead isHead: Bool = false) -> [UInt8] {
        let body = Array("ombi record: \(text)\n".utf8)
        let lines = [
            "HTTP/1.1 \(status) \(StatusCode.reason(status) ?? "")", "Content-Type: text/plain; charset=utf-8",
            "Content-Length: \(body.count)", "Connection: close", "", "",
        ]
        return Array(lines.joined(separator: "\r\n").utf8) + (isHead ? [] : body)
    }
}
