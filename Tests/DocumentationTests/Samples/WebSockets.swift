import OmbiCore

enum WebSockets {
    static func talk(_ manager: RequestManager) async throws {
        // sample: WebSockets/talk
        let socket = manager.webSocket("/prices")
        try await socket.send("subscribe tea")
        for try await message in socket.messages {
            switch message {
            case .text(let text): print(text)
            case .binary(let data): print("\(data.count) bytes")
            }
        }
        // end
    }

    static func open(_ manager: RequestManager) async throws -> WebSocket {
        // sample: WebSockets/open
        let request = ComposableRequest<NoBody, NoBody, NoError>().path("/prices").header(key: "X-Desk", value: "7")
        let socket = manager.webSocket(
            for: request, options: WebSocketOptions { $0.subprotocols = ["prices.v2", "prices.v1"] })
        let head = try await socket.opened()
        print(head.statusCode, socket.subprotocol ?? "no subprotocol")
        // end
        return socket
    }

    static func close(_ socket: WebSocket) async throws {
        // sample: WebSockets/close
        try await socket.close(code: WebSocketCloseCode(rawValue: 4001), reason: "end of trading")
        print(socket.closeCode ?? .noStatus, socket.closeReason ?? "")
        // end
    }

    static func refusal(of socket: WebSocket) async {
        // sample: WebSockets/errors
        do {
            for try await message in socket.messages { print(message) }
        } catch .refused(let reason, let response) {
            print(reason, response.statusCode ?? 0)
        } catch .closed(let code, let reason) {
            print("the server closed it: \(code) \(reason)")
        } catch {
            print(error)
        }
        // end
    }

    static func reconnecting(_ manager: RequestManager) -> WebSocket {
        // sample: WebSockets/reconnect
        let options = WebSocketOptions {
            $0.reconnect = RetryPolicy(
                retries: 10, backoff: Backoff(first: .seconds(1), jitter: 0.5, ceiling: .seconds(30)))
            $0.firstMessages = { ["subscribe tea"] }
        }
        let socket = manager.webSocket("/prices", options: options)
        // end
        return socket
    }

    static func watch(_ socket: WebSocket) async {
        // sample: WebSockets/events
        for await event in socket.events {
            switch event.kind {
            case .connected(_, let metrics): print("connected in \(metrics.timings.connect)")
            case .reconnecting(let attempt, let wait, let cause): print("connection \(attempt) in \(wait): \(cause)")
            case .closed(let error): print(error.map { "\($0)" } ?? "closed")
            default: break
            }
        }
        // end
    }
}
