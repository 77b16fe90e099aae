/// A failure to start the demo API.
public enum DemoServerError: Error, Equatable, CustomStringConvertible {
    case portInUse(UInt16)
    case cannotListen(port: UInt16, reason: String)

    public var description: String {
        switch self {
        case .portInUse(let port):
            "The demo API cannot listen on port \(port): another program uses it. Choose another one, or 0 for a free one."
        case .cannotListen(let port, let reason):
            "The demo API cannot listen on 127.0.0.1:\(port): \(reason)"
        }
    }
}
