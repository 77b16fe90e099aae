import Dispatch

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The events that end the server: SIGINT, SIGTERM, and the end of standard input if requested.
struct Ending {
    private let reports: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    /// Handles the signals, which no longer end the process by themselves.
    init(untilEndOfInput: Bool) {
        let (reports, report) = AsyncStream.makeStream(of: Void.self)
        self.reports = reports
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { report.finish() }
            source.activate()
            return source
        }
        guard untilEndOfInput else { return }
        DispatchQueue(label: "standard input").async {
            Self.readToEnd()
            report.finish()
        }
    }

    func wait() async {
        for await _ in reports {}
        sources.forEach { $0.cancel() }
    }

    private static func readToEnd() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(0, &buffer, buffer.count)
            if count == 0 || (count < 0 && errno != EINTR) { return }
        }
    }
}
