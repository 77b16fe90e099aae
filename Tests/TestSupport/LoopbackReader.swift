import Foundation

/// Reads requests from one connection.
struct LoopbackReader {
    let connection: Int32
    private var buffer = Data()

    init(connection: Int32) { self.connection = connection }

    /// nil at the end of the connection.
    mutating func next() -> LoopbackRequest? {
        let end = Data("\r\n\r\n".utf8)
        while buffer.range(of: end) == nil { guard fill() else { return nil } }
        guard let range = buffer.range(of: end) else { return nil }
        let lines = String(decoding: buffer[..<range.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        buffer = Data(buffer[range.upperBound...])
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            let name = parts[0].lowercased()
            let value = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
            headers[name] = headers[name].map { "\($0), \(value)" } ?? value
        }
        let isChunked = headers["transfer-encoding"]?.lowercased() == "chunked"
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        guard let body = isChunked ? takeChunks() : take(length) else { return nil }
        return LoopbackRequest(method: String(words[0]), target: String(words[1]), headers: headers, body: body)
    }

    private mutating func take(_ length: Int) -> Data? {
        while buffer.count < length { guard fill() else { return nil } }
        defer { buffer = Data(buffer.dropFirst(length)) }
        return Data(buffer.prefix(length))
    }

    /// A chunked body (RFC 9112 §7.1), without trailers.
    private mutating func takeChunks() -> Data? {
        var body = Data()
        while let line = takeLine(), let length = Int(line, radix: 16) {
            guard let chunk = take(length), takeLine() == "" else { return nil }
            if length == 0 { return body }
            body += chunk
        }
        return nil
    }

    private mutating func takeLine() -> String? {
        let end = Data("\r\n".utf8)
        while buffer.range(of: end) == nil { guard fill() else { return nil } }
        guard let range = buffer.range(of: end) else { return nil }
        defer { buffer = Data(buffer[range.upperBound...]) }
        return String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
    }

    private mutating func fill() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(connection, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        buffer.append(contentsOf: chunk[..<count])
        return true
    }
}
