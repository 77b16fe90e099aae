import Dispatch

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The command line of `ombi-demo-server`.
struct Options: Equatable {
    static let usage = """
        Usage: ombi-demo-server [--port N] [--until-eof]

        An HTTP API on 127.0.0.1 to try a client on. It keeps everything in memory; GET / lists what there is.

          --port N      the port to listen on (default: a free one)
          --until-eof   end when standard input ends, so that it never outlives the program that started it
          --help        this text

        Once it accepts connections it prints one line: listening on http://127.0.0.1:PORT
        """

    var port: UInt16 = 0
    var untilEndOfInput = false
    var help = false

    /// An error in the command line.
    struct Mistake: Error, Equatable { let message: String }

    init(_ arguments: some Sequence<String>) throws(Mistake) {
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--port":
                port = try Self.port(rest.next())
            case let joined where joined.hasPrefix("--port="):
                port = try Self.port(String(joined.dropFirst("--port=".count)))
            case "--until-eof": untilEndOfInput = true
            case "--help", "-h": help = true
            default: throw Mistake(message: "“\(argument)” is not an option")
            }
        }
    }

    private static func port(_ text: String?) throws(Mistake) -> UInt16 {
        guard let text else { throw Mistake(message: "--port needs a number") }
        guard let port = UInt16(text) else {
            throw Mistake(message: "--port needs a number from 0 to 65535, not “\(text)”")
        }
        return port
    }
}

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
