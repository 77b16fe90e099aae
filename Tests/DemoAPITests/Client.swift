import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A plain HTTP/1.1 exchange over a blocking socket: what the server really sent, byte by byte.
/// One connection for each request, closed by the server, so that a broken one can be told from a whole one.
struct Client: Sendable {
    struct Header: Sendable, Equatable {
        let name: String
        let value: String
    }

    struct Response: Sendable {
        let status: Int
        let headers: [Header]
        /// With the chunks put together.
        let body: [UInt8]
        /// False where fewer bytes came than were promised.
        let isComplete: Bool

        func values(_ name: String) -> [String] {
            headers.filter { $0.name.lowercased() == name.lowercased() }.map { $0.value }
        }

        func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

        var text: String { String(decoding: body, as: UTF8.self) }

        /// The body as JSON: a dictionary, or an empty one.
        var object: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:] }

        func integer(_ name: String) -> Int? { object[name] as? Int }

        func string(_ name: String) -> String? { object[name] as? String }

        /// What the body says of an error.
        var error: [String: Any] { object["error"] as? [String: Any] ?? [:] }
    }

    struct Failure: Error { let message: String }

    let port: UInt16

    func get(_ target: String, headers: [String] = []) async throws -> Response {
        try await send("GET", target, headers: headers)
    }

    func send(_ method: String, _ target: String, headers: [String] = [], body: String = "") async throws -> Response {
        let lines =
            ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"]
            + (body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]) + headers
        let request = lines.joined(separator: "\r\n") + "\r\n\r\n" + body
        let raw = try await exchange(Array(request.utf8))
        return try Self.parse(raw, isHead: method == "HEAD")
    }

    func exchange(_ request: [UInt8]) async throws -> [UInt8] {
        try await onOwnThread { try exchangeBlocking(request) }
    }

    private func exchangeBlocking(_ request: [UInt8]) throws -> [UInt8] {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(message: "cannot connect: errno \(errno)") }
        guard write(descriptor, request, request.count) == request.count else { throw Failure(message: "cannot write") }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return received }
            received += buffer[..<count]
        }
    }
}

extension Client {
    static func parse(_ raw: [UInt8], isHead: Bool) throws -> Response {
        let separator = Array("\r\n\r\n".utf8)
        guard let end = raw.indices.first(where: { raw[$0...].starts(with: separator) }) else {
            throw Failure(message: "no response head in \(String(decoding: raw.prefix(200), as: UTF8.self))")
        }
        let lines = String(decoding: raw[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure(message: "no status in \(lines[0])")
        }
        let headers: [Header] = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return Header(
                name: String(parts[0]), value: parts.last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "")
        }
        let rest = raw[(end + separator.count)...]
        var response = Response(status: status, headers: headers, body: Array(rest), isComplete: true)
        if response.header("Transfer-Encoding") == "chunked" {
            let (body, isComplete) = dechunked(rest)
            response = Response(status: status, headers: headers, body: body, isComplete: isComplete)
        } else if let length = response.header("Content-Length").flatMap(Int.init), !isHead {
            response = Response(status: status, headers: headers, body: Array(rest), isComplete: rest.count == length)
        }
        return response
    }

    private static func dechunked(_ raw: ArraySlice<UInt8>) -> ([UInt8], Bool) {
        var body: [UInt8] = []
        var rest = raw
        while let end = rest.firstIndex(of: 10) {
            let line = String(decoding: rest[..<end], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            guard let size = Int(line, radix: 16), rest.endIndex - end - 1 >= size + 2 else { return (body, false) }
            if size == 0 { return (body, true) }
            body += rest[(end + 1)..<(end + 1 + size)]
            rest = rest[(end + 1 + size + 2)...]
        }
        return (body, false)
    }
}
