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
