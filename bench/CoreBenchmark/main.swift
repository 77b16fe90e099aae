import Dispatch
import OmbiCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// Rates of OmbiCore against a server that answers small JSON, for scripts/bench-core. One line per measurement:
// name, in flight, requests, seconds, resident KiB before and after.
// Usage: ombi-core-benchmark URL COUNT ["NAME WIDTH"]

let arguments = CommandLine.arguments
guard arguments.count >= 3, let count = Int(arguments[2]), count > 0 else {
    print("usage: ombi-core-benchmark http://127.0.0.1:PORT/PATH COUNT [\"NAME WIDTH\"]")
    exit(2)
}
let address = arguments[1]

/// What the server answers.
struct User: Decodable, Sendable {
    var id: Int
    var name: String
    var email: String
    var tags: [String]
    var active: Bool
    var score: Double
}

struct GetUser: HTTPRequest {
    typealias ResponseBody = User
    var path: String { "" }
    var method: RequestMethod { .get }
}

/// The same without decoding: what the engine costs by itself.
struct GetBytes: HTTPRequest {
    typealias ResponseBody = Data
    var path: String { "" }
    var method: RequestMethod { .get }
}

/// Keeps `width` requests in flight until `count` have ended, each started from the end of another.
final class Load: Sendable {
    typealias Start = @Sendable (_ done: @escaping @Sendable (Bool) -> Void) -> Void

    private let left: Lock<Int>
    private let failures = Lock(0)
    private let group = DispatchGroup()
    private let start: Start

    init(count: Int, _ start: @escaping Start) {
        left = Lock(count)
        self.start = start
    }

    func run(width: Int) -> Int {
        for _ in 0..<width {
            group.enter()
            next()
        }
        group.wait()
        return failures.withLock { $0 }
    }

    private func next() {
        let goesOn = left.withLock { left in
            left -= 1
            return left >= 0
        }
        guard goesOn else { return group.leave() }
        start { passed in
            if !passed { self.failures.withLock { $0 += 1 } }
            self.next()
        }
    }
}

func residentKiB() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return 0 }
    let fields = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
        separator: " ")
    return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * 4
}

func measure(_ name: String, width: Int, count: Int, _ start: @escaping Load.Start) {
    guard arguments.count == 3 || arguments[3] == "\(name) \(width)" else { return }
    _ = Load(count: min(count, 500), start).run(width: width)
    let before = residentKiB()
    let begin = ContinuousClock.now
    let failures = Load(count: count, start).run(width: width)
    let seconds = (begin.duration(to: .now) / .milliseconds(1)) / 1000
    let rate = Int(Double(count) / seconds)
    print(
        "\(name)\t\(width)\t\(count)\t\(rate)/s\t\(before)\t\(residentKiB())\t\(failures == 0 ? "" : "\(failures) failed")"
    )
}

/// How far from its SLA a run ends that gets no answer.
func measureSLA() {
    guard arguments.count == 3 || arguments[3] == "SLA" else { return }
    let silent = RequestManager(host: "http://stub", transport: SilentTransport())
    let deviations = (0..<50).map { _ -> Double in
        let ended = DispatchSemaphore(value: 0)
        let begin = ContinuousClock.now
        silent.send(GetUser(), sla: 0.1) { _ in ended.signal() }
        ended.wait()
        return begin.duration(to: .now) / .milliseconds(1) - 100
    }.sorted()
    print("SLA of 100 ms\t50 runs\tended \(deviations[25]) ms late (median), \(deviations[49]) ms at most")
}

struct SilentTransport: Transport {
    struct Attempt: TransportTask {
        func cancel() {}
    }

    func start(_ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void) -> any TransportTask
    {
        Attempt()
    }
}

let transport = CurlTransport()
let manager = RequestManager(host: address, transport: transport)
let wire = try manager.buildRequest(for: GetUser())

for width in [1, 32] {
    measure("transport", width: width, count: count) { done in
        _ = transport.start(wire) { event in
            switch event {
            case .finished: done(true)
            case .failed: done(false)
            default: break
            }
        }
    }
    measure("callback, immediate, bytes", width: width, count: count) { done in
        manager.send(GetBytes(), on: ImmediateScheduler.shared) { result in
            if case .success = result { done(true) } else { done(false) }
        }
    }
    measure("callback, immediate", width: width, count: count) { done in
        manager.send(GetUser(), on: ImmediateScheduler.shared) { result in
            if case .success = result { done(true) } else { done(false) }
        }
    }
    measure("callback", width: width, count: count) { done in
        manager.send(GetUser()) { result in
            if case .success = result { done(true) } else { done(false) }
        }
    }
    measure("async", width: width, count: count) { done in
        Task {
            done((try? await manager.response(for: GetUser())) != nil)
        }
    }
}

measureSLA()
