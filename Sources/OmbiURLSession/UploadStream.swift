import Foundation
import OmbiCore

/// The body of a request for `URLSession`, which takes no body but from an `InputStream`.
enum UploadStream {
    /// A stream at the first byte. `onFailure` is called when it cannot be read to its end, from any thread.
    static func open(_ body: BodyStream, onFailure: @escaping @Sendable (any Error) -> Void) throws -> InputStream {
        let reader = try body.open()
        #if canImport(FoundationNetworking)
        return ReaderStream(reader, onFailure: onFailure)
        #else
        return try boundStream(reader, onFailure: onFailure)
        #endif
    }

    #if canImport(FoundationNetworking)
    /// Foundation on Linux reads a stream by its methods, so a stream may be made here.
    private final class ReaderStream: InputStream {
        private let reader: any BodyReader
        private let onFailure: @Sendable (any Error) -> Void
        private var status = Stream.Status.notOpen

        init(_ reader: any BodyReader, onFailure: @escaping @Sendable (any Error) -> Void) {
            self.reader = reader
            self.onFailure = onFailure
            super.init(data: Data())
        }

        override var streamStatus: Stream.Status { status }
        override var hasBytesAvailable: Bool { status == .open }
        override func open() { status = .open }
        override func close() { status = .closed }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
            do {
                return try reader.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: length))
            } catch {
                status = .error
                onFailure(error)
                return -1
            }
        }
    }
    #else
    /// Elsewhere only streams of the system are read: the bytes go through a pair of them.
    private static func boundStream(
        _ reader: any BodyReader, onFailure: @escaping @Sendable (any Error) -> Void
    ) throws -> InputStream {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: bufferSize, inputStream: &input, outputStream: &output)
        guard let input, let output else { throw CodingFailure("the system has no stream for the body") }
        // Both are used by this queue alone from here on.
        nonisolated(unsafe) let ends = (reader: reader, output: output)
        DispatchQueue(label: "ombi.upload").async { pump(ends.reader, ends.output, onFailure) }
        return input
    }

    private static let bufferSize = 64 << 10

    /// Writes until the body ends, or until nobody reads any more.
    private static func pump(
        _ reader: any BodyReader, _ output: OutputStream, _ onFailure: @Sendable (any Error) -> Void
    ) {
        output.open()
        defer { output.close() }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 16)
        defer { buffer.deallocate() }
        do {
            while true {
                let count = try reader.read(into: buffer)
                guard count > 0, write(UnsafeRawBufferPointer(buffer.prefix(count)), to: output) else { return }
            }
        } catch {
            onFailure(error)
        }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to output: OutputStream) -> Bool {
        var rest = bytes[...]
        while let start = UnsafeRawBufferPointer(rebasing: rest).bindMemory(to: UInt8.self).baseAddress, !rest.isEmpty {
            let written = output.write(start, maxLength: rest.count)
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }
    #endif
}
