/// A file that is named by its URL, and read once. No file that it refers to is read.
enum RemoteFile {
    /// The reason why a URL cannot be read, as a sentence.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        var url: URL
        var status = 0
        var bytes: [UInt8] = []
        var problem: TransportError?

        /// Returns true for the last event that is wanted.
        mutating func take(_ event: TransportEvent) -> Bool {
            switch event {
            case .head(let head): (url, status) = (head.url, head.statusCode)
            case .data(let piece):
                bytes += piece
                return bytes.count > RemoteFile.maximumSize
            case .finished: return true
            case .failed(let error, _):
                problem = error
                return true
            case .phase, .sent, .redirected, .body, .received: break
            }
            return false
        }
    }

    /// In bytes; that of an imported file.
    private static let maximumSize = 64 << 20

    /// Nil for the path of a file.
    static func url(_ text: String) -> URL? {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://") ? URL(string: text) : nil
    }

    /// Returns the content, and the URL that it came from after redirects, without the secrets in it.
    static func content(
        _ url: URL, over transport: any Transport = CurlTransport.shared
    ) throws(Failure) -> (bytes: [UInt8], url: String) {
        let name = LogMask.url(url.absoluteString)
        guard url.user() == nil else {
            throw Failure(description: "cannot read \(name): the URL has credentials; pipe what curl reads to -")
        }
        let (state, end) = (Lock(State(url: url)), DispatchSemaphore(value: 0))
        var request = TransportRequest(url: url, headers: ["Accept": "application/json, application/yaml, */*"])
        request.responseDelivery = .pieces
        let task = transport.start(request) { event in
            if state.withLock({ $0.take(event) }) { end.signal() }
        }
        end.wait()
        task.cancel()
        let found = state.withLock { $0 }
        if let problem = found.problem { throw Failure(description: "cannot read \(name): \(problem.description)") }
        guard (200..<300).contains(found.status) else {
            throw Failure(description: "cannot read \(name): \(StatusCode.words(found.status))")
        }
        guard found.bytes.count <= maximumSize else {
            throw Failure(description: "cannot read \(name): it is longer than 64 MiB, the limit of an import")
        }
        return (found.bytes, LogMask.url(found.url.absoluteString))
    }
}
