/// A request that wraps another one, whose type is decisive.
protocol RequestWrapper: Requestable {
    var wrappedRequest: any Requestable { get }
}

extension Requestable {
    /// Returns the request itself, or the one it wraps, if it is a `T`.
    func unwrapped<T: Requestable>(as type: T.Type) -> T? {
        if let request = self as? T { return request }
        return (self as? any RequestWrapper)?.wrappedRequest.unwrapped(as: type)
    }

    /// The innermost request.
    var unwrapped: any Requestable { (self as? any RequestWrapper)?.wrappedRequest.unwrapped ?? self }
}
