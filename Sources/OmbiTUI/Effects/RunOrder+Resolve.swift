import OmbiCore
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RunOrder {
    /// The request as it will be sent. Reads the secrets that it uses.
    func resolve(overrides: Overrides) throws(ResolveError) -> ResolvedRequest {
        let resolver = Resolver(
            collection: collection, environment: environment.flatMap(collection.environment(named:)),
            overrides: overrides, secrets: .system(folder: directory))
        return try resolver.resolve(request)
    }
}

extension SentRequest {
    /// What may be shown of a request that is sent.
    init(_ resolved: ResolvedRequest) {
        let redactor = resolved.redactor
        let query = resolved.query.map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&")
        url = redactor.redact(resolved.host + resolved.path + (query.isEmpty ? "" : "?" + query))
        method = resolved.method
        let inherited = resolved.inherited.filter(\.isSent).map {
            Line(name: $0.name, value: $0.value, origin: "from environment \($0.environment)")
        }
        headers =
            resolved.headers.fields.map {
                Line(name: $0.key.name, value: redactor.redact($0.value.text), origin: nil)
            } + inherited
        body = resolved.body.map { redactor.redact(String(decoding: $0, as: UTF8.self)) }
        sla = resolved.sla
        attempts = resolved.retry.retries + 1
        expectation = resolved.expectation
    }

    /// The same, with the headers as they went on the wire.
    init(_ resolved: ResolvedRequest, _ wire: TransportRequest) {
        self.init(resolved)
        let redactor = resolved.redactor
        let known = headers
        url = redactor.redact(wire.url.absoluteString)
        headers = wire.headers.fields.map { field in
            let line = known.first { $0.name.lowercased() == field.key.name.lowercased() }
            let value = redactor.redact(field.value.text)
            return Line(name: field.key.name, value: value, origin: line == nil ? "added by ombi" : line?.origin)
        }
    }
}
