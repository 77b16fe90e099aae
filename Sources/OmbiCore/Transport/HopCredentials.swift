/// Credentials that hold for one URL and method only, such as a digest or a signature: the next request of the same
/// origin, after a redirect, gets its own.
package final class HopCredentials: Sendable {
    /// Returns the header fields of a request with credentials for it, in place of those of the request before. Called on a
    /// thread of the transport, which it must not block.
    package let fields: @Sendable (TransportRequest) -> RequestHeaders

    package init(_ fields: @escaping @Sendable (TransportRequest) -> RequestHeaders) { self.fields = fields }
}

extension HopCredentials: Equatable {
    /// Any two are equal, since the fields that they made are compared.
    package static func == (left: HopCredentials, right: HopCredentials) -> Bool { true }
}

extension TransportRequest {
    /// Returns the request with the fields that differ from those of another one bound to its origin.
    func bindingFields(addedTo before: TransportRequest) -> TransportRequest {
        let known = Set(before.headers.fields)
        var request = self
        for field in headers.fields where !known.contains(field) { request.originHeaders.insert(field.key) }
        return request
    }
}
