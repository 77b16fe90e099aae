import Foundation
import TestSupport
import Testing

@testable import OmbiCore

#if compiler(>=6.3) && os(Linux)
/// What needs a process of its own: few descriptors, little memory, threads to be counted, an end in the middle of work.
@Suite struct ChildProcessTests {
    /// Ends the process with a message unless it is so. Of a process that fails the parent learns nothing more, so it ends
    /// with success, and the message is the failure: see `expectNothing(on:)`.
    static func require(_ condition: Bool, _ message: @autoclosure () -> String) {
        guard !condition else { return }
        let text = message() + "\n"
        _ = text.withCString { write(2, $0, strlen($0)) }
        exit(0)
    }

    private static func expectNothing(
        on errors: [UInt8]?, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(String(decoding: errors ?? [], as: UTF8.self) == "", sourceLocation: sourceLocation)
    }

    static func limit(_ resource: __rlimit_resource, to value: Int) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        require(setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0, "setrlimit failed")
    }

    /// Leaves that many descriptors free. A child may inherit some of a parent that is busy.
    static func limitDescriptors(toFree count: Int) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let open = Set(names.compactMap { Int($0) })
        let free = (0...).lazy.filter { !open.contains($0) }.prefix(count)
        limit(RLIMIT_NOFILE, to: (free.max() ?? 0) + 1)
    }

    /// Takes every descriptor. Dispatch has to have its own before: it ends a process in which it cannot have them. That of its
    /// timers comes with the first one that has not passed when Dispatch looks at it.
    static func takeDescriptors() async throws -> [Int32] {
        let timer = Task { try await Task.sleep(for: .seconds(1000)) }
        require(await eventually { hasTimerDescriptor }, "Dispatch has no descriptor of timers")
        timer.cancel()
        try limitDescriptors(toFree: 50)
        var taken: [Int32] = []
        takeRest(&taken)
        return taken
    }

    private static var hasTimerDescriptor: Bool {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"))?.contains("timerfd")
                ?? false
        }
    }

    private static func takeRest(_ taken: inout [Int32]) {
        while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 { taken.append(descriptor) }
    }

    /// The error of a request without any descriptor. A thread of the system may give one back late: it is taken, too.
    static func error(
        of request: TransportRequest, over transport: () -> CurlTransport, _ taken: inout [Int32]
    ) async -> TransportError? {
        var error: TransportError?
        for _ in 0..<100 {
            error = await transport().events(of: request).last?.error
            if error?.code == .noDescriptors { break }
            takeRest(&taken)
        }
        return error
    }

    /// How much of the addresses the process uses, in bytes.
    static func addressSpace() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return (status.split(separator: " ").first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    @Test func `a thousand managers need no thousand threads`() async {
        let child = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let server = try LoopbackServer { .ok($0.target) }
            let managers = (0..<1000).map { _ in RequestManager(host: server.host) }
            for manager in managers {
                let body = try await manager.response(for: TextRequest(path: "/a")).body
                Self.require(body == "/a", "\(body ?? "nothing") came")
            }
            let threads = try threadCount()
            Self.require(threads < 40, "there are \(threads) threads")
            Self.require(server.connectionCount == 1, "there are \(server.connectionCount) connections")
        }
        Self.expectNothing(on: child?.standardErrorContent)
    }

    /// 400 at once, with descriptors for a few.
    @Test func `few descriptors delay requests and lose none`() async throws {
        let server = try LoopbackServer { _ in .ok("hello") }
        defer { server.stop() }
        let child = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [host = server.host as String] in
            try Self.limitDescriptors(toFree: 50)
            let url = try #require(URL(string: host + "/"))
            // Without a limit of its own for the host, all of them would be tried at once.
            let transport = CurlTransport(configuration: .init(maximumConnectionsPerHost: 400))
            let ends = await QueueTests.send(400, TransportRequest(url: url), on: transport)
            let failures = ends.compactMap { $0.error?.description }
            Self.require(failures.isEmpty, "\(failures.count): \(failures.first ?? "")")
        }
        Self.expectNothing(on: child?.standardErrorContent)
    }

    /// The limit of connections says that there is room, and the system says that there is none.
    @Test func `connections that the system refuses are made later`() async throws {
        let server = try LoopbackServer { _ in .ok("hello") }
        defer { server.stop() }
        let child = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [host = server.host as String] in
            for descriptor in try await Self.takeDescriptors() { close(descriptor) }
            let url = try #require(URL(string: host + "/"))
            let transport = CurlTransport(
                configuration: .init(maximumConnectionsPerHost: 400, maximumConnections: 400))
            for _ in 0..<3 {
                let ends = await QueueTests.send(400, TransportRequest(url: url), on: transport)
                let failures = ends.compactMap { $0.error?.description }
                Self.require(failures.isEmpty, "\(failures.count): \(failures.first ?? "")")
            }
        }
        Self.expectNothing(on: child?.standardErrorContent)
    }

    @Test func `without any descriptor the error says so`() async throws {
        let server = try LoopbackServer { _ in .ok("hello") }
        defer { server.stop() }
        let child = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [host = server.host as String] in
            let url = try #require(URL(string: host + "/"))
            let transport = CurlTransport()
            var last = await transport.events(of: TransportRequest(url: url)).last
            Self.require(last?.response?.statusCode == 200, "before: \(String(describing: last))")
            var taken = try await Self.takeDescriptors()
            // The connection that is open can be used, and a second one cannot be made.
            last = await transport.events(of: TransportRequest(url: url)).last
            Self.require(last?.metrics?.reusedConnection == true, "again: \(String(describing: last))")
            let error = await Self.error(of: TransportRequest(url: url), over: { CurlTransport() }, &taken)
            Self.require(error?.code == .noDescriptors, "without: \(String(describing: error))")
            for descriptor in taken { close(descriptor) }
            last = await CurlTransport().events(of: TransportRequest(url: url)).last
            Self.require(last?.response?.statusCode == 200, "after: \(String(describing: last))")
        }
        Self.expectNothing(on: child?.standardErrorContent)
    }

    /// libcurl itself cannot be loaded; later it can.
    @Test func `without descriptors from the start loading is tried again`() async throws {
        let server = try LoopbackServer { _ in .ok("hello") }
        defer { server.stop() }
        let child = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [host = server.host as String] in
            let url = try #require(URL(string: host + "/"))
            var taken = try await Self.takeDescriptors()
            let transport = CurlTransport()
            let error = await Self.error(of: TransportRequest(url: url), over: { transport }, &taken)
            Self.require(error?.code == .noDescriptors, "\(String(describing: error))")
            for descriptor in taken { close(descriptor) }
            let last = await transport.events(of: TransportRequest(url: url)).last
            Self.require(last?.response?.statusCode == 200, "\(String(describing: last))")
        }
        Self.expectNothing(on: child?.standardErrorContent)
    }

    @Test func `without threads the error says so`() async throws {
        let child = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            // No room for the stack of another thread.
            Self.limit(RLIMIT_AS, to: try Self.addressSpace() + 1 << 20)
            let error = await CurlTransport().events(
                of: TransportRequest(url: try #require(URL(string: "http://127.0.0.1:1/")))
            ).last?.error
            Self.require(error?.code == .outOfMemory, "\(String(describing: error))")
        }
        Self.expectNothing(on: child?.standardErrorContent)
    }

    /// Responses larger than what memory is left are failures, and neither traps nor hangs.
    @Test func `with little memory every request ends`() async throws {
        let server = try LoopbackServer { _ in .repeated(Data(repeating: 7, count: 1 << 20), times: 64) }
        defer { server.stop() }
        let child = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [host = server.host as String] in
            let url = try #require(URL(string: host + "/"))
            let transport = CurlTransport(
                configuration: .init(memoryLimit: 1 << 30, memoryBudget: MemoryBudget(bytes: 1 << 40)))
            Self.limit(RLIMIT_AS, to: try Self.addressSpace() + 400 << 20)
            let ends = await QueueTests.send(32, TransportRequest(url: url), on: transport)
            let codes = ends.compactMap { $0.error?.code }
            Self.require(codes.allSatisfy { $0 == .responseNotStored || $0 == .outOfMemory }, "\(codes)")
            Self.require(!codes.isEmpty, "there was room for all")
        }
        Self.expectNothing(on: child?.standardErrorContent)
    }

    /// The loop is in the middle of TLS when the process exits.
    @Test(
        .enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"),
        arguments: 0..<12)
    func `exiting under load is clean`(round: Int) async throws {
        let server = try NginxServer()
        defer { server.stop() }
        await #expect(processExitsWith: .exitCode(7)) {
            [host = server.host as String, file = server.authorityFile as String, round = round as Int] in
            let url = try #require(URL(string: host + "/"))
            let ended = Counter()
            // Each request has a transport of its own, and so a handshake.
            @Sendable func send() {
                let request = TransportRequest(url: url, connection: Connection { $0.tls.caFile = file })
                _ = CurlTransport().start(request) { event in
                    guard event.isLast else { return }
                    _ = ended.next()
                    send()
                }
            }
            for _ in 0..<8 { send() }
            while ended.value < 20 + round * 3 { await Task.yield() }
            exit(7)
        }
    }
}
#endif
