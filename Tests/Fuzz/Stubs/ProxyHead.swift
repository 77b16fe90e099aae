/// The part of the head of a request that the reader of its body needs: all of it needs the headers of OmbiCore.
struct ProxyHead {
    struct Problem: Error {
        var status = 400
        var reason: String
    }

    enum Framing: Sendable {
        case length(Int)
        case chunked
    }

    static let maximumBody = 16 << 30
}
