import OmbiCore
import OmbiWorkspace

extension RequestMethod {
    /// The method is safe as in RFC 9110 §9.2.1: it only reads.
    var isSafe: Bool { [.get, .head, .options, .trace].contains(self) }
}

extension RunOrder {
    /// The first request of the run that may change something, those that are sent first among them.
    var firstUnsafe: SavedRequest? { (sentFirst + [request]).first { !$0.method.isSafe } }
}
