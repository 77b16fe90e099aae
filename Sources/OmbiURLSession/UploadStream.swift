import Foundation
import OmbiCore

/// The body of a request for `URLSession`, which only accepts an `InputStream`.
enum UploadStream {
    /// Returns a stream at the first byte. `onFailure` is called if it cannot be read to its end, from any thread.
    static func open(_ body: BodyStream, onFailure: @escaping @Sendable (any Error) -> Void) throws -> InputStream {
        let reader = try body.open()
        #if canImport(FoundationNetworking)
        return ReaderStream(reader, onFailure: onFailure)
        #else
        return try boundStream(reader, onFailure: onFailure)
        #endif
    }

    #if canImport(FoundationNetworking)
    /// A custom stream, which Foundation on Linux reads through its methods.
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
    /// Returns one end of a bound pair: other platforms accept streams of the system only.
    private static func boundStream(
        _ reader: any BodyReader, onFailure: @escaping @Sendable (any Error) -> Void
    ) throws -> InputStream {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: bufferSize, inputStream: &input, outputStream: &output)
        guard let input, let output else { throw CodingFailure("the system has no stream for the body") }
        // From here on, only this queue uses both.
        nonisolated(unsafe) let ends = (reader: reader, output: output)
        DispatchQueue(label: "ombi.upload").async { pump(ends.reader, ends.output, onFailure) }
        return input
    }

    private static let bufferSize = 64 << 10

    /// Writes until the body ends, or the reading end is closed.
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
