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
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        while buffer.count < length { guard fill() else { return nil } }
        let body = Data(buffer.prefix(length))
        buffer = Data(buffer.dropFirst(length))
        return LoopbackRequest(method: String(words[0]), target: String(words[1]), headers: headers, body: body)
    }

    private mutating func fill() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(connection, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        buffer.append(contentsOf: chunk[..<count])
        return true
    }
}
