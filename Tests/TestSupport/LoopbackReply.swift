import Foundation

/// What the server does with one request.
public enum LoopbackReply: Sendable {
    case response(status: Int, headers: [(String, String)], body: Data)
    /// Announces `length` bytes, sends `sent` of them and closes.
    case broken(length: Int, sent: Int)
    /// Announces `length` bytes, sends `sent` of them and nothing more.
    case stalled(length: Int, sent: Int)
    /// A body that is this piece so many times.
    case repeated(Data, times: Int)
    /// These bytes, then the end of the connection.
    case raw(Data)
    /// These bytes, and nothing more until the client ends the connection.
    case held(Data)
    /// Closes without an answer.
    case drop
    /// Never answers.
    case silence

    public static func ok(_ text: String, headers: [(String, String)] = []) -> LoopbackReply {
        .response(status: 200, headers: headers, body: Data(text.utf8))
    }

    public static func status(_ status: Int, headers: [(String, String)] = [], _ text: String = "") -> LoopbackReply {
        .response(status: status, headers: headers, body: Data(text.utf8))
    }

    public static func redirect(_ status: Int, to location: String) -> LoopbackReply {
        .response(status: status, headers: [("Location", location)], body: Data("moved".utf8))
    }

    /// The request, as a JSON object.
    public static func echo(_ request: LoopbackRequest) -> LoopbackReply {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let body = (try? encoder.encode(request)) ?? Data()
        return .response(status: 200, headers: [("Content-Type", "application/json")], body: body)
    }
}
