#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of a request that is read while it is sent, so that it need not fit into memory.
///
/// With a length it is sent as `Content-Length`. Without one it goes out in chunks over HTTP/1.1 (RFC 9112 §7.1), and as
/// it is over HTTP/2. It is opened anew for each attempt, for each redirect that keeps the body (307 and 308), and when a
/// connection turns out to be closed. Two streams are equal when they are the same object.
public final class BodyStream: Sendable {
    /// In bytes; nil when only its end tells.
    public let length: Int?
    private let makeReader: @Sendable () throws -> any BodyReader

    /// `open` gives a reader that stands at the first byte. It must deliver exactly `length` bytes, or any number when
    /// `length` is nil. A `WaitingBodyReader` may have nothing to deliver for a while.
    public init(length: Int?, open: @escaping @Sendable () throws -> any BodyReader) {
        self.length = length.map { max($0, 0) }
        makeReader = open
    }

    /// Bytes in memory.
    public convenience init(data: Data) {
        self.init(length: data.count) { DataReader(data) }
    }

    /// The file is looked at now and read when it is sent. Throws `UnreadableFile` when it cannot be read or is no
    /// regular file.
    public convenience init(fileURL: URL) throws {
        let path = fileURL.path
        self.init(length: try FileReader(path: path).length) { try FileReader(path: path) }
    }

    /// One after the other; each must be as long as it says. Its length is known when all of theirs are.
    convenience init(_ streams: [BodyStream]) {
        let length = streams.reduce(Int?(0)) { sum, stream in
            guard let sum, let length = stream.length else { return nil }
            let (total, overflow) = sum.addingReportingOverflow(length)
            return overflow ? .max : total
        }
        self.init(length: length) { ChainReader(streams) }
    }

    /// A reader at the first byte. It throws `BodyStreamError` when the stream is shorter or longer than its length, or
    /// when it cannot be read. It is a `WaitingBodyReader` when the stream's own one is.
    public func open() throws -> any BodyReader {
        let reader = try CheckedReader.naming(makeReader)
        let checked = try CheckedReader(reader, length: length)
        return reader is any WaitingBodyReader ? WaitingCheckedReader(checked) : checked
    }

    /// All of it, in memory.
    var data: Data {
        get throws {
            let reader = try open()
            var data = Data()
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
            defer { buffer.deallocate() }
            while true {
                let count = try reader.read(into: buffer)
                guard count > 0 else { return data }
                data.append(contentsOf: buffer.prefix(count))
            }
        }
    }
}

extension BodyStream: Hashable {
    public static func == (left: BodyStream, right: BodyStream) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
