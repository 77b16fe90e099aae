import Foundation
import OmbiCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request in the form that a session accepts.
struct SessionRequest: Sendable {
    let urlRequest: URLRequest
    private let bodyStream: BodyStream?
    private let onFailure: @Sendable (any Error) -> Void

    /// Throws the error of opening the body stream. `onFailure` is called if reading it fails later.
    init(_ hop: Hop, _ connection: Connection, onFailure: @escaping @Sendable (any Error) -> Void) throws {
        bodyStream = hop.bodyStream
        self.onFailure = onFailure
        urlRequest = try URLRequest(hop, connection, onFailure: onFailure)
    }

    /// Returns the body from its first byte; nil without a stream, or if it cannot be opened again.
    func openBody() -> InputStream? {
        bodyStream.flatMap { try? UploadStream.open($0, onFailure: onFailure) }
    }
}

extension URLRequest {
    /// Eleven days in seconds: OmbiCore has its own timers. Foundation on Linux counts milliseconds, and traps on
    /// overflow.
    static let noTimeout: TimeInterval = 1_000_000

    fileprivate init(_ hop: Hop, _ connection: Connection, onFailure: @escaping @Sendable (any Error) -> Void) throws {
        self.init(
            url: hop.url.withLowercasedScheme, cachePolicy: .reloadIgnoringLocalCacheData,
            timeoutInterval: Self.noTimeout)
        httpMethod = hop.method.rawValue
        httpShouldHandleCookies = false
        setHeaders(hop.headers, acceptsCompression: connection.acceptsCompression)
        if let stream = hop.bodyStream {
            try setBody(stream, onFailure: onFailure)
        } else {
            httpBody = hop.body
        }
        #if canImport(FoundationNetworking)
        suppressAddedFields(hop)
        #endif
    }

    /// Sets the headers; fields of one name become one line (RFC 9110 §5.3).
    private mutating func setHeaders(_ headers: RequestHeaders, acceptsCompression: Bool) {
        for field in headers.fields where field.key != .contentLength {
            let separator = field.key == .cookie ? "; " : ", "
            let value = headers.values(for: field.key).map(\.text).joined(separator: separator)
            setValue(value, forHTTPHeaderField: field.key.name)
        }
        if !acceptsCompression, headers[.acceptEncoding] == nil {
            setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
    }

    private mutating func setBody(_ stream: BodyStream, onFailure: @escaping @Sendable (any Error) -> Void) throws {
        let length: Int? = stream.length
        let upload = try UploadStream.open(stream, onFailure: onFailure)
        guard length != 0 else { return }
        httpBodyStream = upload
        if let length {
            setValue("\(length)", forHTTPHeaderField: "Content-Length")
            #if canImport(FoundationNetworking)
            setValue(Self.suppressed, forHTTPHeaderField: "Transfer-Encoding")
            #endif
        }
    }

    #if canImport(FoundationNetworking)
    /// libcurl, which underlies Foundation on Linux, omits fields with a blank value, both its own and Foundation's
    /// (CURLOPT_HTTPHEADER).
    private static let suppressed = " "

    /// Suppresses fields that the request does not have, as in the other transport.
    private mutating func suppressAddedFields(_ hop: Hop) {
        var names = [
            "Accept", "Accept-Encoding", "Accept-Language", "Connection", "Content-Type", "Expect", "User-Agent",
        ]
        // A method without a body announces none, unless it is meant to have one.
        if hop.bodyLength == 0, ![.post, .put, .patch].contains(hop.method) { names.append("Content-Length") }
        for name in names where value(forHTTPHeaderField: name) == nil {
            setValue(Self.suppressed, forHTTPHeaderField: name)
        }
    }
    #endif
}

extension URL {
    /// The URL with its scheme in lower case: Foundation on Linux does not support "HTTP".
    fileprivate var withLowercasedScheme: URL {
        guard let scheme, scheme != scheme.lowercased() else { return self }
        return URL(string: scheme.lowercased() + absoluteString.dropFirst(scheme.count)) ?? self
    }
}

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
