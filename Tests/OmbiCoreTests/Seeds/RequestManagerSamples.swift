import OmbiCore
import Testing

/// The samples in the documentation of the class `RequestManager`.
@Suite struct RequestManagerSamples {
    struct MyRequest: Requestable {
        typealias ResponseBody = String
        typealias ResponseError = HTTPError
        var path = "/posts/update"
        let method = RequestMethod.post
    }

    @Test func `errors are removed and the body is taken`() async throws {
        try await SampleServer.run { host, _ in
            let transcript = Transcript()

            let manager = RequestManager(host: host)
            let request = MyRequest()
            let cancellable = manager.makeRequest(
                request,
                retries: 3,
                sla: .seconds(120),
                on: DispatchQueue.main
            )
            .removeErrors()
            .map(\.body)
            .sink { @Sendable responseBody in
                dispatchPrecondition(condition: .onQueue(.main))
                transcript.end(responseBody ?? "no body")
            }

            #expect(await transcript.lines == ["updated"])
            cancellable.cancel()
        }
    }

    @Test func `a removed error leaves an empty response`() async throws {
        try await SampleServer.run { host, arrivals in
            let transcript = Transcript()
            let cancellable = RequestManager(host: host).makeRequest(MyRequest(path: "/missing"), retries: 1)
                .removeErrors()
                .sink { response in
                    transcript.end("\(response == .empty)")
                }
            #expect(await transcript.lines == ["true"])
            #expect(arrivals().count == 2)
            cancellable.cancel()
        }
    }

    @Test func `additional headers authenticate every request`() async throws {
        try await SampleServer.run { host, arrivals in
            let manager = RequestManager(host: host)
            manager.additionalHeaders = [.authorization: .authorization(username: "myusername", password: "mypassword")]
            // these headers will be injected into every request
            for _ in 1...2 { _ = try await manager.response(for: MyRequest()) }
            let basic = "Basic bXl1c2VybmFtZTpteXBhc3N3b3Jk"
            #expect(arrivals().map { $0.headers["authorization"] } == [basic, basic])
        }
    }

    @Test func `default headers are injected unless they are switched off`() async throws {
        try await SampleServer.run { host, arrivals in
            let manager = RequestManager(host: host)
            _ = try await manager.response(for: MyRequest())
            manager.shouldInjectDefaultHeaders = false
            _ = try await manager.response(for: MyRequest())
            let names = ["user-agent", "accept-encoding", "accept-language"]
            #expect(names.map { arrivals().first?.headers[$0] != nil } == [true, true, true])
            #expect(names.map { arrivals().last?.headers[$0] != nil } == [false, false, false])
        }
    }

    @Test func `a subsystem turns the log on`() {
        let manager = RequestManager(host: "http://127.0.0.1:1", subsystem: "com.developer.subsystem")
        #expect(manager.log?.subsystem == "com.developer.subsystem")
        #expect(manager.log?.category == "OmbiRequestManager")
        #expect(RequestManager(host: "http://127.0.0.1:1").log == nil)
    }
}
