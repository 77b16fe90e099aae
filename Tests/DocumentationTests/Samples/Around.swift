import OmbiCore

// sample: Middlewares/tracing
struct Tracing: RequestMiddleware {
    func send(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        var request = request
        request.headers["X-Trace-ID"] = .string(UUID().uuidString)
        return try await next(request)
    }
}
// end

enum Streaming {
    static func read(
        _ manager: RequestManager, _ request: UserByID, _ write: (Data) throws -> Void
    ) async throws {
        // sample: Streaming/stream
        let stream = try await manager.stream(request, retry: RetryPolicy(retries: 2))
        print(stream.head.statusCode)
        for try await piece in stream.body {
            try write(piece)
        }
        // end
    }

    static func save(
        _ manager: RequestManager, _ request: UserByID, _ path: String,
        _ show: @escaping @Sendable (Int, Int?) -> Void
    ) async throws {
        // sample: Streaming/download
        let download = try await manager.download(
            request, to: path, resume: true, retry: RetryPolicy(retries: 5)
        ) { progress in
            show(progress.bytes, progress.expected)
        }
        print("\(download.length) bytes, \(download.resumedAt) of them from before")
        // end
    }

    static func listen(_ manager: RequestManager, _ request: UserByID, _ show: (String) -> Void) async throws {
        // sample: Streaming/events
        for try await event in manager.events(request) where event.type == "price" {
            show(event.data)
        }
        // end
    }
}

// sample: Streaming/chat
struct Ask: HTTPRequest {
    typealias RequestBody = AnyJSON
    typealias ResponseBody = NoBody

    let question: String

    let path = "/chat"
    let method = RequestMethod.post
    var body: AnyJSON { ["stream": true, "question": .string(question)] }
}

func answer(to question: String, from manager: RequestManager) async throws -> String {
    var answer = ""
    for try await event in manager.events(Ask(question: question)) where event.data != "[DONE]" {
        answer += try event.decode(AnyJSON.self)["text"]?.stringValue ?? ""
    }
    return answer
}
// end
