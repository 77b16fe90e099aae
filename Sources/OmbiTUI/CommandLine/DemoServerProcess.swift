import OmbiProcess

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The demo server next to `ombi`. It runs as long as a pipe to it is open, so it ends with this process in any case.
struct DemoServerProcess {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let port: Int
    private let process: Subprocess
    private let lifeline: Int32

    /// Starts the server on a free port and waits until it responds.
    static func start() throws -> DemoServerProcess {
        let program = try Installation.demoServer()
        let (lifeEnd, lifeline) = try makePipe()
        let (output, outputEnd) = try makePipe()
        defer { close(output) }
        let process = try Subprocess([program, "--until-eof"], files: [0: lifeEnd, 1: outputEnd])
        close(lifeEnd)
        close(outputEnd)
        let line = readLine(from: output)
        guard let port = line.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw Failure(description: "the demo server \(program) did not start: \(line.isEmpty ? "no output" : line)")
        }
        return DemoServerProcess(port: port, process: process, lifeline: lifeline)
    }

    func stop() {
        close(lifeline)
        _ = process.wait()
    }

    /// Returns a pipe that child processes do not inherit.
    private static func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw Failure(description: "cannot make a pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func readLine(from descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < 4096 {
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            if count <= 0 || byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
