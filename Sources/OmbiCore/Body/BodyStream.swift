#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of a request that is read while it is sent, so that it need not fit into memory.
///
/// Its length is known, for `Content-Length`. It is opened anew for each attempt and for each redirect that keeps the
/// body (307 and 308). Two streams are equal when they are the same object.
public final class BodyStream: Sendable {
    /// In bytes.
    public let length: Int
    private let makeReader: @Sendable () throws -> any BodyReader

    /// `open` gives a reader that stands at the first byte; it must deliver exactly `length` bytes.
    public init(length: Int, open: @escaping @Sendable () throws -> any BodyReader) {
        self.length = max(length, 0)
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

    /// One after the other; each must be as long as it says.
    convenience init(_ streams: [BodyStream]) {
        let length = streams.reduce(0) { sum, stream in
            let (sum, overflow) = sum.addingReportingOverflow(stream.length)
            return overflow ? .max : sum
        }
        self.init(length: length) { ChainReader(streams) }
    }

    /// A reader at the first byte. It throws `BodyStreamError` when the stream is shorter or longer than its length, or
    /// when it cannot be read.
    public func open() throws -> any BodyReader { try ExactReader(length: length, makeReader) }

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
