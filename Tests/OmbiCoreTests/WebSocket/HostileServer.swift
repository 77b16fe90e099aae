import Foundation
import TestSupport

@testable import OmbiCore

/// One way in which a server can be wrong, or odd but right, and exactly what comes of it.
struct HostileCase: Sendable, CustomStringConvertible {
    let name: String
    /// Messages in order, then "end" or the sentence of the error; PEER stands for the address of the server.
    let expected: [String]
    /// The code in the close frame of the client; nil where none must come.
    var told: Int?
    /// How far the clock moves when the server says so, again and again from then on.
    var wait: Duration?
    /// Plays the server; `pass` moves the clock.
    let play: @Sendable (_ server: WebSocketPlayer, _ pass: () -> Void) -> Void

    init(
        _ name: String, _ expected: String..., told: Int? = nil, wait: Duration? = nil,
        play: @escaping @Sendable (WebSocketPlayer, () -> Void) -> Void
    ) {
        (self.name, self.expected, self.told, self.wait, self.play) = (name, expected, told, wait, play)
    }

    /// The server accepts, writes these frames, and goes when the client has closed.
    static func frames(_ name: String, _ expected: String..., told: Int? = nil, by frames: WireFrame...) -> HostileCase
    {
        let bytes = frames.reduce(Data()) { $0 + $1.bytes }
        return HostileCase(name, expected, told) { $0.connection.send($0.acceptance + bytes) }
    }

    /// The server answers the handshake with this text, and ends the connection when the client does.
    static func answer(_ name: String, _ expected: String, _ text: String) -> HostileCase {
        HostileCase(name, [expected], nil) { $0.write(text) }
    }

    private init(
        _ name: String, _ expected: [String], _ told: Int?, _ play: @escaping @Sendable (WebSocketPlayer) -> Void
    ) {
        (self.name, self.expected, self.told, self.wait) = (name, expected, told, nil)
        self.play = { server, _ in play(server) }
    }

    var description: String { name }
}

extension HostileCase {
    struct Outcome: Equatable {
        var told: Int?
        var lines: [String]
    }

    /// Plays the case against a WebSocket over libcurl.
    func run(over transport: any Transport) async throws -> Outcome {
        let clock = ManualClock()
        let told = Lock<Int?>(nil)
        let (hasEnded, isPassing) = (DispatchSemaphore(value: 0), Lock(false))
        let server = try WebSocketPlayer.server { player in
            play(player) {
                guard let wait,
                    !isPassing.withLock({ isPassing in
                        defer { isPassing = true }
                        return isPassing
                    })
                else { return }
                // The client may be about to set its alarm, which then goes by the time that has passed already.
                Thread.detachNewThread {
                    repeat {
                        clock.advance(by: wait)
                    } while hasEnded.wait(timeout: .now() + .milliseconds(10)) == .timedOut
                    hasEnded.signal()
                }
            }
            told.withLock { $0 = player.readToClose().compactMap(\.closeCode).first }
            hasEnded.signal()
        }
        defer { server.stop() }
        let manager = RequestManager(host: server.host, transport: transport, clock: clock)
        let socket = manager.webSocket(
            "/",
            options: WebSocketOptions {
                $0.maximumMessageBytes = 100_000
                $0.maximumFrameBytes = 100_000
            })
        var lines: [String] = []
        do {
            for try await message in socket.messages { lines.append(Self.words(message)) }
            lines.append("end")
        } catch {
            lines.append("\(error)".replacing("127.0.0.1:\(server.port)", with: "PEER"))
        }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                hasEnded.wait()
                continuation.resume()
            }
        }
        return Outcome(told: told.withLock { $0 }, lines: lines)
    }

    private static func words(_ message: WebSocketMessage) -> String {
        switch message {
        case .text(let text): text.utf8.count <= 40 ? text : "(\(text.utf8.count) bytes)"
        case .binary(let data): data.count <= 10 ? "\(Array(data))" : "(\(data.count) bytes)"
        }
    }
}
