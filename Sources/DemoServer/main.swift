import DemoAPI

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

func complain(_ message: String) {
    let bytes = Array("ombi-demo-server: \(message)\n".utf8)
    _ = write(2, bytes, bytes.count)
}

do {
    let options = try Options(CommandLine.arguments.dropFirst())
    if options.help {
        print(Options.usage)
        exit(0)
    }
    let ending = Ending(untilEndOfInput: options.untilEndOfInput)
    let server = try await DemoServer.start(port: options.port)
    let line = Array("listening on \(server.baseURL)\n".utf8)
    _ = write(1, line, line.count)
    await ending.wait()
    await server.stop()
    exit(0)
} catch let mistake as Options.Mistake {
    complain("\(mistake.message)\n\n\(Options.usage)")
    exit(2)
} catch {
    complain("\(error)")
    exit(1)
}
