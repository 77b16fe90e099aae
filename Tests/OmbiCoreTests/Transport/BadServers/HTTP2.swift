import Foundation
import TestSupport

/// Frames of HTTP/2 (RFC 9113), as right or as wrong as a test wants them.
enum HTTP2 {
    enum Kind: UInt8 {
        case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate, continuation
        case unknown = 99
    }

    static let endStream: UInt8 = 1
    static let acknowledge: UInt8 = 1
    static let endHeaders: UInt8 = 4
    static let padded: UInt8 = 8

    static func frame(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: Data = Data(), length: Int? = nil)
        -> Data
    {
        number(UInt32(length ?? payload.count)).dropFirst() + [kind.rawValue, flags] + number(stream) + payload
    }

    static func number(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }

    static let settings = frame(.settings) + frame(.settings, flags: acknowledge)

    /// The headers of a response (RFC 7541, without compression), with a field of the static table for 200.
    static func head(_ fields: [(String, String)] = [(":status", "200")], flags: UInt8 = endHeaders, stream: UInt32 = 1)
        -> Data
    {
        frame(.headers, flags: flags, stream: stream, block(fields))
    }

    static func block(_ fields: [(String, String)]) -> Data {
        fields.reduce(into: Data()) { block, field in
            block += [0]
            for text in [field.0, field.1] { block += [UInt8(min(text.utf8.count, 126))] + text.utf8.prefix(126) }
        }
    }

    static func body(_ text: String, flags: UInt8 = endStream, stream: UInt32 = 1) -> Data {
        frame(.data, flags: flags, stream: stream, Data(text.utf8))
    }

    static func response(_ body: String) -> Data { settings + head() + HTTP2.body(body) }

    static func reset(_ code: UInt32) -> Data { frame(.reset, stream: 1, number(code)) }

    static func goAway(_ code: UInt32, last: UInt32) -> Data { frame(.goAway, number(last) + number(code)) }

    /// Until the client has read all frames so far, which it says by answering a ping.
    static func sync(_ connection: RawConnection) {
        connection.send(frame(.ping, Data(count: 8)))
        while let header = connection.read(9), let length = length(header), connection.read(length) != nil {
            if header[3] == Kind.ping.rawValue { return }
        }
    }

    private static func length(_ header: Data) -> Int? {
        Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
    }

    /// Reads the client's preface and its frames up to the headers of its request.
    static func readRequest(_ connection: RawConnection) -> Bool {
        guard connection.read(24) != nil else { return false }
        while let header = connection.read(9), let length = length(header), connection.read(length) != nil {
            if header[3] == Kind.headers.rawValue { return true }
        }
        return false
    }
}
